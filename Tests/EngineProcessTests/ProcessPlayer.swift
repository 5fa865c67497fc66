import CLinux
import FoundationEssentials
import Glibc
import PlayerClock
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer
@testable import Playback

/// A player with real engine processes, and a record of its events; another program may measure the loudness.
final class ProcessPlayer: Sendable {
  let player: Player
  let engine: ProcessEngine
  let items: [Player.Item]
  let events = EventLog<Player.Event>()
  private let observer: Player.Observer

  init(
    _ paths: [String], sink: String, replayGain: Player.Configuration.ReplayGain? = nil, measuring: String? = nil,
    _ change: (inout Player.Configuration.Engine) -> Void
  ) throws {
    var configuration = Player.Configuration(audioSink: sink, loadTimeout: .seconds(60), replayGain: replayGain)
    configuration.engine = .process(at: try Tool.built("mpris-playerd-engine"))
    // The machine may be busy.
    configuration.engine.answerTime = .seconds(60)
    change(&configuration.engine)
    engine = ProcessEngine(configuration: configuration)
    var other = configuration
    other.engine.path = measuring ?? other.engine.path
    player = Player(
      configuration: configuration, engine: engine, loudness: LoudnessService(other, digest: GLib.sha256),
      clock: DispatchClock(), observers: ObserverQueue())
    items = paths.map { Player.Item(uri: "file://\($0)") }
    player.replaceQueue(with: items)
    let events = events
    // A stream of events keeps the latest ones only.
    observer = player.addEventObserver { event, _ in events.append(event) }
  }

  func end() async {
    await player.close()
    observer.cancel()
    events.finish()
  }

  /// Plays, and waits until the current item has been played up to a position.
  func playing(until position: Duration) async throws {
    let crossings = try player.boundaries(at: [position])
    player.play()
    try await deadline(20, "playing until \(position)") { for await _ in crossings { return } }
  }

  /// Waits for a warning with a text; returns its index.
  @discardableResult
  func warning(_ text: String, from start: Int = 0) async throws -> Int {
    try await events.first("the warning “\(text)”", from: start, within: 20) {
      if case .warning(let warning, _) = $0 { warning.contains(text) } else { false }
    }.index
  }

  func queueEnds(from start: Int = 0) async throws {
    try await events.first("the end of the queue", from: start, within: 40) { $0 == .queueEnded }
  }

  /// Returns the ID of the only process with decks.
  func decks() throws -> Int32 {
    let processes = engine.deckProcessIDs
    try #require(processes.count == 1)
    return processes[0]
  }

  /// The failures of items.
  var failures: [(item: Player.Item, error: PlayerError)] {
    events.elements.compactMap { if case .itemFailed(let item, let error) = $0 { (item, error) } else { nil } }
  }
}

/// Runs `body` with a player, and closes it.
func withProcessPlayer(
  _ paths: [String], sink: String = "fakesink sync=true", replayGain: Player.Configuration.ReplayGain? = nil,
  measuring: String? = nil, _ change: (inout Player.Configuration.Engine) -> Void = { _ in },
  _ body: (ProcessPlayer) async throws -> Void
) async throws {
  let player = try ProcessPlayer(paths, sink: sink, replayGain: replayGain, measuring: measuring, change)
  do {
    try await body(player)
  } catch {
    await player.end()
    throw error
  }
  await player.end()
}

/// A WAV file whose samples count up, so that each shows its position.
enum Ramp {
  /// The samples with the same value.
  private static let step = 64

  static func wav(seconds: Int) async throws -> String {
    try await Media.wav((0..<seconds * 44_100).map { Int32($0 / step) }, PCM(channels: 1))
  }

  /// Returns the description of a sink that writes samples to a file, which begins again when the output is opened.
  static func sink(_ path: String) -> String {
    "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=1 ! "
      + "filesink location=\(path) buffer-mode=unbuffered sync=true"
  }

  /// Returns the samples of a file.
  static func samples(_ path: String) throws -> [Int16] {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    return unsafe bytes.withUnsafeBytes { unsafe $0.bindMemory(to: Int16.self).map { Int16(littleEndian: $0) } }
  }

  /// Returns the number of samples at the start that have one value.
  static func run(_ samples: [Int16]) -> Int { samples.prefix { $0 == samples.first }.count }

  /// Returns the position of a sample in the media.
  static func position(_ sample: Int16) -> Duration { .seconds(Double(Int(sample) * step) / 44_100) }
}

/// Waits until a process has ended.
func waitForEnd(ofProcess processID: Int32) async throws {
  let descriptor = clinux_open_process(processID)
  // A process that does not exist has ended.
  guard descriptor >= 0 else { return }
  defer { close(descriptor) }
  try await deadline(20, "process \(processID) ends") {
    await withCheckedContinuation { continuation in
      Thread.run {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&source, 1, -1) < 0, errno == EINTR {}
        continuation.resume()
      }
    }
  }
}

/// Threads that tests start and that end.
enum Thread {
  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// Runs a closure on a new thread, which ends with it.
  static func run(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context)
    if result == 0 { pthread_detach(thread) }
  }
}
