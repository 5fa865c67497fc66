import DBus
import Observation
import Synchronization

/// A player on the main actor, for ``MPRISService/init(identity:name:model:)``; it needs no lock.
///
/// ```swift
/// @Observable @MainActor final class Radio: MPRISModel {
///   var isPlaying = false
///
///   func snapshot() -> MPRISSnapshot {
///     var snapshot = MPRISSnapshot()
///     snapshot.status = isPlaying ? .playing : .paused
///     (snapshot.canPlay, snapshot.canPause) = (true, true)
///     return snapshot
///   }
///
///   func perform(_ command: MPRISCommand) throws(MPRISCommandError) {
///     switch command {
///     case .play: isPlaying = true
///     case .playPause: isPlaying.toggle()
///     default: isPlaying = false
///     }
///   }
/// }
/// ```
@MainActor
public protocol MPRISModel: AnyObject {
  /// Returns one consistent view of the player, with the current position.
  ///
  /// The service calls it again after a change of each observable property that it has read, at the next turn of the main
  /// actor. Several changes in one turn are published together.
  func snapshot() -> MPRISSnapshot

  /// Carries out a command; when this returns, ``snapshot()`` shows the requested state.
  ///
  /// - Throws: ``MPRISCommandError`` if the command is refused; the state is then unchanged.
  func perform(_ command: MPRISCommand) throws(MPRISCommandError)
}

extension MPRISService {
  /// Creates the service of a player on the main actor.
  ///
  /// Between two changes, clients read a position that advances with the rate while the status is playing. A position that
  /// differs by more than 0.2 s from it after a change is a jump, and emits `Seeked`. The reply to a client follows when the
  /// model has carried out its command. The service retains the model: one that stores its service is released only after it has
  /// set that to nil.
  ///
  /// - Parameters:
  ///   - identity: The display name, such as `My Player`; not empty.
  ///   - name: The name for commands; by default, it is derived from `identity`.
  ///   - model: The player; its class is to be `@Observable`.
  @MainActor
  public init(identity: String, name: String? = nil, model: any MPRISModel) {
    self.init(identity: identity, name: name, player: MPRISModelPlayer(model))
  }

  /// Creates the service of a player on the main actor, on a bus of the caller's choice.
  @MainActor
  package init(identity: String, model: any MPRISModel, address: @escaping @Sendable () -> String?) {
    self.init(identity: identity, player: MPRISModelPlayer(model), address: address)
  }
}

/// Publishes the last snapshot of a model, and passes commands to it on the main actor.
final class MPRISModelPlayer: LateMPRISPlayer {
  /// The snapshot of a model, and the time at which it was made.
  private struct Published {
    var snapshot: MPRISSnapshot
    var time: SuspendingClock.Instant

    /// Returns the snapshot with the position at a time.
    func at(_ now: SuspendingClock.Instant) -> MPRISSnapshot {
      var snapshot = snapshot
      guard snapshot.status == .playing else { return snapshot }
      snapshot.position += (now - time) * snapshot.rate
      if let length = snapshot.metadata.length { snapshot.position = min(snapshot.position, max(.zero, length)) }
      return snapshot
    }
  }

  /// The smallest difference of a position that is a jump.
  private static let tolerance = Duration.milliseconds(200)
  /// The limit of commands that wait for the main actor.
  private static let waitingLimit = 100

  private let published: Mutex<Published>
  private let waiting = Mutex(0)
  private let broadcaster = EventBroadcaster()
  /// The model, which is only used on the main actor.
  @MainActor private let model: any MPRISModel

  @MainActor
  init(_ model: any MPRISModel) {
    self.model = model
    published = Mutex(Published(snapshot: model.snapshot(), time: .now))
    follow()
  }

  /// Publishes the state of the model, and again after the next change of a property that it has read.
  @MainActor
  private func follow() {
    publish(
      withObservationTracking {
        model.snapshot()
      } onChange: { [weak self] in
        // The property changes after this call.
        Task { @MainActor in self?.follow() }
      })
  }

  /// Publishes the differences of a snapshot from the last one.
  @MainActor
  private func publish(_ snapshot: MPRISSnapshot) {
    let now = SuspendingClock.Instant.now
    let events = published.withLock { published in
      let old = published.at(now)
      published = Published(snapshot: snapshot, time: now)
      return Self.events(from: old, to: snapshot)
    }
    for event in events { broadcaster.send(event) }
  }

  private static func events(from old: MPRISSnapshot, to new: MPRISSnapshot) -> [MPRISPlayerEvent] {
    let isSameTrack = old.track == new.track
    let expected = isSameTrack ? old.position : .zero
    let jumps = (new.position - expected) > tolerance || (expected - new.position) > tolerance
    return (old.isUnchanged(in: new) ? [] : [.changed]) + (jumps ? [.seeked(to: new.position)] : [])
  }

  // MARK: On any thread

  func snapshot() -> MPRISSnapshot { published.withLock { $0.at(.now) } }

  func events() -> AsyncStream<MPRISPlayerEvent> { broadcaster.events() }

  func perform(_ command: MPRISCommand, reply: @escaping @Sendable (DBusError?) -> Void) {
    let isAccepted = waiting.withLock { waiting in
      guard waiting < Self.waitingLimit else { return false }
      waiting += 1
      return true
    }
    guard isAccepted else {
      return reply(.limitsExceeded("\(Self.waitingLimit) commands wait for the main actor of the program"))
    }
    Task { @MainActor in
      waiting.withLock { $0 -= 1 }
      reply(carryOut(command))
    }
  }

  /// Carries out a command; its changes are published beside the reply.
  @MainActor
  private func carryOut(_ command: MPRISCommand) -> DBusError? {
    do throws(DBusError) {
      try refusing { () throws(MPRISCommandError) in try model.perform(command) }
      publish(model.snapshot())
      return nil
    } catch {
      return error
    }
  }
}
