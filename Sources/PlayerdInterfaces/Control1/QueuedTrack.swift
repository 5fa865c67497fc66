/// A track of the queue: a row of `org.playerd.Control1.GetQueue`.
package struct QueuedTrack: Equatable, Sendable {
  /// The index in the queue, from 0.
  package var index: Int64 = 0
  package var isCurrent = false
  /// The index in the order of play, from 0: another than ``index`` in a shuffled queue.
  package var playIndex: Int64?
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
    .init("index", \.index), .init("current", \.isCurrent), .init("playIndex", \.playIndex),
    .init("trackId", \.trackID), .init("title", \.title),
    .init("artist", \.artist), .init("album", \.album), .init("uri", \.uri),
    .init("duration", \.duration, isTime: true), .init("errorCode", \.errorCode),
    .init("errorMessage", \.errorMessage),
  ]
}
