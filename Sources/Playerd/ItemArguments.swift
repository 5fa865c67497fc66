import ArgumentParser
import Logging
import PlayerdConfiguration
import PlayerdService
import PlayerdStorage
import PlayerdSystem
import TextCoding

/// Resolves the items of a command line to URIs, before anything is sent or replaced.
///
/// An argument is a URL, an existing path, the name of a saved playlist, or `-` for items from standard input.
struct ItemArguments {
  private(set) var uris: [String] = []
  private(set) var rejections: [Rejection] = []
  /// The argument that stops the whole command: a word that is not an item, such as a mistyped command or a command of another
  /// player, or a standard input that is not a list.
  private(set) var unknownCommand: Rejection?

  /// An argument that is not an item.
  struct Rejection: Equatable {
    let argument: String
    /// Whether it is an item of standard input.
    var isInput = false
    /// The reason why standard input is not a list.
    var fault: StandardInput.Fault?
    /// The arguments after it.
    var rest: [String] = []
    /// The folder of playlists, for a suggestion.
    var playlistFolder: [UInt8]?
    /// Whether it exists, or may exist, and cannot be reached.
    var isDenied = false

    /// Whether it looks like a word rather than a file.
    var isWord: Bool { !isInput && !isDenied && !argument.contains { $0 == "/" || $0 == "." } }

    /// Whether it is a word that the user may have meant as a command.
    fileprivate var mayBeCommand: Bool { isWord && !argument.isEmpty && !argument.contains(" ") }

    var message: String {
      if let fault { return fault.message }
      if argument == "-" { return "standard input contains no items" }
      guard !argument.isEmpty else { return "an empty argument is not a file, URL or playlist" }
      guard isWord else { return "\(argument.excerpt): \(isDenied ? "permission denied" : "not found")" }
      if RootCommand.commandNames.contains(argument) {
        let dashes = ProgramArguments.all.contains("--") ? ", without “--”" : ""
        return "\(argument): not a file, URL or playlist; as a command, it comes first\(dashes)"
      }
      return "\(argument): not a command, file, URL or playlist\(hint)"
    }

    /// The end of the message about a word: the file, the command or the playlist that it may mean.
    private var hint: String {
      // A name with blanks that is not in quotes.
      for count in 1...8 where count <= rest.count {
        let name = ([argument] + rest.prefix(count)).joined(separator: " ")
        if ItemArguments.exists(name) { return "; did you mean the file “\(name)”? Quote it" }
      }
      if CommandHint.prefixes.contains(argument), let next = rest.first, !RootCommand.commandNames.contains(next),
        ItemArguments.exists(next)
      {
        return "; leave out “\(argument)”"
      }
      let names =
        !rest.isEmpty
        ? [] : (try? LocalFileSystem().list(FileURI.workingDirectory, limit: 10_000).get())?.map(\.name) ?? []
      if let file = names.first(where: { String(decoding: $0.stem, as: UTF8.self) == argument }) {
        return CommandHint.suggestion([String(decoding: file, as: UTF8.self)])
      }
      if CommandHint.meaning(of: [argument] + rest) == nil, let playlistFolder,
        let playlist = Spelling.nearest(to: argument, among: PlaylistFile.list(in: playlistFolder).map(\.title))
      {
        return CommandHint.suggestion([playlist])
      }
      return CommandHint.text(for: argument, before: rest)
    }
  }

  /// Resolves each argument; `readInput` returns the items of standard input.
  init(
    _ arguments: [String], playlistFolder: [UInt8]?,
    readInput: () throws(StandardInput.Fault) -> [String] = StandardInput.items
  ) {
    let note = DiskWaitNote()
    for (index, argument) in arguments.enumerated() {
      guard argument == "-" else {
        add(argument, Rejection(argument: argument, rest: Array(arguments.dropFirst(index + 1))), playlistFolder, note)
        continue
      }
      do throws(StandardInput.Fault) {
        let items = try readInput()
        if items.isEmpty { rejections.append(Rejection(argument: argument, isInput: true)) }
        for item in items { add(item, Rejection(argument: item, isInput: true), playlistFolder, note) }
      } catch {
        rejections = [Rejection(argument: argument, isInput: true, fault: error)]
        unknownCommand = rejections.first
        return
      }
    }
    unknownCommand = rejections.first { $0.mayBeCommand }
    // An empty variable is not a mistyped command, but the rest of the line is not played either.
    if unknownCommand == nil, let first = rejections.first, first.argument.isEmpty, first.isWord {
      unknownCommand = first
    }
  }

  private mutating func add(
    _ argument: String, _ rejection: Rejection, _ playlistFolder: [UInt8]?, _ note: DiskWaitNote
  ) {
    note.reading(argument) { add(argument, rejection, playlistFolder) }
  }

  private mutating func add(_ argument: String, _ rejection: Rejection, _ playlistFolder: [UInt8]?) {
    let uri = FileURI.absolute(from: argument)
    // An empty argument would get the URI of the working directory.
    let path = argument.isEmpty || FileURI.isURI(argument) ? nil : FileURI.path(of: uri)
    var (isItem, rejection) = (FileURI.isURI(argument), rejection)
    rejection.playlistFolder = playlistFolder
    switch path.map({ LocalFileSystem().identify($0) }) {
    case .success?: (isItem, rejection.isDenied) = (true, path.map { LocalFileSystem().isDenied($0) } ?? false)
    case .failure(let failure)?: rejection.isDenied = failure.isDenial
    case nil: break
    }
    if let item = isItem && !rejection.isDenied ? uri : Self.playlist(argument, in: playlistFolder) {
      uris.append(item)
    } else {
      rejections.append(rejection)
    }
  }

  /// Returns the rejection of a word that may be a mistyped command; nil for an item.
  static func unknownCommand(_ word: String, before rest: [String], playlistFolder: [UInt8]?) -> Rejection? {
    var items = ItemArguments([], playlistFolder: playlistFolder)
    items.add(word, Rejection(argument: word, rest: rest), playlistFolder)
    return items.rejections.first { $0.mayBeCommand }
  }

  /// Whether a path exists.
  static func exists(_ path: String) -> Bool {
    FileURI.path(of: FileURI.absolute(from: path)).flatMap { LocalFileSystem().kind(of: $0) } != nil
  }

  /// Returns the URI of a saved playlist, by its name with or without an extension.
  static func playlist(_ name: String, in folder: [UInt8]?) -> String? {
    guard let folder, !name.contains("/") else { return nil }
    let file = PlaylistFile.list(in: folder).first { $0.title == name || $0.name == Array(name.utf8) }
    return file.map { FileURI.uri(ofPath: folder + [UInt8(ascii: "/")] + $0.name) }
  }

  /// The folder of playlists of the configuration of the user; nil if there is none.
  static var userPlaylistFolder: [UInt8]? {
    ((try? ConfigurationSources.load(file: nil))?.configuration ?? Configuration()).playlistFolder
  }

  /// Logs the rejections, 20 of them with their reasons.
  func logRejections(_ log: Logger) {
    for rejection in rejections.prefix(OpenLog.lineLimit) { log.error("\(rejection.message)") }
    let rest = rejections.count - OpenLog.lineLimit
    if rest > 0 { log.error("\(rest) more items cannot be queued") }
  }

  /// The exit status if every argument was rejected: 64 for mistyped words, 66 for missing files.
  var status: ExitStatus { rejections.allSatisfy(\.isWord) ? ExitStatus.usage : ExitStatus.nothingPlayable }
}
