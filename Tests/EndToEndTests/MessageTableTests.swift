import FoundationEssentials
import Glibc
import Testing

/// The style of user-visible texts.
enum MessageStyle {
  /// Returns a text without its interpolations.
  static func prose(_ text: String) -> String {
    var (prose, depth) = ("", 0)
    var rest = text[...]
    while let character = rest.first {
      if depth == 0, rest.hasPrefix("\\(") {
        depth = 1
        rest = rest.dropFirst(2)
        continue
      }
      if depth == 0 { prose.append(character) }
      if depth > 0 { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
      rest = rest.dropFirst()
    }
    return prose
  }

  /// Returns the rules that a text violates; `words` are the forbidden words in lower case.
  static func faults(of message: MessageScanner.Message, words: Set<String>) -> [String] {
    var faults: [String] = []
    let prose = prose(message.text)
    let spaced = " \(prose.lowercased().split { !$0.isLetter && $0 != "-" }.joined(separator: " ")) "
    faults += words.filter { spaced.contains(" \($0) ") }.map { "contains “\($0)”" }
    switch message.kind {
    case .error, .log, .doctor:
      if isCapitalized(message.text) { faults.append("starts with a capital letter") }
      if prose.hasSuffix(".") || prose.hasSuffix("!") { faults.append("ends like a sentence") }
    case .help, .key:
      let isList = message.text.first?.isLowercase == true
      if isList && message.kind == .key { faults.append("starts with a small letter") }
      if !prose.hasSuffix(".") { faults.append("does not end with a full stop") }
    case .output: if prose.hasSuffix(".") { faults.append("ends like a sentence") }
    }
    return faults
  }

  /// Whether the first word is capitalized and not a name, such as GStreamer, INDEX or a property of MPRIS.
  private static func isCapitalized(_ text: String) -> Bool {
    let word = text.prefix { $0.isLetter || $0 == "-" }
    guard word.first?.isUppercase == true, !word.dropFirst().contains(where: \.isUppercase) else { return false }
    return !["Metadata", "Open", "Position", "Rate", "Volume"].contains(String(word))
  }
}

/// The table of the user-visible texts in Fixtures/Messages.md, compared with the sources.
@Suite("Table of messages")
struct MessageTableTests {
  private typealias Message = MessageScanner.Message

  private static let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
  private static let file = "\(package)/Tests/EndToEndTests/Fixtures/Messages.md"

  private static let header = """
    # Messages

    The texts that users see, by kind and source file, for review. `\\(…)` is replaced by a value. Errors, log lines and
    findings state the failure, the object, the reason and the remedy; they start with a small letter and have no full stop.
    Written by `make messages`; a test compares it with the sources.

    """

  /// Returns the texts of each source file, in the order of the paths.
  private static func sources() throws -> [(path: String, messages: [Message])] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(package)/Sources")
      .filter { $0.hasSuffix(".swift") }.sorted()
    return try paths.map { path in
      let source = try String(contentsOfFile: "\(package)/Sources/\(path)", encoding: .utf8)
      return (path, MessageScanner.messages(of: source, path: "Sources/\(path)"))
    }
  }

  private static func words() throws -> Set<String> {
    let lines = try String(contentsOfFile: "\(package)/scripts/words.txt", encoding: .utf8).split(separator: "\n")
    return Set(lines.filter { !$0.hasPrefix("#") }.map(String.init))
  }

  @Test("Fixtures/Messages.md lists the texts that users see; make messages writes it")
  func table() throws {
    var table = Self.header
    let sources = try Self.sources()
    for kind in MessageScanner.Kind.allCases {
      table += "\n## \(kind.rawValue)\n\n| text | file |\n|---|---|\n"
      for (path, messages) in sources {
        var listed: Set<String> = []
        for message in messages where message.kind == kind && listed.insert(message.text).inserted {
          table += "| \(message.text.replacing("|", with: "\\|").replacing("*", with: "\\*")) | \(path) |\n"
        }
      }
    }
    if unsafe getenv("WRITE_MESSAGES") != nil {
      try table.write(toFile: Self.file, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOfFile: Self.file, encoding: .utf8)
    let (expected, found) = (Set(table.split(separator: "\n")), Set(written.split(separator: "\n")))
    #expect(expected.subtracting(found) == [], "not in the table")
    #expect(found.subtracting(expected) == [], "not in the sources")
    #expect(written == table)
  }

  @Test("Errors, log lines, findings and help texts follow the rules of style")
  func style() throws {
    let (sources, words) = (try Self.sources(), try Self.words())
    #expect(words.count > 5)
    var counts: [MessageScanner.Kind: Int] = [:]
    for (path, messages) in sources {
      for message in messages {
        counts[message.kind, default: 0] += 1
        #expect(MessageStyle.faults(of: message, words: words) == [], "\(path): \(message.text)")
      }
    }
    for kind in MessageScanner.Kind.allCases { #expect(counts[kind, default: 0] > 20, "\(kind)") }
  }

  @Test(
    "A text that violates a rule of style is reported",
    arguments: [
      (MessageScanner.Kind.error, "The file is missing"), (.log, "the file is missing."), (.doctor, "Oops"),
      (.help, "Pause playback"), (.key, "the volume."), (.output, "done."), (.error, "frobs, \\(reason)"),
      (.log, "played in style"),
    ])
  func fault(kind: MessageScanner.Kind, text: String) {
    let message = MessageScanner.Message(kind: kind, text: text)
    #expect(MessageStyle.faults(of: message, words: ["frobs", "in style"]).count == 1)
  }

  @Test("Texts are found by the call around them; literals that are joined by + are one text")
  func scanner() {
    let source = #"""
      // log.error("not a text")
      log.warning("\(path.map { "a b c" } ?? ""): cannot open " + "the file")
      throw PlayerError(.unknown, isCut ? "the data is cut" : "the data is empty", detail: "more text")
      let words = text.contains("in two words")
      @Option(help: ArgumentHelp("The delay, or off.", valueName: "the delay"))
      let text = """
        first line \
        second line
        """
      """#
    let found = MessageScanner.messages(of: source, path: "Sources/Playerd/Commands/A.swift")
    let expected: [(MessageScanner.Kind, String)] = [
      (.log, #"\(path.map { "a b c" } ?? ""): cannot open the file"#), (.error, "the data is cut"),
      (.error, "the data is empty"), (.error, "more text"), (.help, "The delay, or off."),
      (.output, "first line second line"),
    ]
    #expect(found == expected.map { MessageScanner.Message(kind: $0.0, text: $0.1) })
  }
}
