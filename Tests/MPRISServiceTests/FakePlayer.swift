import DBus
import MPRISService
import Synchronization
import TestSupport

/// A player without sound: it does what it is told, remembers what that was, and shows what a test wants it to show.
final class FakePlayer: MediaPlayer {
  private struct State {
    var snapshot: PlayerSnapshot
    var commands: [PlayerCommand] = []
    var refusal: CommandError?
    var listeners: [AsyncStream<MediaPlayerEvent>.Continuation] = []
  }
  private let state: Mutex<State>

  /// One entry for each call of ``events()``.
  let listeners = EventLog<Void>()

  init(_ snapshot: PlayerSnapshot = .example) { state = Mutex(State(snapshot: snapshot)) }

  func snapshot() -> PlayerSnapshot { state.withLock { $0.snapshot } }

  func perform(_ command: PlayerCommand) throws(CommandError) {
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

  func events() -> AsyncStream<MediaPlayerEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MediaPlayerEvent.self)
    state.withLock { $0.listeners.append(continuation) }
    listeners.append(())
    return stream
  }
}

// MARK: - Script

extension FakePlayer {
  /// What it has been asked to do, in order.
  var commands: [PlayerCommand] { state.withLock { $0.commands } }

  /// Shows something else from now on, without saying so.
  func show(_ change: (inout PlayerSnapshot) -> Void) { state.withLock { change(&$0.snapshot) } }

  /// Shows something else from now on and says so.
  func change(_ change: (inout PlayerSnapshot) -> Void) {
    show(change)
    send(.changed)
  }

  func send(_ event: MediaPlayerEvent) {
    for listener in state.withLock({ $0.listeners }) { listener.yield(event) }
  }

  /// Ends the news, as a player that is no more.
  func finish() {
    for listener in state.withLock({ $0.listeners }) { listener.finish() }
  }

  /// Refuses every command from now on.
  func refuse(with error: CommandError) { state.withLock { $0.refusal = error } }
}

extension PlayerSnapshot {
  /// A track of three minutes that plays, one minute in, with others before and after it.
  static var example: PlayerSnapshot {
    var snapshot = PlayerSnapshot(identity: "Fake player", desktopEntry: "fake-player")
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

  /// The same with some of it different.
  func with(_ change: (inout PlayerSnapshot) -> Void) -> PlayerSnapshot {
    var snapshot = self
    change(&snapshot)
    return snapshot
  }

  fileprivate mutating func apply(_ command: PlayerCommand) {
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
    case .open, .raise, .quit: break
    }
  }
}

extension TrackPathPrefix {
  static let example: TrackPathPrefix = "/org/example/track"
}

extension Metadata {
  static func example(number: UInt64, title: String = "Song", length: Duration? = .seconds(180)) -> Metadata {
    var fields = Fields(trackID: TrackID(number, in: .example), title: title)
    fields.length = length
    return Metadata(fields)
  }
}
