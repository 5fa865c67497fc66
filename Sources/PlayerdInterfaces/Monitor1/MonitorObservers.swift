import DBus

/// The time observers of all connections, with their limits.
struct MonitorObservers<Token> {
  /// The limits of observers, for one connection and for all.
  static var mostOfOne: Int { 64 }
  static var most: Int { 1024 }
  /// The limit of boundaries in all observers of one connection.
  static var mostBoundariesOfOne: Int { 4096 }

  private struct Observer {
    let owner: BusName
    let observation: MonitorObservation
    var token: Token?
  }

  private var observers: [UInt32: Observer] = [:]
  private var lastID: UInt32 = 0

  /// Adds an observer and returns its ID, which is unique and not reused soon.
  ///
  /// - Throws: `LimitsExceeded`.
  mutating func add(_ observation: MonitorObservation, for owner: BusName) throws(DBusError) -> UInt32 {
    guard observers.count < Self.most else {
      throw .limitsExceeded("the limit of \(Self.most) observers is reached")
    }
    let own = observers.values.filter { $0.owner == owner }
    guard own.count < Self.mostOfOne else {
      throw .limitsExceeded("the limit of \(Self.mostOfOne) observers per connection is reached")
    }
    let total = own.reduce(observation.boundaries) { $0 + $1.observation.boundaries }
    guard total <= Self.mostBoundariesOfOne else {
      throw .limitsExceeded("a connection can observe \(Self.mostBoundariesOfOne) boundaries, not \(total)")
    }
    repeat { lastID = lastID == .max ? 1 : lastID + 1 } while observers[lastID] != nil
    observers[lastID] = Observer(owner: owner, observation: observation)
    return lastID
  }

  /// Stores the token of an observer; ignored if the observer has been removed.
  mutating func keep(_ token: Token, for id: UInt32) { observers[id]?.token = token }

  /// Returns the connection that owns an observer; nil if it has been removed.
  func owner(of id: UInt32) -> BusName? { observers[id]?.owner }

  /// Whether a connection owns any observer.
  func concern(_ owner: BusName) -> Bool { observers.values.contains { $0.owner == owner } }

  /// Removes an observer.
  ///
  /// - Throws: `InvalidArgs` if this connection does not own such an observer.
  mutating func remove(_ id: UInt32, of owner: BusName) throws(DBusError) {
    guard observers[id]?.owner == owner else {
      throw .invalidArguments("this connection has no observer \(id)")
    }
    observers[id] = nil
  }

  /// Removes every observer of a closed connection.
  mutating func removeAll(of owner: BusName) { observers = observers.filter { $0.value.owner != owner } }
}
