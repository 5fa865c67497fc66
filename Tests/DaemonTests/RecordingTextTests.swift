import FoundationEssentials
import Playback
import Synchronization
import Testing

@testable import PlayerdClient
@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

/// Tests of the lines of a report, and of the names in them.
@Suite("Texts of a report") struct RecordingTextTests {
  /// An engine that a test reports events of.
  private final class Engine: PlaybackEngine {
    let client = Mutex<EngineClient?>(nil)
    func open(_ client: EngineClient) { self.client.withLock { $0 = client } }
    func perform(_ command: EngineCommand) {}
    func progress(of stream: StreamToken) -> StreamProgress? { nil }
    func close() {}
    func closed() async {}
    func report(_ event: EngineEvent) { client.withLock { $0 }?.report(event) }
  }

  private struct Clock: PlaybackClock {
    var now: MonotonicTime { MonotonicTime(nanoseconds: 1_000_000_000) }
    func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) {}
    func run(_ body: @escaping @Sendable () -> Void) {}
  }

  private struct Executor: ObserverExecutor {
    func run(_ body: @escaping @Sendable () -> Void) { body() }
  }

  /// Records a player whose inputs have names in each field that can contain one.
  private static func recording() throws -> PlaybackRecording {
    let engine = Engine()
    var configuration = Player.Configuration(audioSink: "shout2send password=Secret1", preferredAudioLanguages: ["de"])
    configuration.recordsInputs = true
    let player = Player(configuration: configuration, engine: engine, clock: Clock(), observers: Executor())
    let headers = try HTTPRequestHeaders(["Authorization": "Secret2"], userAgent: "Secret3")
    player.replaceQueue(with: [
      Player.Item(uri: "https://user:Secret4@example.org/Secret5", httpHeaders: headers),
      Player.Item(uri: "file:///Secret5"),
    ])
    player.loop = .playlist
    player.play()
    let stream = StreamToken(number: 1)
    var tags = MediaMetadata()
    (tags.title, tags.artists, tags.audioCodec) = ("Name1", ["Name2"], "FLAC")
    // The media may put any text where a term is expected.
    tags.containerFormat = "Name9=x"
    var track = AudioTrack()
    (track.title, track.language) = ("Name3", "de")
    var other = AudioTrack()
    other.codec = "Name9 " + String(repeating: "x", count: 48)
    other.language = "Name9 of a user"
    for event: EngineEvent in [
      .stream(stream, .settled(StreamFacts(duration: .seconds(60)))), .stream(stream, .tags(tags, about: .item)),
      .stream(stream, .chapters([Chapter(start: .zero, title: "Name1")])),
      .stream(stream, .audioTracks([track, other], current: 0)),
      .stream(stream, .redirected(to: "https://user:Secret4@example.org/Name4?a=Secret7")),
      .stream(stream, .titleStarts("Name5", at: .zero)),
      .output(.inUse("Name6")), .warning("Name7"),
      .stream(stream, .failed(PlayerError(code: .notFound, message: "Name8", detail: "Secret6"))),
    ] { engine.report(event) }
    return try #require(player.recording)
  }

  private static func replayed(_ lines: [String]) throws -> [Bool] {
    var replay = PlaybackReplay(
      try JSONDecoder().decode(RecordedState.self, from: Data(try #require(lines.first).utf8)))
    return try lines.dropFirst().map { line in
      replay.perform(try JSONDecoder().decode(RecordedInput.self, from: Data(line.utf8))).isAsRecorded
    }
  }

  @Test("Without names, lines contain only terms, and a replay of them has the recorded states")
  func withoutNames() throws {
    let lines = RecordingText.lines(of: try Self.recording(), withNames: false)
    #expect(lines.count == 13)
    for line in lines {
      #expect(!line.contains("Secret") && !line.contains("Name") && !line.contains("example"), "\(line)")
    }
    for term in ["FLAC", #""language":"de""#, "not-found", #""setLoop":{"_0":"playlist"}"#, #""scheme":"https""#] {
      #expect(lines.contains { $0.contains(term) }, "\(term)")
    }
    #expect(try Self.replayed(lines).allSatisfy { $0 })
  }

  @Test("With names, lines contain tags, but no passwords or headers")
  func withNames() throws {
    let lines = RecordingText.lines(of: try Self.recording(), withNames: true)
    for name in 1...8 { #expect(lines.contains { $0.contains("Name\(name)") }, "Name\(name)") }
    #expect(!lines.contains { $0.contains("Secret") })
    #expect(lines.contains { $0.contains("https://example.org/Name4?a=…") })
    #expect(try Self.replayed(lines).allSatisfy { $0 })
  }

  @Test("The same text has the same number, and another text has another")
  func numbers() throws {
    let lines = RecordingText.lines(of: try Self.recording(), withNames: false).dropFirst()
    let tags = try #require(lines.first { $0.contains("\"tags\"") })
    let chapters = try #require(lines.first { $0.contains("\"chapters\"") })
    let titles = [tags, chapters].map { $0.firstMatch(of: #/"title":"(text-[0-9a-f]+)"/#)?.1 }
    #expect(titles[0] != nil && titles[0] == titles[1])
    #expect(tags.firstMatch(of: #/"artists":\["(text-[0-9a-f]+)"/#)?.1 != titles[0])
  }

  @Test("A report contains the configured values without folders, devices and passwords")
  func configuration() throws {
    var sources = ConfigurationSources()
    try sources.add(options: [
      "volume": .number(50), "audio-sink": .text("shout2send password=Secret"), "audio-device": .text("Secret"),
      "playlists-directory": .text("/Secret"), "on-track": .list(["curl", "Secret", "https://u:Secret@h/?k=Secret"]),
      "user-agent": .text("Secret"), "loop": .text("track"), "shuffle": .boolean(true),
    ])
    let lines = sources.lines(withNames: false)
    #expect(lines.contains("volume = 50") && lines.count == 8)
    #expect(lines.contains(#"loop = "track""#) && lines.contains("shuffle = true"))
    #expect(
      lines.contains("on-track = … (a list of 3 texts)") && lines.contains("user-agent = … (a text of 6 characters)"))
    #expect(lines.contains("audio-sink = … (a text of 26 characters), beginning with shout2send"))
    #expect(!lines.contains { $0.contains("Secret") })
    #expect(sources.lines(withNames: true).contains(#"audio-device = "Secret""#))
    let named = sources.lines(withNames: true).filter { !$0.hasPrefix("audio-device") && !$0.hasPrefix("playlists") }
    #expect(!named.contains { $0.contains("password") || $0.contains("Secret") || $0.contains("curl") })
  }

  @Test("A JSON value is the same after it was decoded and encoded")
  func tree() throws {
    let text = #"{"a":[1,-2,2.5,18446744073709551615,true,null,"x"],"b":{"_0":{"c":"y"}}}"#
    let tree = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(jsonLine(encoding: tree) == text)
    var keys: [String] = []
    _ = tree.mapTexts { key, text in
      keys.append("\(key)=\(text)")
      return text
    }
    #expect(Set(keys) == ["a=x", "c=y"])
  }
}
