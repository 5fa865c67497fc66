package import DBus

/// A consistent part of the queue: the result of `org.playerd.Control1.GetQueue`.
package struct QueuePage: Equatable, Sendable {
  /// The limit of tracks in one page.
  package static let limit = 500
  /// The limit of tracks in the whole queue, equal to the player's limit.
  package static let totalLimit: Int64 = 1_000_000

  /// A number that differs after each change of the queue.
  package var revision: UInt64
  /// The number of tracks in the whole queue.
  package var total: Int64
  package var rows: [QueuedTrack]

  package init(revision: UInt64, total: Int64, rows: [QueuedTrack]) {
    (self.revision, self.total, self.rows) = (revision, total, rows)
  }
}

extension QueuePage {
  /// The limit of restarts if the queue changes while it is read.
  private static let restartLimit = 5

  /// Reads all tracks of the queue of an instance, with the revision of the last part.
  ///
  /// If the queue changes during the read, the read restarts. After five restarts, the rest is read from the changed
  /// queue, so tracks may be missing or repeated.
  package static func readAll(from control: DBusProxy) async throws(DBusError) -> QueuePage {
    var rows: [QueuedTrack] = []
    var revision: UInt64?
    var restarts = 0
    while true {
      let page = try await read(Int64(rows.count), count: Int64(limit), from: control)
      if let revision, page.revision != revision, restarts < restartLimit {
        restarts += 1
        rows = []
      } else {
        rows += page.rows
        guard !page.rows.isEmpty, rows.count < page.total else {
          return QueuePage(revision: page.revision, total: page.total, rows: rows)
        }
      }
      revision = page.revision
    }
  }

  /// Reads a part of the queue of an instance; indices count from 0.
  ///
  /// A reply beyond the limits of a page or of a queue is cut there, so that reading the whole queue ends.
  package static func read(
    _ offset: Int64, count: Int64, from control: DBusProxy
  ) async throws(DBusError) -> QueuePage {
    let (revision, total, rows) = try await control.call(
      ControlInterface.getQueue, UInt32(clamping: offset), UInt32(clamping: count))
    return QueuePage(revision: revision, total: min(Int64(total), totalLimit), rows: Array(rows.prefix(limit)))
  }
}
