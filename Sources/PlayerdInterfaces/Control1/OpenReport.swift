/// The result of an open request, for the one who sent it.
package struct OpenReport: Equatable, Sendable {
  /// How many tracks the queue gained.
  package var trackCount: Int64 = 0
  /// The title of the track that they follow; nil for tracks that replaced the queue or began an empty one.
  package var precedingTitle: String?
  /// Whether a newer request took the place of this one.
  package var isSuperseded = false
  /// Each item that could not be queued, as `item: reason`; the first ``rejectionLimit`` of them.
  package var rejections: [String] = []
  /// How many items could not be queued.
  package var rejectionCount: Int64 = 0

  /// How many rejections are reported by name.
  package static let rejectionLimit = 100

  package init() {}
}

extension OpenReport: ValueRecord {
  package static let fields: [ValueField<Self>] = [
    .init("trackCount", \.trackCount), .init("precedingTitle", \.precedingTitle), .init("superseded", \.isSuperseded),
    .init("rejections", \.rejections), .init("rejectionCount", \.rejectionCount),
  ]
}
