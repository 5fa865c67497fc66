public import CoreMedia
public import Foundation
import Synchronization

/// Metadata that belongs together.
///
/// <https://developer.apple.com/documentation/avfoundation/avmetadatagroup>
open class AVMetadataGroup: NSObject, @unchecked Sendable {  // immutable
  /// The items.
  open private(set) var items: [AVMetadataItem]

  init(items: [AVMetadataItem]) { self.items = items }
}

/// Metadata of a part of the media, such as a chapter.
///
/// <https://developer.apple.com/documentation/avfoundation/avtimedmetadatagroup>
open class AVTimedMetadataGroup: AVMetadataGroup, @unchecked Sendable {  // immutable
  /// The range of the part.
  open private(set) var timeRange: CMTimeRange

  /// Makes a group.
  public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
    self.timeRange = timeRange
    super.init(items: items)
  }

  /// Makes a group of items that apply from a time of the media; the duration is nil if it is unknown.
  convenience init(_ items: [MetadataFields], from start: Duration, duration: Duration?) {
    let range = CMTimeRange(start: CMTime(start), duration: CMTime(duration))
    let items = items.map { fields in
      var fields = fields
      fields.range = range
      return AVMetadataItem(fields)
    }
    self.init(items: items, timeRange: range)
  }
}

/// Metadata of a part of the media, which a program changes.
///
/// <https://developer.apple.com/documentation/avfoundation/avmutabletimedmetadatagroup>
open class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {  // `state` is a lock
  private let state = Mutex<(items: [AVMetadataItem]?, timeRange: CMTimeRange?)>((nil, nil))

  /// The items.
  open override var items: [AVMetadataItem] {
    get { state.withLock { $0.items } ?? super.items }
    set { state.withLock { $0.items = newValue } }
  }

  /// The range of the part.
  open override var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } ?? super.timeRange }
    set { state.withLock { $0.timeRange = newValue } }
  }
}

/// Metadata of a time between two dates; the player makes none, because media does not have dates here.
///
/// <https://developer.apple.com/documentation/avfoundation/avdaterangemetadatagroup>
open class AVDateRangeMetadataGroup: AVMetadataGroup, @unchecked Sendable {  // immutable
  /// The start.
  open private(set) var startDate: Date
  /// The end; nil if it is unknown.
  open private(set) var endDate: Date?

  /// Makes a group.
  public init(items: [AVMetadataItem], start startDate: Date, end endDate: Date?) {
    (self.startDate, self.endDate) = (startDate, endDate)
    super.init(items: items)
  }
}
