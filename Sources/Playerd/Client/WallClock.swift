import Glibc

/// Local times of day.
enum WallClock {
  /// The local time after a delay in microseconds, as `HH:MM`, or `HH:MM:SS` for a delay below two minutes.
  static func time(after delay: Int64) -> String {
    var now = timespec()
    unsafe _ = clock_gettime(CLOCK_REALTIME, &now)
    var moment = now.tv_sec + Int((Double(delay) / 1e6).rounded())
    var local = unsafe tm()
    unsafe _ = localtime_r(&moment, &local)
    let (hour, minute, second) = unsafe (local.tm_hour, local.tm_min, local.tm_sec)
    let time = "\(two(hour)):\(two(minute))"
    return delay < 120_000_000 ? "\(time):\(two(second))" : time
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
