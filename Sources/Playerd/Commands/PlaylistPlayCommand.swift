import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

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
      try await ItemForwarder(request: OpenRequest(uris: [uri]), isQuiet: options.quiet).send(to: instance)
    }
  }
}
