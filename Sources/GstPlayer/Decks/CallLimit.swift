import Playback

/// The time limit of calls that may never return, such as calls into a sink whose sound server does not answer.
///
/// A call cannot be cancelled: objects that wait for it are abandoned, and are released if the call returns later.
struct CallLimit: Sendable {
  private let watchdog: PipelineWatchdog
  private let time: Duration
  private let overdue: @Sendable () -> Bool

  /// Creates a limit; `overdue` is called on the queue of the watchdog for each call that takes longer, and again after the
  /// same time until it returns true.
  init(_ watchdog: PipelineWatchdog, _ time: Duration, overdue: @escaping @Sendable () -> Bool) {
    (self.watchdog, self.time, self.overdue) = (watchdog, time, overdue)
  }

  /// Runs a call.
  func run<Result, Failure>(_ call: () throws(Failure) -> Result) throws(Failure) -> Result {
    let ticket = watchdog.expect(within: time, overdue: overdue)
    defer { watchdog.done(ticket) }
    return try call()
  }
}
