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

extension AVPlayer {
  nonisolated static let observedProperties: [ObservedProperty<AVPlayer>] = [
    ObservedProperty(\.status), ObservedProperty(\.currentItem), ObservedProperty(\.rate),
    ObservedProperty(\.defaultRate),
    ObservedProperty(\.timeControlStatus), ObservedProperty(\.reasonForWaitingToPlay),
    ObservedProperty(\.automaticallyWaitsToMinimizeStalling), ObservedProperty(\.actionAtItemEnd),
    ObservedProperty(\.volume), ObservedProperty(\.isMuted),
  ]

  /// Registers the observer that reads a property.
  nonisolated func access<Value>(_ path: KeyPath<AVPlayer, Value>) { registrar?.access(self, keyPath: path) }
}

extension AVPlayerItem {
  nonisolated static let observedProperties: [ObservedProperty<AVPlayerItem>] = [
    ObservedProperty(\.status), ObservedProperty(\.duration), ObservedProperty(\.tracks),
    ObservedProperty(\.loadedTimeRanges),
    ObservedProperty(\.seekableTimeRanges), ObservedProperty(\.isPlaybackLikelyToKeepUp),
    ObservedProperty(\.isPlaybackBufferEmpty), ObservedProperty(\.isPlaybackBufferFull),
  ]

  /// Registers the observer that reads a property.
  nonisolated func access<Value>(_ path: KeyPath<AVPlayerItem, Value>) { registrar?.access(self, keyPath: path) }
}
