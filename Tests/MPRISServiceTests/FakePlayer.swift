import DBus
import MPRISService
import Synchronization
import TestSupport

/// A player without audio that executes and records commands, and whose snapshot a test can set.
final class FakePlayer: MPRISPlayer {
  private struct State {
    var snapshot: MPRISSnapshot
    var commands: [MPRISCommand] = []
    var refusal: MPRISCommandError?
    var listeners: [AsyncStream<MPRISPlayerEvent>.Continuation] = []
  }
  private let state: Mutex<State>

  /// A log with one entry for each call of ``events()``.
  let listeners = EventLog<Void>()

  init(_ snapshot: MPRISSnapshot = .example) { state = Mutex(State(snapshot: snapshot)) }

  func snapshot() -> MPRISSnapshot { state.withLock { $0.snapshot } }

  func perform(_ command: MPRISCommand) throws(MPRISCommandError) {
    let refusal = state.withLock { state in
      state.commands.append(command)
      if state.refusal == nil { state.snapshot.apply(command) }
      return state.refusal
    }
    if let refusal { throw refusal }
    send(.changed)
    switch command {
    case .setPosition: send(.seeked(to: snapshot().position))
    default: break
    }
  }

  func events() -> AsyncStream<MPRISPlayerEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MPRISPlayerEvent.self)
    state.withLock { $0.listeners.append(continuation) }
    listeners.append(())
    return stream
  }
}

// MARK: - Script

extension FakePlayer {
  /// The received commands, in order.
  var commands: [MPRISCommand] { state.withLock { $0.commands } }

  /// Changes the snapshot without sending an event.
  func show(_ change: (inout MPRISSnapshot) -> Void) { state.withLock { change(&$0.snapshot) } }

  /// Changes the snapshot and sends `changed`.
  func change(_ change: (inout MPRISSnapshot) -> Void) {
    show(change)
    send(.changed)
  }

  func send(_ event: MPRISPlayerEvent) {
    for listener in state.withLock({ $0.listeners }) { listener.yield(event) }
  }

  /// Ends the event streams, as a released player does.
  func finish() {
    for listener in state.withLock({ $0.listeners }) { listener.finish() }
  }

  /// Rejects every command from now on.
  func refuse(with error: MPRISCommandError) { state.withLock { $0.refusal = error } }
}

extension MPRISSnapshot {
  /// A playing track of three minutes at one minute, with a next and a previous track.
  static var example: MPRISSnapshot {
    var snapshot = MPRISSnapshot(identity: "Fake player", desktopEntry: "fake-player")
    snapshot.supportedURISchemes = ["file", "https"]
    snapshot.supportedMIMETypes = ["audio/flac"]
    snapshot.status = .playing
    (snapshot.minimumRate, snapshot.maximumRate) = (0.25, 4)
    snapshot.position = .seconds(60)
    snapshot.metadata = .example(number: 7)
    (snapshot.canGoNext, snapshot.canGoPrevious) = (true, true)
    (snapshot.canPlay, snapshot.canPause, snapshot.canSeek) = (true, true, true)
    (snapshot.canQuit, snapshot.canRaise) = (true, true)
    return snapshot
  }

  /// Returns a copy with a change applied.
  func with(_ change: (inout MPRISSnapshot) -> Void) -> MPRISSnapshot {
    var snapshot = self
    change(&snapshot)
    return snapshot
  }

  fileprivate mutating func apply(_ command: MPRISCommand) {
    switch command {
    case .play: status = .playing
    case .pause: status = .paused
    case .playPause: status = status == .playing ? .paused : .playing
    case .stop: (status, position) = (.stopped, .zero)
    case .next: (metadata, position) = (.example(number: 8), .zero)
    case .previous: (metadata, position) = (.example(number: 6), .zero)
    case .setPosition(_, let target): position = target
    case .setLoop(let loop): self.loop = loop
    case .setShuffle(let shuffle): self.shuffle = shuffle
    case .setRate(let rate): self.rate = rate
    case .setVolume(let volume): self.volume = volume
    case .open, .quit: break
    }
  }
}

extension MPRISTrackPathPrefix {
  static let example: MPRISTrackPathPrefix = "/org/example/track"
}

extension MPRISMetadata {
  static func example(number: UInt64, title: String = "Song", length: Duration? = .seconds(180)) -> MPRISMetadata {
    var fields = Fields(trackID: MPRISTrackID(number, in: .example), title: title)
    fields.length = length
    return MPRISMetadata(fields)
  }
}
