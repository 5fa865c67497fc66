import Glibc

/// Times in the format of clocks.
package enum ClockTime {
  /// Formats microseconds as `m:ss` or `h:mm:ss`; if `fractional`, with the fraction of the second unless it is zero.
  package static func text(_ microseconds: Int64, fractional: Bool = false) -> String {
    let time = max(0, microseconds)
    let seconds = time / 1_000_000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    var text = hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    let fraction = time % 1_000_000
    if fractional, fraction > 0 {
      var digits = String(String(1_000_000 + fraction).dropFirst())
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text
  }

  /// Formats `1:23 / 4:00`; only the position if the duration is unknown.
  package static func text(_ position: Int64, of duration: Int64?) -> String {
    text(position) + (duration.map { " / " + text($0) } ?? "")
  }

  /// Returns the local time after a delay in microseconds, as `HH:MM`, or `HH:MM:SS` for a delay below two minutes.
  package static func timeOfDay(after delay: Int64) -> String {
    var now = timespec()
    unsafe _ = clock_gettime(CLOCK_REALTIME, &now)
    var moment = now.tv_sec + Int((Double(now.tv_nsec) / 1e9 + Double(delay) / 1e6).rounded())
    var local = unsafe tm()
    unsafe _ = localtime_r(&moment, &local)
    let (hour, minute, second) = unsafe (local.tm_hour, local.tm_min, local.tm_sec)
    let time = "\(two(hour)):\(two(minute))"
    return delay < 120_000_000 ? "\(time):\(two(second))" : time
  }

  /// Returns the delay in microseconds until a clock in the local time zone next shows this time.
  package static func delay(untilHour hour: Int, minute: Int) -> Int64 {
    var now = timespec()
    unsafe _ = clock_gettime(CLOCK_REALTIME, &now)
    var second = now.tv_sec
    var today = unsafe tm()
    unsafe _ = localtime_r(&second, &today)
    var next = second
    for day in 0...1 where next <= second {
      var local = unsafe today
      unsafe local.tm_mday += CInt(day)
      // The clock may be changed in between.
      unsafe (local.tm_hour, local.tm_min, local.tm_sec, local.tm_isdst) = (CInt(hour), CInt(minute), 0, -1)
      next = unsafe mktime(&local)
    }
    return Int64(next - second) * 1_000_000 - Int64(now.tv_nsec) / 1000
  }

  private static func two(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
