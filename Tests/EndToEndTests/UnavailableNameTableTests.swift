import FoundationEssentials
import TestSupport
import Testing

/// The names of Apple's modules that the libraries lack, which the compiler explains.
@Suite struct UnavailableNameTableTests {
  /// The libraries whose missing names a document lists.
  private static let modules = [
    (document: "docs/AVFAUDIO.md", modules: ["AVFAudio"]),
    (document: "docs/AVFOUNDATION.md", modules: ["AVFoundation", "AVKit", "CoreMedia"]),
    (document: "docs/MEDIAPLAYER.md", modules: ["MediaPlayer"]),
  ]

  @Test("The compiler reports the message of each missing name where code uses it")
  func messages() async throws {
    let names = try Self.modules.flatMap(\.modules).flatMap { try UnavailableName.list(of: $0) }
    #expect(names.count >= 400)
    #expect(Set(names.map(\.signature)).count == names.count, "a name is listed twice")
    // One run of the compiler for all. Each use is one line.
    let uses = names.enumerated().map { index, name in
      let parameter = name.type.isEmpty ? "" : "_ value: \(Self.parameter(name.type))"
      return "func use\(index)(\(parameter)) async throws {\n_ = \(name.use)\n}\n"
    }
    let head = "import AVKit\nimport MediaPlayer\nfunc make<T>(_ type: T.Type) -> T { preconditionFailure() }\n"
    let log = try await withTemporaryDirectory { directory in
      let file = directory.file("Uses.swift")
      try (head + uses.joined()).write(toFile: file, atomically: true, encoding: .utf8)
      let options = try await SymbolGraph.importOptions() + ["-suppress-warnings", "-diagnostic-style", "llvm"]
      return try await run(["swiftc", "-typecheck"] + options + [file], within: 120).error
    }
    let errors = Dictionary(grouping: log.matches(of: #/Uses\.swift:(\d+):\d+: error: (.*)/#)) { Int($0.output.1) ?? 0 }
    for (index, name) in names.enumerated() {
      let reported = (errors[5 + 3 * index] ?? []).map { String($0.output.2) }
      #expect(
        reported.contains { $0.hasSuffix("is unavailable: \(name.message)") }, "\(name.signature): \(reported)")
    }
  }

  /// Only a protocol has `any` as the type of a parameter.
  private static func parameter(_ type: String) -> String {
    ["AVKeyValueObserving", "AVAudioPlayerDelegate"].contains(type) ? "any \(type)" : type
  }

  @Test("A document lists the missing names with their messages", arguments: Self.modules)
  func documents(document: String, modules: [String]) async throws {
    var declared: Set<String> = []
    for module in modules {
      let symbols = try await SymbolGraph.symbols(of: module)
      declared.formUnion(symbols.map { $0.pathComponents.joined(separator: ".") })
    }
    // The codes of errors are also members of the error.
    let names = try modules.flatMap { try UnavailableName.list(of: $0) }.filter { $0.type != "AVError.Code" }
    var rows: [(message: String, names: [String])] = []
    for name in names {
      let text = "`\(declared.contains(name.name) ? name.signature : name.name)`"
      if let index = rows.firstIndex(where: { $0.message == name.message }) {
        rows[index].names.append(text)
      } else {
        rows.append((name.message, [text]))
      }
    }
    let head = GeneratedTable.row(["member", "what to do"]) + "|---|---|\n"
    let table = rows.map { GeneratedTable.row([$0.names.joined(separator: ", "), $0.message]) }.joined()
    try GeneratedTable("missing", in: document).expect("\n" + head + table + "\n")
  }
}
