import Dispatch

/// An instant of `CLOCK_MONOTONIC`, in nanoseconds since an arbitrary start.
struct MonotonicTime: Hashable, Comparable, Sendable {
  var nanoseconds: Int64

  /// The present instant; costs a vDSO call.
  static var now: MonotonicTime {
    MonotonicTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  static func - (left: Self, right: Self) -> Duration { .nanoseconds(left.nanoseconds &- right.nanoseconds) }

  static func + (left: Self, right: Duration) -> Self {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.wholeNanoseconds)
    return MonotonicTime(nanoseconds: overflow ? (right < .zero ? .min : .max) : sum)
  }
}

extension Duration {
  /// The duration within what `Int64` holds in nanoseconds, ±292 years, so that sums of a few never overflow.
  ///
  /// For every duration that a caller sets.
  var limited: Duration { min(max(.nanoseconds(Int64.min), self), .nanoseconds(Int64.max)) }

  /// Whole nanoseconds, saturating at the ends of `Int64` (292 years).
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carry ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in seconds, for arithmetic with rates.
  var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}
