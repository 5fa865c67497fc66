/// The user-visible texts of a Swift source file, found without a compiler.
struct MessageScanner {
  /// The use of a text, which decides its style.
  enum Kind: String, CaseIterable, Sendable {
    case error = "Errors"
    case log = "Log lines"
    case doctor = "Findings and remedies of doctor"
    case help = "Help"
    case key = "Configuration keys"
    case output = "Other output of commands"
  }

  /// A text with its interpolations as in the source.
  struct Message: Equatable, Sendable {
    var kind: Kind
    var text: String
  }

  /// A call or another pair of brackets around the current position.
  private struct Frame {
    var callee: String
    /// The label of the current argument.
    var label = ""
    /// The last component of the callee, such as `error` of `log.error`.
    var name: String { callee.split(separator: ".").last.map(String.init) ?? "" }
  }

  private static let errors: Set = [
    "PlayerError", "ValidationError", "ConfigurationError", "SyntaxError", "Failure", "failure",
    "unusable", "unexpected", "failed", "invalidArguments", "invalid", "notSupported", "accessDenied",
    "limitsExceeded", "unknownObject", "unknownMethod", "unknownInterface", "unknownProperty", "propertyReadOnly",
    "objectPathInUse", "disconnected", "fileExists", "FileFailure",
  ]
  private static let logs: Set = ["reject", "warn", "stop", "noBus"]
  private static let levels: Set = ["ok", "debug", "info", "notice", "warning", "error"]
  private static let keys: Set = ["boolean", "number", "percent", "choice", "text", "list", "folder"]
  /// Calls whose texts are compared with other texts or end the process.
  private static let ignored: Set = ["contains", "hasPrefix", "hasSuffix", "firstRange", "mentions", "precondition"]
  /// The files whose remaining texts are shown to users.
  private static let shown: KeyValuePairs<String, Kind> = [
    "Sources/Playerd/Commands/": .output, "Sources/Playerd/Client/": .output, "Sources/Playerd/Doctor/": .output,
    "Sources/Playerd/Service/StartReport": .output, "Sources/Playerd/Configuration/": .error,
    "Sources/Playerd/Values/Spelling": .error,
    "Sources/GstPlayer/Engine/Values/Failure+PlayerError": .error, "Sources/GstPlayer/Sound/AudioSink": .error,
    "Sources/Playback/Engine/EngineEvent": .error, "Sources/PlayerdInterfaces/Control1/PlaylistName": .error,
  ]

  private let path: String
  private let characters: [Character]
  private var index = 0
  private var frames: [Frame] = []
  private var callee = ""
  /// The kind of the last literal, while only `+` has followed.
  private var previous: Kind?
  private var isJoined = false
  private var messages: [Message] = []

  /// Returns the texts of a file in the order of the source.
  static func messages(of source: String, path: String) -> [Message] {
    var scanner = MessageScanner(path: path, characters: Array(source))
    while scanner.index < scanner.characters.count { scanner.step() }
    return scanner.messages.map { Message(kind: $0.kind, text: $0.text.split(separator: " ").joined(separator: " ")) }
  }

  private init(path: String, characters: [Character]) { (self.path, self.characters) = (path, characters) }

  private func isNext(_ text: String) -> Bool { characters[index...].starts(with: text) }

  private mutating func step() {
    let character = characters[index]
    switch character {
    case _ where isNext("//"):
      while index < characters.count, characters[index] != "\n" { index += 1 }
    case "\"": literal()
    case "(", "[", "{":
      frames.append(Frame(callee: character == "(" ? callee : String(character)))
      end(of: "")
    case ")", "]", "}":
      _ = frames.popLast()
      end(of: "")
    case ":", ",":
      if !frames.isEmpty { frames[frames.count - 1].label = character == ":" ? callee : "" }
      end(of: "")
    case "+":
      isJoined = previous != nil
      index += 1
    case _ where character.isWhitespace: index += 1
    case _ where character.isLetter || character.isNumber || "._?`".contains(character):
      let start = index
      while index < characters.count,
        characters[index].isLetter || characters[index].isNumber || "._?`".contains(characters[index])
      {
        index += 1
      }
      end(of: String(characters[start..<index]), at: index)
    default: end(of: "")
    }
  }

  /// Ends a token that is not a literal.
  private mutating func end(of word: String, at next: Int? = nil) {
    (callee, previous, isJoined) = (word, nil, false)
    index = next ?? index + 1
  }

  private mutating func literal() {
    let text = text()
    defer { callee = "" }
    guard let kind = kind(of: text) ?? (isJoined ? previous : nil) else {
      (previous, isJoined) = (nil, false)
      return
    }
    if isJoined, let last = messages.popLast() {
      messages.append(Message(kind: last.kind, text: last.text + text))
    } else {
      messages.append(Message(kind: kind, text: text))
    }
    (previous, isJoined) = (kind, false)
  }

  /// Reads a string literal; the lines of a multi-line literal are joined.
  private mutating func text() -> String {
    let quote = isNext("\"\"\"") ? "\"\"\"" : "\""
    index += quote.count
    var text = ""
    while index < characters.count, !isNext(quote) {
      if isNext("\\(") {
        text += interpolation()
      } else if isNext("\\\n") {
        index += 2
        while index < characters.count, characters[index] == " " { index += 1 }
      } else if isNext("\\") {
        text += isNext("\\n") ? " " : String(characters[min(index + 1, characters.count - 1)])
        index += 2
      } else {
        text.append(characters[index])
        index += 1
      }
    }
    index += quote.count
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { quote.count > 1 ? $0.drop { $0 == " " } : $0 }.joined(separator: quote.count > 1 ? " " : "")
  }

  private mutating func interpolation() -> String {
    let start = index
    var depth = 0
    repeat {
      switch characters[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case "\"":
        _ = text()
        continue
      default: break
      }
      index += 1
    } while index < characters.count && depth > 0 || characters[index - 1] == "\\"
    return String(characters[start..<min(index, characters.count)])
  }

  private func kind(of text: String) -> Kind? {
    let words = MessageStyle.prose(text)
    guard words.contains(" "), words.contains(#/[a-z]{3}/#) else { return nil }
    for frame in frames.reversed() {
      guard frame.callee != "{" else { break }
      if Self.ignored.contains(frame.name) { return nil }
      if ["abstract", "discussion", "help"].contains(frame.label) { return .help }
      if frame.name == "ArgumentHelp" { return frame.label.isEmpty ? .help : nil }
      if path.hasSuffix("/ConfigurationKeys.swift"), Self.keys.contains(frame.name) { return .key }
      if path.contains("/Doctor/"), Self.levels.contains(frame.name) || ["append", "expect"].contains(frame.name) {
        return .doctor
      }
      if Self.errors.contains(frame.name) { return .error }
      if Self.logs.contains(frame.name) || Self.levels.contains(frame.name) { return .log }
    }
    return Self.shown.first { path.hasPrefix($0.key) }?.value
  }
}
