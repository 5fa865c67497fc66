import FoundationEssentials
import Glibc
import Joining
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("Limits of what an engine process reports") struct ReportLimitTests {
  /// Returns a text of ASCII characters.
  private func text(_ count: Int) -> String { String(repeating: "t", count: count) }

  @Test("Texts and lists of events beyond the limits are cut, and shorter ones are kept")
  func texts() throws {
    var tags = MediaMetadata()
    tags.title = text(33 << 20)
    tags.lyrics = text(100_000)
    tags.album = "Album"
    tags.artists = Array(repeating: text(1_000), count: 10_000)
    tags.genres = Array(repeating: "g", count: 10_000)
    func limited(_ event: StreamEvent) -> StreamEvent? {
      if case .event(let event) = DeckReport.event(event).limited { event } else { nil }
    }
    if case .tags(let kept, _) = try #require(limited(.tags(tags, about: .item))) {
      #expect(kept.title?.utf8.count == (64 << 10) - 3 && kept.lyrics == tags.lyrics && kept.album == "Album")
      #expect(kept.artists.count == 66 && kept.genres.count == 256)
    }
    tags.lyrics = text(2 << 20)
    let frames = (0..<1_000).map { ID3Metadata.Frame(id: "PRIV", bytes: [UInt8](repeating: 0, count: $0)) }
    let tag = ID3Metadata(fields: tags, frames: frames)
    if case .timedTag(let kept, _) = try #require(limited(.timedTag(tag, at: .zero))) {
      #expect(kept.fields.lyrics?.utf8.count == (1 << 20) - 3 && kept.frames == Array(frames.prefix(256)))
    }
    let large = ID3Metadata(fields: tags, frames: [.init(id: "GEOB", bytes: [UInt8](repeating: 0, count: 1 << 20))])
    if case .timedTag(let kept, _) = try #require(limited(.timedTag(large, at: .zero))) {
      #expect(kept.frames.isEmpty)
    }
    let chapters = Array(repeating: Chapter(start: .zero, title: text(5_000)), count: 10_002)
    if case .chapters(let kept) = try #require(limited(.chapters(chapters))) {
      #expect(kept.count == Chapter.readLimit && kept.allSatisfy { $0.title?.utf8.count == (1 << 10) - 3 })
    }
    var track = AudioTrack()
    track.title = text(5_000)
    let tracks = StreamEvent.audioTracks(Array(repeating: track, count: 600), current: 599)
    if case .audioTracks(let kept, let current) = try #require(limited(tracks)) {
      #expect(kept.count == 512 && current == 511 && kept.allSatisfy { $0.title?.utf8.count == 4_093 })
    }
    let error = PlayerError(code: .corrupt, message: text(5_000), detail: text(5_000))
    var failure: PlayerError?
    if case .event(.failed(let error)) = OutputReport.event(.failed(error)).limited { failure = error }
    for case .failed(let kept)? in [limited(.failed(error)), failure.map { .failed($0) }] {
      #expect(kept.code == .corrupt && kept.message.utf8.count == 4_093 && kept.detail.utf8.count == 4_093)
    }
    #expect(failure != nil)
    for report in [OutputReport.event(.inUse(text(5_000))), .event(.removed(text(5_000))), .warning(text(5_000))] {
      switch report.limited {
      case .event(.inUse(let kept)), .event(.removed(let kept)), .warning(let kept): #expect(kept.utf8.count == 4_093)
      default: Issue.record("another report")
      }
    }
    if case .abandoned(let kept) = DeckReport.abandoned(text(5_000)).limited {
      #expect(kept.utf8.count == 4_093)
    } else {
      Issue.record("another report")
    }
    if case .titleStarts(let kept, _) = try #require(limited(.titleStarts(text(100_000), at: .zero))) {
      #expect(kept.utf8.count == (64 << 10) - 3)
    }
    for report in Samples.deckReports {
      #expect(try WireEncoder.encode(report.limited) == WireEncoder.encode(report))
    }
    for report in Samples.outputReports {
      #expect(try WireEncoder.encode(report.limited) == WireEncoder.encode(report))
    }
    #expect("ä".limited(to: 1) == "" && "aäß".limited(to: 4) == "a" && "äö".limited(to: 4) == "äö")
  }

  @Test("Reports of streams that the process was not given are ignored, and further warnings are left out")
  func events() async throws {
    try await withTemporaryDirectory { directory in
      let (given, other) = (StreamToken(number: 7), StreamToken(number: 8))
      let error = PlayerError(code: .corrupt, message: "forged")
      let failure = PlayerError(code: .corrupt, message: String(repeating: "x", count: 5_000))
      let messages: [(name: String, EngineReport)] = [
        ("forged", .deck(other, .event(.failed(error)))),
        ("settled", .deck(other, .event(.settled(Samples.facts)))),
        ("warning", .deck(given, .warning(String(repeating: "w", count: 5_000)))),
        ("failed", .deck(given, .event(.failed(failure)))), ("end", .deck(given, .event(.durationChanged(nil)))),
      ]
      let answer =
        "for name in forged settled $(yes warning | head -n \(LogLimit.count + 20)) failed end; do cat $name >&3; done"
      let (engine, events) = try await Self.engine(sending: messages, by: answer, in: directory)
      engine.perform(.open(StreamRequest(uri: "file:///a.flac", stream: given)))
      // The other stream is in the other process with decks.
      engine.perform(.open(StreamRequest(uri: "http://a.example/", stream: other)))
      try await events.first("the end", within: 60) {
        if case .stream(given, .durationChanged) = $0 { true } else { false }
      }
      let warnings = events.elements.compactMap {
        if case .warning(let text, given) = $0 { text } else { String?.none }
      }
      #expect(warnings == Array(repeating: String(repeating: "w", count: 4_093), count: LogLimit.count))
      let failures = events.elements.compactMap { event -> String? in
        guard case .stream(given, .failed(let error)) = event else { return nil }
        return error.message
      }
      #expect(failures == [String(repeating: "x", count: 4_093)])
      #expect(!events.elements.contains { $0.stream == other })
      engine.close()
      await engine.closed()
    }
  }

  /// Makes an engine whose processes send prepared messages, and a log of its events.
  ///
  /// Each process reports its start, and runs the line of a shell for each message that names `a.flac`.
  private static func engine(
    sending messages: [(name: String, EngineReport)], by line: String, in directory: TemporaryDirectory
  ) async throws -> (ProcessEngine, EventLog<EngineEvent>) {
    for (name, message) in [("started", .started(sandbox: nil))] + messages {
      try directory.write(try EngineProtocol.encode(message), to: name)
    }
    let script = try directory.write(
      """
      #!/bin/bash
      cd '\(directory.path)' || exit 1
      cat started >&3
      while dd bs=65536 count=1 of="packet.$$" <&3 2>/dev/null && [ -s "packet.$$" ]; do
        grep -aq close "packet.$$" && exit 0
        grep -aq a.flac "packet.$$" || continue
        \(line)
      done
      """, to: "program.txt")
    let program = directory.file("program.sh")
    #expect(try await run(["install", "-m", "755", script, program]).succeeded)
    var configuration = Player.Configuration(audioSink: "fakesink", loadTimeout: .seconds(60))
    configuration.engine = .process(at: program)
    configuration.engine.answerTime = .seconds(60)
    let engine = ProcessEngine(configuration: configuration)
    let events = EventLog<EngineEvent>()
    engine.open(EngineClient { events.append($0) })
    return (engine, events)
  }

  @Test("A process that continues to use the processor after a deck was given up is ended", arguments: [true, false])
  func abandonedDeck(loops: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let stream = StreamToken(number: 7)
      let messages: [(name: String, EngineReport)] = [
        ("abandoned", .deck(stream, .abandoned("it hangs"))),
        ("later", .deck(stream, .event(.durationChanged(nil)))),
      ]
      let line = "cat abandoned >&3; \(loops ? "while :; do :; done" : "read -t 6 < <(sleep 7)"); cat later >&3"
      let (engine, events) = try await Self.engine(sending: messages, by: line, in: directory)
      engine.perform(.open(StreamRequest(uri: "file:///a.flac", stream: stream)))
      let reason = "the decoding process ended: a part of it that was given up uses the processor"
      try await events.first("its end, or a later report", within: 60) { event in
        switch event {
        case .stream(stream, .interrupted(let text)): loops && text == reason
        case .stream(stream, .durationChanged): !loops
        default: false
        }
      }
      engine.close()
      await engine.closed()
    }
  }

  @Test("A process with decks that reports for the output is ended", arguments: [0, 1, 2])
  func forgedRole(index: Int) async throws {
    let forged: [EngineReport] = [
      .output(.event(.volumeChanged(volume: 10, isMuted: false))), .outputHangs,
      .ringFault(StreamToken(number: 7), "seek 1"),
    ]
    try await withTemporaryDirectory { directory in
      let messages = [(name: "forged", forged[index])]
      let (engine, events) = try await Self.engine(sending: messages, by: "cat forged >&3", in: directory)
      engine.perform(.open(StreamRequest(uri: "file:///a.flac", stream: StreamToken(number: 7))))
      let warning = try await events.first("the end", within: 60) { event in
        switch event {
        case .warning, .output, .replaced, .stream(_, .interrupted): true
        default: false
        }
      }.element
      guard case .stream(StreamToken(number: 7), .interrupted(let text)) = warning else {
        Issue.record("\(warning)")
        return
      }
      #expect(text == "the decoding process ended: it sent an invalid message: a message of the output")
      engine.close()
      await engine.closed()
    }
  }
}
