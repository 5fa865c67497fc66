import ArgumentParser

/// Resolves the items of a command line to URIs, before anything is sent or replaced.
///
/// An argument is a URL, an existing path, or the name of a saved playlist.
struct ItemArguments {
  private(set) var uris: [String] = []
  private(set) var rejections: [Rejection] = []
  /// The first argument if it is a word and none of these: a mistyped command, or one of another player.
  private(set) var unknownCommand: Rejection?

  /// An argument that is none of these.
  struct Rejection: Equatable {
    let argument: String

    /// Whether it looks like a word rather than a file.
    var isWord: Bool { !argument.contains { $0 == "/" || $0 == "." } }

    var message: String {
      guard !argument.isEmpty else { return "an empty argument is not a file, URL or playlist" }
      guard isWord else { return "\(argument): not found" }
      return "\(argument): not a command, file, URL or playlist\(CommandHint.text(for: argument))"
    }
  }

  /// Resolves each argument.
  init(_ arguments: [String], playlistFolder: [UInt8]?) {
    for argument in arguments {
      let uri = FileURI.absolute(from: argument)
      // The URI of an empty argument is that of the working directory.
      let isItem =
        FileURI.isURI(argument)
        || !argument.isEmpty && FileURI.path(of: uri).flatMap { LocalFileSystem().kind(of: $0) } != nil
      if let item = isItem ? uri : Self.playlist(argument, in: playlistFolder) {
        uris.append(item)
      } else {
        rejections.append(Rejection(argument: argument))
      }
    }
    if let first = rejections.first, first.argument == arguments.first, first.isWord, !first.argument.contains(" ") {
      unknownCommand = first
    }
  }

  /// Returns the URI of a saved playlist, by its name with or without an extension.
  private static func playlist(_ name: String, in folder: [UInt8]?) -> String? {
    guard let folder, !name.contains("/") else { return nil }
    let file = PlaylistFile.list(in: folder).first { $0.title == name || $0.name == Array(name.utf8) }
    return file.map { FileURI.uri(ofPath: folder + [UInt8(ascii: "/")] + $0.name) }
  }

  /// The exit status if every argument was rejected: 64 for mistyped words, 66 for missing files.
  var status: ExitCode { rejections.allSatisfy(\.isWord) ? ExitStatus.usage : ExitStatus.nothingPlayable }
}
