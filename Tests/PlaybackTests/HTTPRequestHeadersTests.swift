import Testing

@testable import Playback

@Suite("HTTP headers of an item")
struct HTTPRequestHeadersTests {
  /// A malformed field, and the error for it.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String { message }
    var fields: [String: String] = [:]
    var userAgent: String?
    var message: String

    static let all = [
      Refusal(fields: ["": "a"], message: #"header "": the name is not a token of RFC 9110"#),
      Refusal(fields: ["X Y": "a"], message: #"header "X Y": the name is not a token of RFC 9110"#),
      Refusal(fields: ["X:": "a"], message: #"header "X:": the name is not a token of RFC 9110"#),
      Refusal(fields: ["X\r\nY": "a"], message: #"header "X\r\nY": the name is not a token of RFC 9110"#),
      Refusal(fields: ["Ünit": "a"], message: #"header "Ünit": the name is not a token of RFC 9110"#),
      Refusal(fields: ["X": "a\r\nHost: b"], message: #"header "X": the value contains a control character"#),
      Refusal(fields: ["X": "a\nb"], message: #"header "X": the value contains a control character"#),
      Refusal(fields: ["X": "a\u{0}"], message: #"header "X": the value contains a control character"#),
      Refusal(fields: ["X": "a\u{7F}"], message: #"header "X": the value contains a control character"#),
      Refusal(fields: ["X": " a"], message: #"header "X": the value begins or ends with a space"#),
      Refusal(fields: ["X": "a\t"], message: #"header "X": the value begins or ends with a space"#),
      Refusal(fields: ["X-A": "a", "x-a": "b"], message: #"header "x-a": the name occurs twice"#),
      Refusal(fields: ["range": "bytes=0-"], message: #"header "range": the player sets this field"#),
      Refusal(fields: ["User-Agent": "a"], message: #"header "User-Agent": the player sets this field"#),
      Refusal(userAgent: "a\r\nb", message: #"header "User-Agent": the value contains a control character"#),
    ]
  }

  @Test("A malformed, repeated or reserved header is rejected, and the error names it", arguments: Refusal.all)
  func refusal(refusal: Refusal) throws {
    let error = #expect(throws: PlayerError.self) {
      try HTTPRequestHeaders(refusal.fields, userAgent: refusal.userAgent)
    }
    #expect(error == PlayerError(code: .invalidArgument, message: refusal.message))
  }

  @Test("Accepts every token as a name, and text with tabs and an empty text as values")
  func accepted() throws {
    let fields = ["X!#$%&'*+-.^_`|~09": "a\tb ü", "Authorization": "Bearer x", "Empty": ""]
    let headers = try HTTPRequestHeaders(fields, userAgent: "Radio/1.0 (Linux)")
    #expect(headers.fields == fields)
    #expect(headers.userAgent == "Radio/1.0 (Linux)")
    let item = Player.Item(uri: "http://a/", httpHeaders: headers)
    #expect(item.httpHeaders == headers)
    #expect(Player.Item(uri: "http://a/").httpHeaders == nil)
  }

  @Test("Each item and each successor is opened with its own headers")
  func commands() throws {
    let first = try HTTPRequestHeaders(["X-A": "1"])
    let third = try HTTPRequestHeaders([:], userAgent: "third")
    let items = [
      Player.Item(uri: "http://a/", httpHeaders: first), Player.Item(uri: "http://b/"),
      Player.Item(uri: "http://c/", httpHeaders: third),
    ]
    var bench = MachineHarness()
    bench.decide(.replaceQueue(items))
    bench.start()
    #expect(
      bench.effects.engineCommands.contains(.open(StreamRequest(uri: "http://a/", stream: bench.token, headers: first)))
    )
    #expect(bench.effects.loads == ["http://a/", "http://b/"])
    #expect(bench.effects.opened.last?.headers == nil)
    _ = bench.next()
    #expect(bench.lastEffects.engineCommands.contains(.open(StreamRequest(uri: "http://b/", stream: bench.token))))
    bench.settle()
    bench.run()
    #expect(bench.effects.opened.last?.uri == "http://c/" && bench.effects.opened.last?.headers == third)
  }
}
