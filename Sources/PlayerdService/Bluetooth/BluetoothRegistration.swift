import DBus

/// Decides at which Bluetooth adapters the player is registered; a pure value.
///
/// BlueZ sends each button of a headset to one player, the player with the earliest registration. The buttons should control
/// the player that started last, so this player unregisters when another one starts.
struct BluetoothRegistration: Equatable, Sendable {
  /// An event.
  enum Event: Equatable, Sendable {
    case added(ObjectPath)
    case removed(ObjectPath)
    /// Whether this player plays.
    case playing(Bool)
    /// Another player of the session has started to play.
    case otherPlays
  }

  /// An action; actions are taken in order.
  enum Step: Equatable, Sendable {
    case register(ObjectPath)
    case unregister(ObjectPath)
  }

  private var adapters: Set<ObjectPath> = []
  private var isPlaying = false
  private var hasButtons = true

  mutating func steps(for event: Event) -> [Step] {
    switch event {
    case .added(let adapter):
      return adapters.insert(adapter).inserted && hasButtons ? [.register(adapter)] : []
    case .removed(let adapter):
      // Its registrations are lost with it.
      adapters.remove(adapter)
      return []
    case .playing(let isPlaying):
      let starts = isPlaying && !self.isPlaying
      self.isPlaying = isPlaying
      guard starts, !hasButtons else { return [] }
      hasButtons = true
      return adapters.sorted().map { .register($0) }
    case .otherPlays:
      guard hasButtons else { return [] }
      hasButtons = false
      return adapters.sorted().map { .unregister($0) }
    }
  }
}
