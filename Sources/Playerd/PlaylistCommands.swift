import ArgumentParser
import DBus
import Logging
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdService
import PlayerdStorage
import PlayerdSystem

struct PlaylistCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist", abstract: "List, play, save or edit playlists.",
    subcommands: [
      PlaylistListCommand.self, PlaylistPlayCommand.self, SaveCommand.self, PlaylistAppendCommand.self,
      PlaylistRenameCommand.self, PlaylistDeleteCommand.self,
    ],
    defaultSubcommand: PlaylistListCommand.self)
}

/// `mpris-playerd playlist [list]`.
struct PlaylistListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the saved playlists by name.")

  @Flag(help: "Print a JSON object for each playlist, one per line.")
  var json = false

  @OptionGroup var unknown: UnknownSubcommand
  @OptionGroup var target: InstanceOption

  func run() async throws {
    try unknown.reject(
      in: PlaylistCommand.self,
      playlists: ItemArguments.userPlaylistFolder.map { PlaylistFile.list(in: $0).map(\.title) } ?? [])
    let running = try await target.withInstanceIfRunning { try await playlists(of: $0) }
    let list = try running ?? PlaylistFile.list(of: ConfigurationSources.loadUser().configuration)
    _ = StandardOutput.write(list.map { (json ? $0.json : $0.name.withoutControls) + "\n" }.joined())
  }

  /// Returns the playlists of an instance; their URIs are only in JSON.
  private func playlists(of instance: RunningInstance) async throws -> [ListedPlaylist] {
    var list: [ListedPlaylist] = []
    for name in try await instance.control.call(ControlInterface.getPlaylists) {
      let uri = json ? try await instance.control.call(ControlInterface.getPlaylistURI, name) : ""
      list.append(ListedPlaylist(name: name, uri: uri.isEmpty ? nil : uri))
    }
    return list
  }
}

/// A line of `playlist list`.
struct ListedPlaylist {
  var name = ""
  /// Nil if the file has been removed in the meantime.
  var uri: String?

  var json: String { jsonLine(["name": .string(name), "uri": JSONValue(uri)]) }
}

/// `mpris-playerd playlist play NAME`.
struct PlaylistPlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Replace the queue with a saved playlist.")

  @Argument(help: ArgumentHelp("The name of the playlist.", valueName: "name"), completion: NameCompletion.playlists)
  var name: String

  @OptionGroup var options: VerbOptions

  func validate() throws { try PlaylistName.rejectEmpty(name) }

  func run() async throws {
    try await options.target.withInstance(start: .always, check: { try PlaylistFile.check(name, $0) }) { instance in
      let uri = try await instance.uri(ofPlaylist: name)
      try await CommandLineRequest(request: OpenRequest(uris: [uri]), isQuiet: options.quiet).send(to: instance)
    }
  }
}

/// Saved playlists without a running instance.
extension PlaylistFile {
  /// Returns the playlists of a configuration in natural order.
  fileprivate static func list(of configuration: Configuration) -> [ListedPlaylist] {
    guard let folder = configuration.playlistFolder else { return [] }
    return list(in: folder).map { file in
      ListedPlaylist(name: file.title, uri: FileURI.uri(ofPath: folder + [UInt8(ascii: "/")] + file.name))
    }
  }

  /// Checks that a playlist exists before an instance is started for it.
  ///
  /// - Throws: Exit status 66 if it does not exist; a similar name has been suggested.
  fileprivate static func check(_ name: String, _ configuration: Configuration) throws {
    guard ItemArguments.playlist(name, in: configuration.playlistFolder) == nil else { return }
    throw absence(of: name, among: list(of: configuration).map(\.name), Logger(label: Names.executable))
  }

  /// Logs that a playlist does not exist, with a similar name.
  ///
  /// - Returns: Exit status 66, to be thrown.
  fileprivate static func absence(of name: String, among names: [String], _ log: Logger) -> ExitStatus {
    log.error("the playlist “\(name)” does not exist\(Spelling.hint(for: name, among: names))")
    return ExitStatus.nothingPlayable
  }
}

extension RunningInstance {
  /// Returns the URI of a saved playlist.
  ///
  /// - Throws: Exit status 66 if it does not exist; a similar name has been suggested.
  func uri(ofPlaylist name: String) async throws -> String {
    let uri = try await control.call(ControlInterface.getPlaylistURI, name)
    guard uri.isEmpty else { return uri }
    throw PlaylistFile.absence(of: name, among: try await control.call(ControlInterface.getPlaylists), log)
  }

  /// Runs a request that changes a playlist; logs why it could not be written.
  ///
  /// - Throws: Exit status 73 if it could not be written.
  func changePlaylist<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as DBusError where !error.isUnreachable {
      log.error("\(error.message)")
      throw ExitStatus.cannotCreate
    }
  }
}

/// `mpris-playerd playlist append NAME [ITEM…]`.
struct PlaylistAppendCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Append items to a saved playlist; without items, the current track.",
    discussion: """
      A folder is appended as its files. The playlist is created if it does not exist; an existing one must be M3U. The item \
      “-” stands for those on standard input, one a line or separated by NUL.
      """)

  @Argument(help: ArgumentHelp("The name of the playlist.", valueName: "name"), completion: NameCompletion.playlists)
  var name: String

  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String] = []

  @OptionGroup var options: VerbOptions

  func validate() throws { try PlaylistName.check(name) }

  func run() async throws {
    // Without items, it needs the current track of the session.
    try await options.perform(start: items.isEmpty ? .session : .always) { try await perform(on: $0) }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    let found = items.isEmpty ? nil : try VerbOptions.items(items, instance.log)
    // A playlist without the missing ones would look complete.
    if let found, !found.rejections.isEmpty { throw found.status }
    let names = try await instance.control.call(ControlInterface.getPlaylists)
    let count = try await instance.changePlaylist {
      try await instance.control.call(ControlInterface.appendToPlaylist, name, found?.uris ?? [])
    }
    if let text = PlaylistName(name)?.text, !names.contains(text) {
      let hint = Spelling.hint(for: text, among: names)
      return "created the playlist “\(text)” with \(counted(count, "track"))\(hint)"
    }
    return "appended \(counted(count, "track")) to “\(name)”"
  }
}

/// `mpris-playerd playlist rename OLD NEW`.
struct PlaylistRenameCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a saved playlist.", aliases: ["mv"])

  @Argument(help: ArgumentHelp("The name of the playlist.", valueName: "name"), completion: NameCompletion.playlists)
  var name: String

  @Argument(help: ArgumentHelp("The new name.", valueName: "new-name"))
  var newName: String

  @OptionGroup var options: VerbOptions

  func validate() throws {
    try PlaylistName.rejectEmpty(name)
    try PlaylistName.check(newName)
  }

  func run() async throws {
    try await options.perform(start: .always, check: { try PlaylistFile.check(name, $0) }) { try await perform(on: $0) }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    _ = try await instance.uri(ofPlaylist: name)
    try await instance.changePlaylist {
      try await instance.control.call(ControlInterface.renamePlaylist, name, newName)
    }
    return "“\(name)” is now “\(newName)”"
  }
}

/// `mpris-playerd playlist delete NAME`.
struct PlaylistDeleteCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete the file of a saved playlist; the tracks are kept.",
    aliases: ["rm", "del"])

  @Argument(help: ArgumentHelp("The name of the playlist.", valueName: "name"), completion: NameCompletion.playlists)
  var name: String

  @OptionGroup var options: VerbOptions

  func validate() throws { try PlaylistName.rejectEmpty(name) }

  func run() async throws {
    try await options.perform(start: .always, check: { try PlaylistFile.check(name, $0) }) { try await perform(on: $0) }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    _ = try await instance.uri(ofPlaylist: name)
    try await instance.changePlaylist { try await instance.control.call(ControlInterface.deletePlaylist, name) }
    return "deleted “\(name)”"
  }
}

extension PlaylistName {
  /// Throws a usage error for an empty name, such as that of an empty variable.
  static func rejectEmpty(_ name: String) throws {
    if name.isEmpty { throw ValidationError("the name of the playlist is empty") }
  }

  /// Throws a usage error for a text that cannot be the name of a playlist.
  static func check(_ name: String) throws {
    if PlaylistName(name) == nil { throw ValidationError("“\(name)”: \(rule)") }
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

  @Flag(help: "Write paths relative to the playlist folder, so that both can be moved together.")
  var relative = false

  @OptionGroup var target: InstanceOption

  func validate() throws { try PlaylistName.check(name) }

  func run() async throws {
    guard let playlist = PlaylistName(name) else { throw ExitStatus.usage }
    let path = try await target.withInstance(start: .session) { instance in
      let names = try await instance.control.call(ControlInterface.getPlaylists)
      let path = try await instance.changePlaylist {
        try await instance.control.call(
          relative ? ControlInterface.saveRelative : ControlInterface.save, playlist.text, force)
      }
      let hint = names.contains(playlist.text) ? "" : Spelling.hint(for: playlist.text, among: names)
      if !hint.isEmpty { instance.log.notice("created the playlist “\(playlist.text)”\(hint)") }
      return path
    }
    _ = StandardOutput.write(path.withoutControls + "\n")
  }
}
