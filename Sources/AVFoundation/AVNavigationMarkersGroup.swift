public import Foundation

/// The chapters or events of an item; only stored, because no view shows them.
///
/// <https://developer.apple.com/documentation/avkit/avnavigationmarkersgroup>
open class AVNavigationMarkersGroup: NSObject, @unchecked Sendable {  // immutable
  /// The title; nil for the chapters.
  open private(set) var title: String?
  /// The markers with a time; nil if they have dates.
  open private(set) var timedNavigationMarkers: [AVTimedMetadataGroup]?
  /// The markers with a date; nil if they have times.
  open private(set) var dateRangeNavigationMarkers: [AVDateRangeMetadataGroup]?

  /// Makes a group of markers with times.
  public init(title: String?, timedNavigationMarkers navigationMarkers: [AVTimedMetadataGroup]) {
    (self.title, timedNavigationMarkers) = (title, navigationMarkers)
  }

  /// Makes a group of markers with dates.
  public init(title: String?, dateRangeNavigationMarkers navigationMarkers: [AVDateRangeMetadataGroup]) {
    (self.title, dateRangeNavigationMarkers) = (title, navigationMarkers)
  }
}
