/// The properties of which a client's copy differs from the value that it has read.
///
/// A signal may be on its way, so only a difference that lasts for three comparisons is a fault. A signal of the
/// property ends it: while playback stalls every second, each comparison may find the same two values.
package struct CopyDifferences {
  /// The time between two comparisons that count, in nanoseconds.
  package static let interval: Int64 = 4_000_000_000

  private struct Difference {
    var copy: String
    var value: String
    var count = 1
    var instant: Int64
  }

  /// The differences by the names of interface and property.
  private var found: [String: [String: Difference]] = [:]

  package init() {}

  /// Records a difference that a comparison at `now` has found; returns whether it has lasted for three comparisons.
  package mutating func note(
    _ interface: String, _ property: String, copy: String, value: String, at now: Int64
  ) -> Bool {
    var difference = Difference(copy: copy, value: value, instant: now)
    if let last = found[interface]?[property], last.copy == copy, last.value == value {
      guard now - last.instant >= Self.interval else { return false }
      difference.count = last.count + 1
    }
    found[interface, default: [:]][property] = difference
    return difference.count >= 3
  }

  /// Ends the difference of a property, because the copy has changed or agrees.
  package mutating func end(_ interface: String, _ property: String) { found[interface]?[property] = nil }

  /// Ends all differences of an interface, because it is copied again.
  package mutating func end(_ interface: String) { found[interface] = nil }
}
