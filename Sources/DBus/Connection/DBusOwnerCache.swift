/// The owners of all names that begin with a name and a dot, read once and kept current by the signals of their changes.
package struct DBusOwnerCache: Sendable {
  /// The owners by name.
  package private(set) var owners: [String: BusName] = [:]
  private let prefix: String
  /// The numbers of the replies; signals that arrived before them are part of the owners already.
  private let listedAt: UInt64
  private var readAt: [String: UInt64] = [:]

  /// Reads the owners.
  ///
  /// Subscribe to ``DBusConnection/ownerChanges(below:)`` first, so that no change is missed.
  package init(below name: BusName, on connection: DBusConnection) async throws(DBusError) {
    prefix = "\(name)."
    let list = try await connection.outcome(on: .bus, at: .bus, of: .bus, "ListNames", [])
    listedAt = list.arrival
    for text in try list.result.get().first?.asStrings ?? [] where text.hasPrefix(prefix) {
      guard let name = try? BusName(text) else { continue }
      let reply = try await connection.ownerReply(for: name)
      (owners[text], readAt[text]) = (reply.owner, reply.arrival)
    }
  }

  /// Applies a signal; returns whether an owner has changed.
  package mutating func apply(_ change: DBusSignalMessage) -> Bool {
    guard let name = change.nameWithNewOwner, name.hasPrefix(prefix), change.arrival > readAt[name] ?? listedAt,
      owners[name] != change.newOwner
    else { return false }
    owners[name] = change.newOwner
    return true
  }
}
