import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

struct PlaylistCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist", abstract: "List, play or save playlists.",
    subcommands: [PlaylistListCommand.self, PlaylistPlayCommand.self, SaveCommand.self],
    defaultSubcommand: PlaylistListCommand.self)
}

/// `mpris-playerd playlist [list]`.
struct PlaylistListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the saved playlists by name.")

  @OptionGroup var target: InstanceOption

  func run() async throws {
    try await target.withInstance { instance in
      let names = try await instance.control.call(ControlInterface.getPlaylists)
      _ = StandardOutput.write(names.map { $0.withoutControls + "\n" }.joined())
    }
  }
}

/// `mpris-playerd playlist play NAME`.
struct PlaylistPlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Replace the queue with a saved playlist.")

  @Argument(help: ArgumentHelp("The name of the playlist.", valueName: "name"), completion: NameCompletion.playlists)
  var name: String

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.target.withInstance { instance in
      let uri = try await instance.control.call(ControlInterface.getPlaylistURI, name)
      guard !uri.isEmpty else {
        let hint = Spelling.hint(for: name, among: try await instance.control.call(ControlInterface.getPlaylists))
        instance.log.error("the playlist “\(name)” does not exist\(hint)")
        throw ExitStatus.nothingPlayable
      }
      try await CommandLineRequest(request: OpenRequest(uris: [uri]), isQuiet: options.quiet).send(to: instance)
    }
  }
}

/// `mpris-playerd save NAME`.
struct SaveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the queue as a playlist.",
    discussion: """
      The running instance writes the playlist to its playlist folder; clients can then find it. The command prints the \
      path of the file.
      """)

  @Argument(help: ArgumentHelp("The name of the playlist.", valueName: "name"))
  var name: String

  @Flag(help: "Replace an existing playlist of this name.")
  var force = false

  @OptionGroup var target: InstanceOption

  func validate() throws {
    guard PlaylistName(name) != nil else { throw ValidationError("“\(name)”: \(PlaylistName.rule)") }
  }

  func run() async throws {
    guard let playlist = PlaylistName(name) else { throw ExitStatus.usage }
    let path = try await target.withInstance { instance in
      do throws(DBusError) {
        return try await instance.control.call(ControlInterface.save, playlist.text, force)
      } catch {
        guard !error.isUnreachable else { throw error }
        instance.log.error("\(error.message)")
        throw ExitStatus.cannotCreate
      }
    }
    _ = StandardOutput.write(path.withoutControls + "\n")
  }
}
