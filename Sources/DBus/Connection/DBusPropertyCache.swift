/// The properties of an interface of a remote object, read once and kept current by its signals.
///
/// A client subscribes before it reads, so some signals arrive before the reply that already contains their change. The connection
/// numbers all messages that it receives, and signals with a smaller number than the reply are ignored.
package struct DBusPropertyCache: Sendable {
  /// The values by name; a property whose new value cannot be read is missing.
  package private(set) var values: [String: DBusValue] = [:]
  private let proxy: DBusProxy
  /// The number of the last reply of GetAll; signals that arrived before it are part of the values already.
  private var readAt: UInt64 = 0

  /// Reads all properties.
  ///
  /// Subscribe to the signals of the object first, so that no change is missed.
  package init(reading proxy: DBusProxy) async throws(DBusError) {
    self.proxy = proxy
    try await read()
  }

  /// Creates an empty cache, for an object that cannot be read.
  init(unread proxy: DBusProxy) { self.proxy = proxy }

  /// Applies a signal; ignores signals other than PropertiesChanged of the interface.
  ///
  /// Properties that the signal invalidates are read again.
  package mutating func apply(_ signal: DBusSignalMessage) async {
    guard signal.arrival > readAt, let change = signal.changedProperties, change.interface == proxy.name.rawValue
    else { return }
    values.merge(change.values) { _, new in new }
    guard !change.invalidated.isEmpty else { return }
    do {
      try await read()
    } catch {
      for name in change.invalidated { values[name] = nil }
    }
  }

  private mutating func read() async throws(DBusError) {
    let method = StandardMethod.getAll
    let outcome = try await proxy.connection.outcome(
      on: proxy.owner, at: proxy.path, of: method.interface, method.row.name, [.string(proxy.name.rawValue)])
    values = try outcome.result.get().first?.asDictionary ?? [:]
    readAt = outcome.arrival
  }
}
