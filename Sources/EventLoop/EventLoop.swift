import CLinux
import Glibc
import Synchronization

/// One thread that waits in poll(2) and runs everything of the connections that live on it.
///
/// It is the executor of those connections: their state, and libdbus, are touched on this thread only, and whoever
/// claims to be on it and is not traps. It never wakes up without a cause: a ready descriptor, a due timer, a job.
public final class EventLoop: SerialExecutor, Sendable {
  private let name: String
  private let mailbox = Mutex(Mailbox())
  private let sources = Mutex(EventSources())
  /// The running thread, 0 when there is none.
  private let thread = Atomic<UInt>(0)
  /// An eventfd: readable when another thread has put something into the mailbox of a sleeping loop.
  private let wakeup: CInt

  /// Starts the thread.
  ///
  /// - Parameter name: What debuggers show; Linux keeps 15 bytes of it.
  public init(name: String) {
    self.name = name
    wakeup = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    precondition(wakeup >= 0, "eventfd: no file descriptor left")
    mailbox.withLock { $0.isRunning = true }
    start()
  }

  deinit { close(wakeup) }

  /// Closes the connections on this loop and ends the thread when nothing is left to do.
  ///
  /// Jobs that arrive later still run, on a thread that lasts as long as they do.
  public func stop() {
    submit {
      for handler in self.sources.withLock({ $0.removeAll() }) { handler(.stopped) }
    }
    mailbox.withLock { $0.isStopping = true }
    wake()
  }
}

// MARK: - Executor

extension EventLoop {
  /// Takes a job of the Swift runtime.
  public func enqueue(_ job: consuming ExecutorJob) { put(.job(UnownedJob(job))) }

  /// Traps on every thread but the loop's.
  public func checkIsolated() {
    precondition(isCurrent, "not on the thread of event loop '\(name)'")
  }

  /// Whether this is the loop's thread.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Runs a closure on the loop's thread, after what is already waiting.
  package func submit(_ work: @escaping @Sendable () -> Void) { put(.closure(work)) }

  package var isStopping: Bool { mailbox.withLock { $0.isStopping } }

  private var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  fileprivate func put(_ work: Work) {
    switch mailbox.withLock({ $0.put(work) }) {
    case .awake: break
    case .asleep: if !isCurrent { wake() }
    case .ended: start()
    }
  }

  private func wake() {
    var one: UInt64 = 1
    unsafe write(wakeup, &one, MemoryLayout<UInt64>.size)
  }
}

/// An event loop as the place of tasks that belong to no actor: `Task(executorPreference: LoopTaskExecutor(loop))`.
///
/// Such tasks hop to no other thread, and they leave the thread pool of libdispatch unused, whose monitor wakes a process
/// once a second for ever. They must not block.
public final class LoopTaskExecutor: TaskExecutor, Sendable {
  private let loop: EventLoop

  /// Creates the executor of a loop.
  public init(_ loop: EventLoop) { self.loop = loop }

  /// Takes a job of the Swift runtime.
  public func enqueue(_ job: consuming ExecutorJob) { loop.put(.task(UnownedJob(job), self)) }
}

/// What the loop is asked to run.
private enum Work {
  case job(UnownedJob)
  case task(UnownedJob, LoopTaskExecutor)
  case closure(@Sendable () -> Void)
}

/// What other threads leave for the loop.
private struct Mailbox {
  enum Receiver { case awake, asleep, ended }

  private var work: [Work] = []
  private var isAsleep = false
  var isRunning = false
  var isStopping = false

  /// Says what the receiver did until now; it is to be woken once for each sleep.
  mutating func put(_ item: Work) -> Receiver {
    work.append(item)
    defer {
      isAsleep = false
      isRunning = true
    }
    return !isRunning ? .ended : isAsleep ? .asleep : .awake
  }

  /// What waits; empty means that the loop goes to sleep now, nil that it ends.
  mutating func take() -> [Work]? {
    if work.isEmpty {
      isRunning = !isStopping
      isAsleep = isRunning
      return isRunning ? [] : nil
    }
    defer { work = [] }
    return work
  }
}

// MARK: - Descriptors and timers

extension EventLoop {
  /// Watches a descriptor; the handler runs on the loop's thread until the source is removed.
  package func watch(
    _ descriptor: CInt, for interest: Readiness, _ handler: @escaping @Sendable (Readiness) -> Void
  ) -> EventSources.ID {
    sources.withLock { $0.insert(descriptor, interest, handler) }
  }

  /// Changes what a source waits for; nothing at all lets it rest.
  package func setInterest(_ interest: Readiness, of source: EventSources.ID) {
    sources.withLock { $0.setInterest(interest, of: source) }
  }

  package func remove(_ source: EventSources.ID) { sources.withLock { $0.remove(source) } }

  /// Runs a closure once on the loop's thread when a time has passed, suspension of the machine not counted.
  package func timer(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> EventSources.ID {
    defer { if !isCurrent { wake() } }
    return sources.withLock { $0.insertTimer(at: .now.advanced(by: delay), action) }
  }

  package func cancelTimer(_ timer: EventSources.ID) { sources.withLock { $0.removeTimer(timer) } }
}

// MARK: - The thread

extension EventLoop {
  private func start() {
    let this = unsafe Unmanaged.passRetained(self).toOpaque()
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, nil, runEventLoop, this)
    precondition(result == 0, "pthread_create: no thread left")
    pthread_detach(thread)
  }

  fileprivate func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    unsafe clinux_set_thread_name(name)
    var poller = Poller(wakeup: wakeup)
    while let work = mailbox.withLock({ $0.take() }) {
      for item in work { run(item) }
      let timeout = sources.withLock { sources in
        poller.update(sources)
        return work.isEmpty ? sources.timeToNextTimer : .zero
      }
      poller.wait(timeout)
      poller.forEachReady { source, readiness in
        sources.withLock { $0.handler(of: source) }?(readiness)
      }
      while let action = sources.withLock({ $0.takeDueTimer() }) { action() }
    }
  }

  private func run(_ work: Work) {
    switch work {
    case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    case .task(let job, let executor): unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
    case .closure(let closure): closure()
    }
  }
}

/// The thread's body; it holds the loop for as long as it runs.
private func runEventLoop(_ loop: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let loop = unsafe loop else { return nil }
  unsafe Unmanaged<EventLoop>.fromOpaque(loop).takeRetainedValue().run()
  return nil
}
