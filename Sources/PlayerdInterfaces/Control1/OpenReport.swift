/// The result of an open request for its caller.
package struct OpenReport: Equatable, Sendable {
  /// The number of tracks added to the queue.
  package var trackCount: Int64 = 0
  /// The title of the preceding track; nil if the tracks replaced the queue or started an empty one.
  package var precedingTitle: String?
  /// Whether the request is still being read, so that tracks and rejections may follow.
  package var isUnfinished = false
  /// Whether a newer request replaced this one.
  package var isSuperseded = false
  /// The items that could not be queued, as `item: reason`; at most ``rejectionLimit``.
  package var rejections: [String] = []
  /// The number of items that could not be queued.
  package var rejectionCount: Int64 = 0

  /// The limit of rejections in the report.
  package static let rejectionLimit = 100

  package init() {}
}

extension OpenReport: ValueRecord {
  package static let fields: [ValueField<Self>] = [
    .init("trackCount", \.trackCount), .init("precedingTitle", \.precedingTitle), .init("unfinished", \.isUnfinished),
    .init("superseded", \.isSuperseded),
    .init("rejections", \.rejections), .init("rejectionCount", \.rejectionCount),
  ]
}
