import Playback
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

@Suite("The output of a resolver") struct ResolverOutputTests {
  private func read(_ text: String) throws(CommandRun.Failure) -> ResolverOutput {
    try ResolverOutput(Array(text.utf8))
  }

  private func failure(_ text: String) -> String? {
    do throws(CommandRun.Failure) {
      _ = try read(text)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("An object is a track: its URI, headers, title, artist, picture, length and expiry")
  func track() throws {
    let output = try read(
      #"""
      {"id": "x", "url": "https://media.example/a?sig=1", "title": "A\u0007title", "uploader": "Somebody",
       "thumbnail": "https://img.example/a.jpg", "duration": 61.5, "expires": 1700000000,
       "webpage_url": "https://video.example/watch?v=x", "formats": [{"url": "https://media.example/b"}],
       "http_headers": {"User-Agent": "Agent/1", "Accept": "*/*", "Accept-Encoding": "gzip, deflate"}}
      """#)
    var metadata = Player.Item.ExternalMetadata()
    (metadata.title, metadata.artist, metadata.image) = ("A title", "Somebody", "https://img.example/a.jpg")
    metadata.duration = .milliseconds(61_500)
    let media = ResolverOutput.Media(
      uri: "https://media.example/a?sig=1", headers: try HTTPRequestHeaders(["Accept": "*/*"], userAgent: "Agent/1"),
      expiry: 1_700_000_000)
    #expect(output.entries == [ResolverOutput.Entry(address: nil, metadata: metadata, media: media)])
    #expect(!output.isList)
  }

  @Test("Several lines, and a list of entries also in another one, are a playlist")
  func lists() throws {
    let lines = try read(
      """
      {"url": "https://media.example/1", "webpage_url": "https://video.example/1", "title": "One"}

      {"url": "https://media.example/2", "webpage_url": "https://video.example/2"}
      """)
    #expect(lines.isList && lines.entries.map(\.address) == ["https://video.example/1", "https://video.example/2"])
    #expect(lines.entries.map { $0.media?.uri } == ["https://media.example/1", "https://media.example/2"])
    // Without --flat-playlist, yt-dlp writes null for a video that cannot be read.
    let tree = try read(
      #"""
      {"_type": "playlist", "title": "All", "entries": [null,
       {"_type": "url", "url": "https://video.example/1", "title": "One"},
       {"entries": [{"_type": "url", "url": "https://video.example/2", "webpage_url": "https://video.example/watch/2"}]},
       {"title": "nowhere"}]}
      """#)
    #expect(tree.isList && tree.rejections == ["an entry has no “url”"])
    #expect(tree.entries.map(\.address) == ["https://video.example/1", "https://video.example/watch/2"])
    #expect(tree.entries.allSatisfy { $0.media == nil } && tree.entries.first?.metadata?.title == "One")
  }

  @Test(
    "Output that cannot be used is a failure with its reason",
    arguments: [
      ("", "its output is empty"), ("no JSON", "its output is not a JSON object on each line"),
      ("[]", "its output is not a JSON object on each line"), (#"{"title": "x"}"#, "its output has no “url”"),
      (#"{"url": "file:///etc/passwd"}"#, "“file:///etc/passwd” is not an http or https URI"),
      (#"{"url": "rtsp://a/b"}"#, "“rtsp://a/b” is not an http or https URI"),
      (#"{"url": "-o/tmp/x"}"#, "“-o/tmp/x” is not an absolute URI"),
      (#"{"url": "http://a/b\r\nX: y"}"#, "“http://a/b  X: y” is not an absolute URI"),
      (
        #"{"url": "http://a/b", "http_headers": {"X": "1\r\nCookie: 2"}}"#,
        #"header "X": the value contains a control character"#
      ),
      (
        #"{"url": "http://a/b", "http_headers": {"X\r\nY": "1"}}"#,
        #"header "X\r\nY": the name is not a token of RFC 9110"#
      ),
      (
        #"{"url": "http://a/b", "http_headers": {"User-Agent": "1\nX: 2"}}"#,
        #"header "User-Agent": the value contains a control character"#
      ),
      (#"{"url": "http://a/b", "http_headers": {"Host": "c"}}"#, #"header "Host": the player sets this field"#),
      (#"{"url": "http://a/b", "http_headers": {"X": 1}}"#, "its output is not a JSON object on each line"),
    ])
  func refused(text: String, reason: String) { #expect(failure(text) == reason) }

  @Test("Too long URIs and headers are refused, and too many entries are left out")
  func limits() throws {
    let long = String(repeating: "a", count: 17_000)
    #expect(failure(#"{"url": "http://a/\#(long)"}"#)?.hasSuffix("is not an absolute URI") == true)
    #expect(failure(#"{"url": "http://a/b", "http_headers": {"X": "\#(long)"}}"#) == "its headers are too long")
    let entry = #"{"url": "http://a/b"}"#
    let list = Array(repeating: entry, count: ResolverOutput.entryLimit + 1).joined(separator: ",")
    let output = try read(#"{"entries": [\#(list)]}"#)
    #expect(output.entries.count == ResolverOutput.entryLimit && output.isCut)
    let deep = String(repeating: #"{"entries": ["#, count: 6) + entry + String(repeating: "]}", count: 6)
    #expect(try read(deep).rejections == ["lists are nested too deeply"])
  }

  @Test("A picture that is not on a web server, and descriptions of other types, are left out")
  func descriptions() throws {
    let output = try read(
      #"{"url": "http://a/b", "title": 5, "thumbnail": "file:///etc/passwd", "duration": "long", "expires": null}"#)
    #expect(output.entries.first?.metadata == nil && output.entries.first?.media?.expiry == nil)
  }

  @Test("An address is resolved by its host, a subdomain or its scheme")
  func rules() {
    let cases: [(String, String, Bool)] = [
      ("youtube.com", "https://youtube.com/a", true), ("YouTube.com", "HTTPS://WWW.YOUTUBE.COM:443/a", true),
      ("youtube.com", "https://user@m.youtube.com?x", true), ("youtube.com", "https://notyoutube.com/a", false),
      ("youtube.com", "https://youtube.com.example/a", false), ("youtube.com", "https://a/youtube.com", false),
      ("youtube.com", "rtsp://youtube.com/a", false), ("youtube.com", "/music/youtube.com", false),
      ("youtube.com.", "https://youtube.com/a", true), ("youtube.com", "https://www.youtube.com./a", true),
      ("ytdl:", "ytdl://abc", true), ("YTDL://", "Ytdl://abc", true), ("ytdl:", "https://ytdl/a", false),
    ]
    for (rule, address, matches) in cases {
      #expect(ResolverRule(rule)?.matches(address) == matches, "\(rule) \(address)")
    }
    for text in ["", ":", "file:", "https:", "a b", "a/b", "-o", ".com", "ytdl:x"] {
      #expect(ResolverRule(text) == nil, "\(text)")
    }
  }

  @Test("The scheme of a resolver may be opened, but not named by a server")
  func policy() {
    var configuration = Configuration()
    configuration.resolverFor = ["ytdl:", "youtube.com"]
    #expect(configuration.uriPolicy.objection(to: "ytdl://a") != nil && !configuration.resolves("ytdl://a"))
    configuration.resolver = ["yt-dlp"]
    let policy = configuration.uriPolicy
    #expect(policy.objection(to: "ytdl://a") == nil && policy.refusal(of: "ytdl://a") == nil)
    #expect(policy.serverSchemes == ["http", "https"])
    #expect(configuration.resolves("ytdl://a") && configuration.resolves("https://www.youtube.com/a"))
  }
}
