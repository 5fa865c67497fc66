import CLinux
import Glibc
import Synchronization

/// Runs a loop on a thread that waits in poll(2).
final class LoopThread: LoopHost {
  private let name: String
  /// The running thread; 0 if there is none.
  private let thread = Atomic<UInt>(0)
  /// An eventfd, readable when another thread has added work to the mailbox of a sleeping loop; negative if no descriptor
  /// was left.
  private let wakeup: CInt
  /// The reason why the first thread could not be started; nil if it was.
  private let reason: Mutex<String?>

  init(name: String) {
    self.name = name
    wakeup = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    reason = Mutex(wakeup < 0 ? Self.sentence("no file descriptor is left", errno) : nil)
  }

  deinit { if wakeup >= 0 { close(wakeup) } }

  var failure: String? { reason.withLock { $0 } }

  var now: SuspendingClock.Instant { .now }

  var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  func wake() {
    var one: UInt64 = 1
    unsafe write(wakeup, &one, MemoryLayout<UInt64>.size)
  }

  /// Starts a thread for the work of a loop.
  ///
  /// If no thread can be started, the caller runs a stopping loop to its end. A new loop then remains without a thread.
  func start(_ loop: PollLoop) {
    guard wakeup >= 0 || loop.isStopping else { return }
    let body = unsafe Unmanaged.passRetained(ThreadBody { self.run(loop) }).toOpaque()
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, nil, runThread, body)
    guard result != 0 else {
      pthread_detach(thread)
      return
    }
    unsafe Unmanaged<ThreadBody>.fromOpaque(body).release()
    guard !loop.isStopping else { return run(loop) }
    reason.withLock { $0 = Self.sentence("no thread is left", result) }
  }

  private static func sentence(_ shortage: String, _ code: CInt) -> String {
    "\(shortage): \(unsafe String(cString: strerror(code)))"
  }

  private func run(_ loop: PollLoop) {
    let identifier = UInt(pthread_self())
    thread.store(identifier, ordering: .relaxed)
    unsafe clinux_set_thread_name(name)
    var poller = Poller(wakeup: wakeup)
    while let count = loop.runWork() {
      let deadline = loop.withSources { sources in
        poller.update(sources)
        return sources.nextDeadline
      }
      poller.wait(count > 0 ? .zero : deadline.map { max(.zero, now.duration(to: $0)) }) { source, readiness in
        loop.withSources { $0.handler(of: source) }?(readiness)
      }
      loop.runDueTimers()
    }
    // Another loop's thread may get the identifier next. A new thread of this loop may have stored its own already.
    _ = thread.compareExchange(expected: identifier, desired: 0, ordering: .relaxed)
  }
}

/// The work of a thread; the thread retains it.
private final class ThreadBody {
  let run: () -> Void

  init(_ run: @escaping () -> Void) { self.run = run }
}

private func runThread(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let body = unsafe body else { return nil }
  unsafe Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run()
  return nil
}
