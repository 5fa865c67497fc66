public import Observation
import Synchronization

private let observationFlag = Atomic(false)

/// An object whose observed properties have a registrar, if observation is enabled.
protocol RegisteredObject: AVKeyValueObserving, Observable {
  nonisolated var registrar: ObservationRegistrar? { get }
}

extension RegisteredObject {
  /// Registers the observer that reads a property.
  nonisolated func access<Value>(_ path: KeyPath<Self, Value>) { registrar?.access(self, keyPath: path) }

  /// Returns the value of a property, and registers the observer that reads it.
  nonisolated func observed<Value>(_ path: KeyPath<Self, Value>, _ value: @autoclosure () -> Value) -> Value {
    access(path)
    return value()
  }

  /// Announces all later changes of properties to the registrar.
  ///
  /// They are announced on the main queue, where their observers read them. So no change between the read and the
  /// registration of an observer is missed.
  nonisolated fileprivate func announce<each Value>(_ paths: repeat any KeyPath<Self, each Value> & Sendable) {
    guard let registrar else { return }
    for path in repeat each paths {
      _ = keyValueObservers.watch(path, of: self) { object, _, _ in
        registrar.withMutation(of: object, keyPath: path) {}
      }
    }
  }
}

extension AVPlayer: Observable, RegisteredObject {
  /// Whether players and their items can be observed with `Observation`; initially false.
  ///
  /// The value applies to the players and items that are created afterwards.
  nonisolated public static var isObservationEnabled: Bool {
    get { observationFlag.load(ordering: .acquiring) }
    set { observationFlag.store(newValue, ordering: .releasing) }
  }

  nonisolated func announceProperties() {
    announce(
      \.status, \.currentItem, \.rate, \.defaultRate, \.timeControlStatus, \.reasonForWaitingToPlay,
      \.automaticallyWaitsToMinimizeStalling, \.actionAtItemEnd, \.volume, \.isMuted)
  }
}

extension AVPlayerItem: Observable, RegisteredObject {
  nonisolated func announceProperties() {
    announce(
      \.status, \.duration, \.tracks, \.loadedTimeRanges, \.seekableTimeRanges, \.isPlaybackLikelyToKeepUp,
      \.isPlaybackBufferEmpty, \.isPlaybackBufferFull)
  }
}
