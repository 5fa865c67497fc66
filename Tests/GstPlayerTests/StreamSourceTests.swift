import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite(
  "Sources of adaptive streams", .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
struct StreamSourceTests {
  /// The element of a playlist that names a URI.
  enum Element: String, CaseIterable, CustomTestStringConvertible {
    case firstSegment, laterSegment, variant, rendition, key, initialization, dashSegment, dashInitialization
    var testDescription: String { rawValue }
    /// The path of the playlist.
    var path: String { self == .dashSegment || self == .dashInitialization ? "/list.mpd" : "/master.m3u8" }

    /// Returns the playlists by their paths, with a URI in this element.
    func playlists(naming uri: String) -> [(path: String, lines: [String])] {
      let master = ("/master.m3u8", ["#EXT-X-STREAM-INF:BANDWIDTH=64000", "list.m3u8"])
      let head = ["#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2"]
      let segments = ["#EXTINF:1,", "0.mp3", "#EXTINF:1,", "1.mp3"]
      let end = ["#EXTINF:1,", "2.mp3", "#EXT-X-ENDLIST"]
      switch self {
      case .firstSegment: return [master, ("/list.m3u8", head + ["#EXTINF:1,", uri] + end)]
      case .laterSegment: return [master, ("/list.m3u8", head + segments + ["#EXTINF:1,", uri] + end)]
      case .variant: return [("/master.m3u8", ["#EXT-X-STREAM-INF:BANDWIDTH=64000", uri])]
      case .rendition:
        return [
          (
            "/master.m3u8",
            [
              #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,AUTOSELECT=YES,URI="\#(uri)""#,
              #"#EXT-X-STREAM-INF:BANDWIDTH=64000,AUDIO="a""#, "list.m3u8",
            ]
          ), ("/list.m3u8", head + segments + end),
        ]
      case .key:
        return [master, ("/list.m3u8", head + [#"#EXT-X-KEY:METHOD=AES-128,URI="\#(uri)""#] + segments + end)]
      case .initialization: return [master, ("/list.m3u8", head + [#"#EXT-X-MAP:URI="\#(uri)""#] + segments + end)]
      case .dashSegment: return [("/list.mpd", Self.dash(initialization: "init.mp4", segment: uri))]
      case .dashInitialization: return [("/list.mpd", Self.dash(initialization: uri, segment: "1.mp4"))]
      }
    }

    private static func dash(initialization: String, segment: String) -> [String] {
      [
        #"<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" minBufferTime="PT1S""#,
        #" profiles="urn:mpeg:dash:profile:isoff-main:2011" mediaPresentationDuration="PT3S">"#,
        // GStreamer takes a shorter document for a text file.
        "<!--\(String(repeating: " ", count: 4_096))--><Period>",
        #"<AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="64000" codecs="mp4a.40.2">"#,
        #"<SegmentList duration="1"><Initialization sourceURL="\#(initialization)"/>"#,
        #"<SegmentURL media="\#(segment)"/><SegmentURL media="next.mp4"/></SegmentList>"#,
        "</Representation></AdaptationSet></Period></MPD>",
      ]
    }
  }

  /// Serves the segments, and the playlists with a URI in an element; returns the URI of the first playlist.
  private static func serve(_ element: Element, naming uri: String, on server: HTTPServer) async throws -> String {
    _ = try await LiveStreaming.serve(seconds: 3, segments: 3, on: server)
    server.script("/init.mp4", .bytes([0, 0, 0, 16] + Array("ftypmp42".utf8) + [0, 0, 0, 0], type: "audio/mp4"))
    for (path, lines) in element.playlists(naming: uri) {
      let isHLS = path.hasSuffix(".m3u8")
      let text = ((isHLS ? ["#EXTM3U"] : []) + lines + [""]).joined(separator: "\n")
      server.script(
        path, .bytes(Array(text.utf8), type: isHLS ? "application/vnd.apple.mpegurl" : "application/dash+xml"))
    }
    return server.origin + element.path
  }

  /// Plays a stream that names a URI; returns the errors, and the requested paths.
  private static func play(_ element: Element, naming uri: String) async throws -> (
    errors: [PlayerError], paths: Set<String>
  ) {
    try await withHTTPServer { server in
      let stream = try await serve(element, naming: uri, on: server)
      var errors: [PlayerError] = []
      try await withPlayer([stream]) { harness in
        try await harness.playToEnd()
        errors = harness.events.elements.compactMap { if case .itemFailed(_, let error) = $0 { error } else { nil } }
      }
      let paths = server.events.elements.compactMap { event -> String? in
        if case .requested(let path, _) = event { path } else { nil }
      }
      return (errors, Set(paths))
    }
  }

  @Test(
    "A file that a server names is not opened, and the server cannot find out whether it exists",
    arguments: Element.allCases)
  func file(element: Element) async throws {
    let path = try await Media.sine(seconds: 1, format: .mp3)
    let existing = try await Self.play(element, naming: fileURI(path))
    let missing = try await Self.play(element, naming: fileURI(path + ".missing"))
    #expect(existing.errors.map(\.code) == [.permissionDenied])
    #expect(existing.errors.first?.message.contains("“file”") == true, "\(existing.errors)")
    #expect(existing.errors.map(\.description) == missing.errors.map(\.description))
    #expect(existing.paths == missing.paths)
  }

  @Test(
    "A source of this machine that a server names is not opened",
    arguments: ["pushfile:///dev/null", "fd://0", "multifile:///dev/null", "resource:///a", "FILE:///dev/null"])
  func device(uri: String) async throws {
    for element in [Element.firstSegment, .variant] {
      let errors = try await Self.play(element, naming: uri).errors
      #expect(errors.map(\.code) == [.permissionDenied], "\(errors)")
    }
  }

  @Test(
    "An inspection of a stream that names a file fails with the same error",
    arguments: [Element.firstSegment, .variant])
  func inspection(element: Element) async throws {
    try await withHTTPServer { server in
      let path = try await Media.sine(seconds: 1, format: .mp3)
      let uri = try await Self.serve(element, naming: fileURI(path), on: server)
      let error = try #require(await #expect(throws: PlayerError.self) { try await MediaInspector().inspect(uri) })
      #expect(error.code == .permissionDenied, "\(error)")
    }
  }

  @Test("A local playlist plays its local segments")
  func local() async throws {
    try await withTemporaryDirectory { directory in
      let frames = LiveStreaming.frames(
        of: Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1, format: .mp3)))))
      try Data(frames.joined()).write(to: URL(filePath: directory.file("0.mp3")))
      _ = try directory.write(
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n0.mp3\n#EXT-X-ENDLIST\n", to: "list.m3u8")
      let master = try directory.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nlist.m3u8\n", to: "master.m3u8")
      try await withPlayer([fileURI(master)]) { harness in
        try await harness.playToEnd()
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
      }
    }
  }

  @Test("The playlist of a server that a local playlist names cannot name a file")
  func mixed() async throws {
    let path = try await Media.sine(seconds: 1, format: .mp3)
    try await withHTTPServer { server in
      _ = try await Self.serve(.firstSegment, naming: fileURI(path), on: server)
      try await withTemporaryDirectory { directory in
        let master = try directory.write(
          "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n\(server.origin)/list.m3u8\n", to: "master.m3u8")
        try await withPlayer([fileURI(master)]) { harness in
          try await harness.playToEnd()
          #expect(harness.failures.map(\.code) == [.permissionDenied])
        }
      }
    }
  }
}
