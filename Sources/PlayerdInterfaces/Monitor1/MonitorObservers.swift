import DBus

/// Who observes the time, and with how much: the limits are kept here.
struct MonitorObservers<Token> {
  /// The most observers of one connection, and of all.
  static var mostOfOne: Int { 64 }
  static var most: Int { 1024 }
  /// The most boundaries in all observers of one connection.
  static var mostBoundariesOfOne: Int { 4096 }

  private struct Observer {
    let owner: BusName
    let boundaries: Int
    var token: Token?
  }

  private var observers: [UInt32: Observer] = [:]
  private var lastID: UInt32 = 0

  /// Gives an observer a number, which no other one has, and which is not given again soon.
  ///
  /// - Throws: `LimitsExceeded`.
  mutating func add(for owner: BusName, boundaries: Int) throws(DBusError) -> UInt32 {
    guard observers.count < Self.most else {
      throw .limitsExceeded("\(Self.most) observers are all that this player has room for")
    }
    let own = observers.values.filter { $0.owner == owner }
    guard own.count < Self.mostOfOne else {
      throw .limitsExceeded("a connection may have \(Self.mostOfOne) observers")
    }
    let total = own.reduce(boundaries) { $0 + $1.boundaries }
    guard total <= Self.mostBoundariesOfOne else {
      throw .limitsExceeded("a connection may observe \(Self.mostBoundariesOfOne) boundaries; this makes \(total)")
    }
    repeat { lastID = lastID == .max ? 1 : lastID + 1 } while observers[lastID] != nil
    observers[lastID] = Observer(owner: owner, boundaries: boundaries)
    return lastID
  }

  /// Keeps what keeps an observer alive; nothing if it has gone meanwhile.
  mutating func keep(_ token: Token, for id: UInt32) { observers[id]?.token = token }

  /// Who is to be told; nil for an observer that is gone.
  func owner(of id: UInt32) -> BusName? { observers[id]?.owner }

  /// Whether a connection observes anything.
  func concern(_ owner: BusName) -> Bool { observers.values.contains { $0.owner == owner } }

  /// Ends an observer.
  ///
  /// - Throws: `InvalidArgs` for one that is not there or is somebody else's.
  mutating func remove(_ id: UInt32, of owner: BusName) throws(DBusError) {
    guard observers[id]?.owner == owner else {
      throw .invalidArguments("this connection has no observer \(id)")
    }
    observers[id] = nil
  }

  /// Ends every observer of a connection that is gone.
  mutating func removeAll(of owner: BusName) { observers = observers.filter { $0.value.owner != owner } }
}
