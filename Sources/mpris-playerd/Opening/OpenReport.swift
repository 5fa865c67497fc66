import DBus
import GstPlayer

/// The result of an open request, for the one who sent it.
struct OpenReport: Equatable, Sendable {
  /// How many tracks the queue gained.
  var trackCount: Int64 = 0
  /// The title of the track that they follow; nil for tracks that replaced the queue or began an empty one.
  var precedingTitle: String?
  /// Whether a newer request took the place of this one.
  var isSuperseded = false
  /// Each item that could not be queued, as `item: reason`; the first ``rejectionLimit`` of them.
  var rejections: [String] = []
  /// How many items could not be queued.
  var rejectionCount: Int64 = 0

  /// How many rejections are reported by name.
  static let rejectionLimit = 100
}

// MARK: D-Bus

extension OpenReport {
  /// Reads the reply of `Open`; unknown keys are ignored.
  init(_ values: [String: Value]) {
    trackCount = values["trackCount"]?.asInt64 ?? trackCount
    precedingTitle = values["precedingTitle"]?.asString
    isSuperseded = values["superseded"]?.asBool ?? isSuperseded
    rejections = values["rejections"]?.asStrings ?? rejections
    rejectionCount = values["rejectionCount"]?.asInt64 ?? rejectionCount
  }

  /// The reply of `Open`; unknown values are left out.
  var values: [(String, Value)] {
    let values: [(String, Value?)] = [
      ("trackCount", .int64(trackCount)), ("precedingTitle", precedingTitle.map { .string($0) }),
      ("superseded", .boolean(isSuperseded)), ("rejections", .strings(rejections)),
      ("rejectionCount", .int64(rejectionCount)),
    ]
    return values.compactMap { key, value in value.map { (key, $0) } }
  }
}
