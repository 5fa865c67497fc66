import Observation
import Synchronization

let observationFlag = Atomic(false)

/// A property that is observable with `Observation`.
///
/// Its change is announced on the main queue, where its observers read it. So no change between the read and the
/// registration of an observer is missed.
struct ObservedProperty<Object: AVKeyValueObserving & Observable>: Sendable {
  /// Announces all later changes of the property to a registrar.
  private let watch: @Sendable (Object, ObservationRegistrar) -> Void

  init<Value>(_ path: any KeyPath<Object, Value> & Sendable) {
    watch = { object, registrar in
      _ = object.keyValueObservers.watch(path, of: object) { object, _, _ in
        registrar.withMutation(of: object, keyPath: path) {}
      }
    }
  }

  func publish(_ object: Object, with registrar: ObservationRegistrar) { watch(object, registrar) }
}

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
}

extension AVPlayer: RegisteredObject {
  nonisolated static let observedProperties: [ObservedProperty<AVPlayer>] = [
    ObservedProperty(\.status), ObservedProperty(\.currentItem), ObservedProperty(\.rate),
    ObservedProperty(\.defaultRate),
    ObservedProperty(\.timeControlStatus), ObservedProperty(\.reasonForWaitingToPlay),
    ObservedProperty(\.automaticallyWaitsToMinimizeStalling), ObservedProperty(\.actionAtItemEnd),
    ObservedProperty(\.volume), ObservedProperty(\.isMuted),
  ]
}

extension AVPlayerItem: RegisteredObject {
  nonisolated static let observedProperties: [ObservedProperty<AVPlayerItem>] = [
    ObservedProperty(\.status), ObservedProperty(\.duration), ObservedProperty(\.tracks),
    ObservedProperty(\.loadedTimeRanges),
    ObservedProperty(\.seekableTimeRanges), ObservedProperty(\.isPlaybackLikelyToKeepUp),
    ObservedProperty(\.isPlaybackBufferEmpty), ObservedProperty(\.isPlaybackBufferFull),
  ]
}
