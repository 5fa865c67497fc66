public import Observation
import Synchronization

private let observationFlag = Atomic(false)

extension AVPlayer: Observable {
  /// Whether players and their items can be observed with `Observation`; initially false.
  ///
  /// The value applies to the players and items that are created afterwards.
  nonisolated public static var isObservationEnabled: Bool {
    get { observationFlag.load(ordering: .acquiring) }
    set { observationFlag.store(newValue, ordering: .releasing) }
  }
}

extension AVPlayerItem: Observable {}

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
    repeat announce(each paths, to: registrar)
  }

  nonisolated private func announce<Value>(
    _ path: any KeyPath<Self, Value> & Sendable, to registrar: ObservationRegistrar
  ) {
    _ = keyValueObservers.watch(path, of: self) { object, _, _ in
      registrar.withMutation(of: object, keyPath: path) {}
    }
  }
}

extension AVPlayer: RegisteredObject {
  nonisolated func announceProperties() {
    announce(
      \.status, \.currentItem, \.rate, \.defaultRate, \.timeControlStatus, \.reasonForWaitingToPlay,
      \.automaticallyWaitsToMinimizeStalling, \.actionAtItemEnd, \.volume, \.isMuted)
  }
}

extension AVPlayerItem: RegisteredObject {
  nonisolated func announceProperties() {
    announce(
      \.status, \.duration, \.tracks, \.loadedTimeRanges, \.seekableTimeRanges, \.isPlaybackLikelyToKeepUp,
      \.isPlaybackBufferEmpty, \.isPlaybackBufferFull)
  }
}
