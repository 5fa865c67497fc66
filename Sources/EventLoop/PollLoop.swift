import Synchronization

/// A thread that waits in poll(2) and runs all code of the connections on it.
///
/// The loop is the executor of those connections: their state and libdbus are used on this thread only, and isolated
/// code on another thread traps. The loop wakes up only for a ready descriptor, a due timer or a job.
///
/// If the process has no more threads or descriptors for it, the loop is stopped from the beginning, and connections cannot be
/// opened on it.
public final class PollLoop: SerialExecutor, Sendable {
  private let name: String
  private let host: any LoopHost
  private let mailbox = Mutex(Mailbox())
  private let sources = Mutex(EventSources())

  /// Starts the thread.
  ///
  /// - Parameter name: The thread name for debuggers; Linux keeps 15 bytes of it.
  public convenience init(name: String) { self.init(name: name, on: LoopThread(name: name)) }

  /// Starts a loop on its own host.
  package init(name: String, on host: any LoopHost) {
    self.name = name
    self.host = host
    host.start(self)
    guard host.failure != nil else { return }
    mailbox.withLock { $0.fail() }
    _ = sources.withLock { $0.stop() }
  }

  /// The reason why the loop could not start; nil if it did.
  package var failure: String? { host.failure }

  /// Closes the connections on this loop, and ends the thread when no work is left.
  ///
  /// Jobs that arrive later still run, on a new thread that ends with them.
  public func stop() {
    // First, so that no connection is opened after the sources have been notified.
    mailbox.withLock { $0.isStopping = true }
    submit {
      for notify in self.sources.withLock({ $0.stop() }) { notify() }
    }
  }
}

/// Runs a loop's work and provides its time: a thread, or a program with its own clock.
package protocol LoopHost: Sendable {
  /// The present instant; the deadlines of the timers refer to it.
  var now: SuspendingClock.Instant { get }

  /// Whether the host runs the caller.
  var isCurrent: Bool { get }

  /// The reason why the host could not begin its first work; nil if it did.
  var failure: String? { get }

  /// Begins to carry out a loop's work; called again for work that arrives after the loop has ended.
  func start(_ loop: PollLoop)

  /// Ends the wait of a sleeping loop.
  func wake()
}

extension LoopHost {
  package var failure: String? { nil }
}

// MARK: - Executor

extension PollLoop {
  /// Enqueues a job of the Swift runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    submit { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Traps on every thread except the loop's.
  public func checkIsolated() {
    precondition(host.isCurrent, "not on the thread of event loop '\(name)'")
  }

  /// Whether the current thread is the loop's.
  public func isIsolatingCurrentContext() -> Bool? { host.isCurrent }

  /// Runs a closure on the loop's thread, after the work that is queued already.
  package func submit(_ work: @escaping @Sendable () -> Void) {
    switch mailbox.withLock({ $0.put(Work(run: work)) }) {
    case .awake: break
    case .asleep: if !host.isCurrent { host.wake() }
    case .ended: host.start(self)
    }
  }

  package var isStopping: Bool { mailbox.withLock { $0.isStopping } }
}

/// An executor for tasks outside any actor, on an event loop: `Task(executorPreference: LoopTaskExecutor(loop))`.
///
/// Such tasks do not change the thread. They also avoid the thread pool of libdispatch, whose monitor wakes the process
/// once a second from its first use on. They must not block.
public final class LoopTaskExecutor: TaskExecutor, Sendable {
  private let loop: PollLoop

  /// Creates the executor of a loop.
  public init(_ loop: PollLoop) { self.loop = loop }

  /// Enqueues a job of the Swift runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.submit { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// An item of work; an array of closures would wrap each of them once more.
private struct Work {
  let run: @Sendable () -> Void
}

/// The work that other threads have submitted to the loop.
private struct Mailbox {
  enum Receiver { case awake, asleep, ended }

  private var work: [Work] = []
  private var receiver = Receiver.awake
  var isStopping = false

  /// Marks the receiver as ended: it did not start.
  mutating func fail() {
    isStopping = true
    receiver = .ended
  }

  /// Adds an item and returns the previous state of the receiver; it must be woken once for each sleep.
  mutating func put(_ item: Work) -> Receiver {
    work.append(item)
    defer { receiver = .awake }
    return receiver
  }

  /// Returns the waiting items; empty if the loop goes to sleep now, nil if it ends.
  mutating func take() -> [Work]? {
    if work.isEmpty {
      receiver = isStopping ? .ended : .asleep
      return isStopping ? nil : []
    }
    defer { work = [] }
    return work
  }
}

// MARK: - Descriptors and timers

extension PollLoop {
  /// Watches a descriptor; the handler runs on the loop's thread until the source is removed.
  package func watch(
    _ descriptor: CInt, for interest: Readiness, _ handler: @escaping @Sendable (Readiness) -> Void
  ) -> EventSources.ID {
    sources.withLock { $0.insert(descriptor, interest, handler) }
  }

  /// Changes the interest of a source; an empty set pauses the source.
  package func setInterest(_ interest: Readiness, of source: EventSources.ID) {
    sources.withLock { $0.setInterest(interest, of: source) }
  }

  package func remove(_ source: EventSources.ID) { sources.withLock { $0.remove(source) } }

  /// Runs a closure once on the loop's thread after a delay; the time during a suspension of the machine does not
  /// count.
  ///
  /// If the loop stops before, or has stopped, `stopped` is called instead.
  package func timer(
    after delay: Duration, stopped: (@Sendable () -> Void)? = nil, _ action: @escaping @Sendable () -> Void
  ) -> EventSources.ID {
    defer { if !host.isCurrent { host.wake() } }
    let (timer, isStopped) = sources.withLock { sources in
      (sources.insertTimer(at: now.advanced(by: delay), stopped: stopped, action), sources.isStopped)
    }
    if isStopped { stopped?() }
    return timer
  }

  package func cancelTimer(_ timer: EventSources.ID) { sources.withLock { $0.removeTimer(timer) } }
}

// MARK: - The host's part

extension PollLoop {
  /// The present instant of the loop's timers.
  package var now: SuspendingClock.Instant { host.now }

  /// The deadline of the next timer.
  package var nextDeadline: SuspendingClock.Instant? { sources.withLock { $0.nextDeadline } }

  /// Carries out the submitted work and returns its amount: 0 if the loop goes to sleep now, nil if it ends.
  package func runWork() -> Int? {
    guard let work = mailbox.withLock({ $0.take() }) else { return nil }
    for item in work { item.run() }
    return work.count
  }

  package func runDueTimers() {
    while let action = sources.withLock({ $0.takeTimer(dueAt: now) }) { action() }
  }

  /// Returns the descriptors and timers.
  func withSources<Result: Sendable>(_ body: (EventSources) -> Result) -> Result { sources.withLock { body($0) } }
}
