import Dispatch
import EngineProcess
import Glibc
import Playback
import PlayerClock
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer

/// An output that hangs when it is opened: a named pipe without a reader.
private final class HangingOutput: Sendable {
  private let path: String
  private let descriptor = Atomic<Int32>(-1)

  init(_ name: String, in directory: TemporaryDirectory) throws {
    path = directory.file(name)
    signal(SIGPIPE, SIG_IGN)
    try #require(unsafe mkfifo(path, 0o600) == 0)
  }

  deinit { Glibc.close(descriptor.load(ordering: .relaxed)) }

  var sink: String { "filesink location=\(path)" }

  /// Lets the call return.
  func open() { descriptor.store(unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), ordering: .relaxed) }
}

@Suite("Outputs that hang", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct OutputHangTests {
  private func configuration(_ sink: String) -> Player.Configuration {
    var configuration = Player.Configuration(audioSink: sink)
    configuration.pipelineTimeout = .milliseconds(100)
    return configuration
  }

  /// Runs `body` with an engine and its events; the argument plays a file through a sink, or through the present one.
  private func withEngine(
    sink: String = "fakesink sync=true",
    _ body: (DeckEngine, EventLog<EngineEvent>, _ play: (UInt64, String?) -> Void) async throws -> Void
  ) async throws {
    let uri = "file://" + (try await Media.sine(seconds: 5, format: .wav))
    let (engine, events) = (DeckEngine(configuration: configuration(sink)), EventLog<EngineEvent>())
    let present = Mutex<String?>(nil)
    engine.open(EngineClient { events.append($0) })
    try await body(engine, events) { number, sink in
      var settings = EngineSettings(configuration(sink ?? ""))
      settings.sink = sink ?? present.withLock(\.self)
      present.withLock { $0 = settings.sink }
      let stream = StreamToken(number: number)
      if number > 1 { engine.perform(.close(StreamToken(number: number - 1))) }
      engine.perform(.settings(settings))
      engine.perform(.open(StreamRequest(uri: uri, stream: stream)))
      engine.perform(.plan([PlannedPart(stream)]))
      engine.perform(.setPlaying(true))
    }
    engine.close()
    try await deadline(10, "closed") { await engine.closed() }
  }

  private func isReplaced(_ event: EngineEvent) -> Bool {
    if case .replaced = event { true } else { false }
  }

  @Test("An output that hangs is given up; a load for it fails until it returns, and one for another output plays")
  func another() async throws {
    try await withTemporaryDirectory { directory in
      let output = try HangingOutput("pipe", in: directory)
      try await withEngine { engine, events, play in
        play(1, output.sink)
        try await events.first("the output is given up", where: isReplaced)
        play(2, nil)
        try await events.first("the failure") { event in
          if case .output(.failed(let error)) = event { error.code == .output } else { false }
        }
        play(3, "fakesink sync=true")
        try await events.first("it plays") { if case .audible(StreamToken(number: 3), _) = $0 { true } else { false } }
        output.open()
      }
    }
  }

  @Test("An output that has samples and does not begin to play is reported, and one that is paused is not")
  func missedStart() async throws {
    try await withEngine(sink: "valve drop=true ! fakesink") { engine, events, play in
      play(1, nil)
      try await events.first("the missed start") { event in
        if case .stream(StreamToken(number: 1), .startMissed(position: Duration.zero)) = event { true } else { false }
      }
      let place = events.count
      engine.perform(.setPlaying(false))
      engine.perform(.setPlaying(true))
      engine.perform(.setPlaying(false))
      play(2, "fakesink sync=true")
      try await events.first("it plays") { if case .audible(StreamToken(number: 2), _) = $0 { true } else { false } }
      #expect(
        !events.elements.dropFirst(place).contains { if case .stream(_, .startMissed) = $0 { true } else { false } })
    }
  }

  @Test("An engine whose output hangs is closed")
  func closing() async throws {
    try await withTemporaryDirectory { directory in
      let output = try HangingOutput("pipe", in: directory)
      try await withEngine { _, events, play in
        play(1, output.sink)
        // It may or may not hang at this point.
        try await events.first("the output is made") { if case .output(.opened) = $0 { true } else { false } }
      }
      output.open()
    }
  }

  @Test("After eight outputs that hang at once, the engine waits, and continues once one of them returns")
  func limit() async throws {
    try await withTemporaryDirectory { directory in
      let outputs = try (1...9).map { try HangingOutput("pipe\($0)", in: directory) }
      try await withEngine { _, events, play in
        var place = 0
        for number in 1...8 {
          play(UInt64(number), outputs[number - 1].sink)
          place = try await events.first("output \(number) is given up", from: place, where: isReplaced).index + 1
        }
        play(9, outputs[8].sink)
        try await events.first("output 9 is made", from: place) {
          if case .output(.opened) = $0 { true } else { false }
        }
        // The calls of this watchdog follow the calls of the engine's watchdog, on the same queue.
        let (other, reports) = (PipelineWatchdog(queue: DispatchClock.queue), EventLog<Void>())
        _ = other.expect(within: .milliseconds(200)) {
          reports.append(())
          return reports.count == 2
        }
        try await reports.first("the second report", from: 1)
        withExtendedLifetime(other) {}
        #expect(!events.elements.dropFirst(place).contains(where: isReplaced))
        outputs[0].open()
        try await events.first("output 9 is given up", from: place, where: isReplaced)
        for output in outputs.dropFirst() { output.open() }
      }
    }
  }

  @Test(
    "The volume that a mixer has set holds after a hang of the sound server",
    .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "pulseaudio or pactl is not installed"))
  func mixerVolume() async throws {
    let item = Player.Item(uri: "file://" + (try await Media.sine(seconds: 60, format: .wav)))
    try await withPulseServer { server in
      let process = try #require(server.process).processID
      // With the usual time limit: a busy machine may take a second to open the output.
      let configuration = Player.Configuration(audioSink: "pulsesink server=\(server.address)")
      let player = Player(
        configuration: configuration, engine: DeckEngine(configuration: configuration), clock: DispatchClock(),
        observers: ObserverQueue())
      let events = player.events()
      func wait(_ expectation: String, until isMet: @escaping @Sendable (Player.Event) -> Bool) async throws {
        try await deadline(30, expectation) { for await event in events where isMet(event) { return } }
      }
      func pactl(_ arguments: String...) async throws -> String {
        let result = try await run(["pactl"] + arguments, environment: server.environment)
        try #require(result.succeeded, "\(result.error)")
        return result.output
      }
      func restart() {
        player.pause()
        player.play()
      }
      let heard = EventLog<Void>()
      let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(100)]) { _ in heard.append(()) }
      player.replaceQueue(with: [item])
      player.play()
      // The status changes to playing before the server has the stream.
      try await heard.first("it is heard", within: 30)
      observation.cancel()
      let stream = try #require(try await pactl("list", "short", "sink-inputs").split(separator: "\t").first)
      _ = try await pactl("set-sink-input-volume", String(stream), "25%")
      // The volume is read after a start.
      restart()
      try await wait("the volume of the mixer") { _ in player.volume < 0.5 }
      kill(process, SIGSTOP)
      restart()
      try await wait("the output is given up") { if case .outputFailed = $0 { true } else { false } }
      kill(process, SIGCONT)
      try await wait("it plays again") { if case .playbackResumed = $0 { true } else { false } }
      #expect(try await pactl("list", "sink-inputs").contains(" 25% "))
      await player.close()
    }
  }
}
