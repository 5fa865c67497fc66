/// A track of the queue: a row of `org.playerd.Control1.GetQueue`.
package struct QueuedTrack: Equatable, Sendable {
  /// The index in the queue, from 0.
  package var index: Int64 = 0
  package var isCurrent = false
  /// The object path of the track for MPRIS clients.
  package var trackID: String?
  package var title: String?
  package var artist: String?
  package var album: String?
  package var uri: String?
  /// In microseconds; nil while unknown.
  package var duration: Int64?
  /// The error with which the track failed, unless it has played since; nil for none.
  package var errorCode: String?
  package var errorMessage: String?

  package init() {}
}

extension QueuedTrack: ValueRecord {
  package static let fields: [ValueField<Self>] = [
    .init("index", \.index), .init("current", \.isCurrent), .init("trackId", \.trackID), .init("title", \.title),
    .init("artist", \.artist), .init("album", \.album), .init("uri", \.uri),
    .init("duration", \.duration, isTime: true), .init("errorCode", \.errorCode),
    .init("errorMessage", \.errorMessage),
  ]
}

/// A consistent part of the queue.
package struct QueuePage: Equatable, Sendable {
  /// The limit of tracks in one page.
  package static let limit = 500
  /// The limit of tracks in the whole queue, that of the player.
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
