import Dispatch
import Playback
import Synchronization

/// Who is inspected and who waits: so many at once, the rest in order.
final class InspectionDesk: Sendable {
  /// How long a stopped inspection may take to come back before its place is given to the next; its thread hangs inside
  /// GStreamer.
  private static let grace = DispatchTimeInterval.seconds(5)

  private struct Running {
    let inspection: Inspection
    let watchdog: any DispatchSourceTimer
  }

  private struct State {
    var running: [ObjectIdentifier: Running] = [:]
    var waiting: [Inspection] = []
    var isClosed = false
  }

  private let limit: Int
  private let timeout: Duration
  private let watchdogs = DispatchQueue(label: "org.playerd.inspection.watchdogs", qos: .utility)
  private let state = Mutex(State())

  init(limit: Int, timeout: Duration) {
    self.limit = limit
    self.timeout = timeout
  }

  /// Begins an inspection, or puts it at the end of the line.
  func enter(_ inspection: Inspection) {
    let isOpen = state.withLock { state in
      // One that was cancelled before it came here would otherwise wait for its turn.
      if !state.isClosed, !inspection.isSettled { state.waiting.append(inspection) }
      return !state.isClosed
    }
    if !isOpen { inspection.settle(.failure(PlayerError(.cancelled, "the inspector is closed"))) }
    startNext()
  }

  /// Nobody wants the answer any more; one that waits leaves the line at once.
  func withdraw(_ inspection: Inspection) {
    inspection.stop(PlayerError(.cancelled, "the inspection was cancelled"))
    state.withLock { $0.waiting.removeAll { $0 === inspection } }
  }

  func close() {
    let ended = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting + state.running.values.map(\.inspection)
    }
    for inspection in ended { inspection.stop(PlayerError(.cancelled, "the inspector is closed")) }
  }

  /// How many run.
  var runningCount: Int { state.withLock { $0.running.count } }
  /// Those that wait, the next one first.
  var waiting: [Inspection] { state.withLock { $0.waiting } }

  private func startNext() {
    let started = state.withLock { state in
      let next = Array(state.waiting.prefix(max(0, limit - state.running.count)))
      state.waiting.removeFirst(next.count)
      for inspection in next {
        state.running[ObjectIdentifier(inspection)] = Running(
          inspection: inspection, watchdog: makeWatchdog(for: inspection))
      }
      return next
    }
    for inspection in started {
      // A queue of its own has a thread of its own, which may block.
      DispatchQueue(label: "GstPlayer.MediaInspector", qos: .utility).async { [timeout] in
        inspection.run(within: timeout)
        self.leave(inspection)
      }
    }
  }

  private func leave(_ inspection: Inspection) {
    state.withLock { $0.running.removeValue(forKey: ObjectIdentifier(inspection))?.watchdog.cancel() }
    startNext()
  }

  /// Ends an inspection after its time, and gives its place away when it does not come back from that.
  private func makeWatchdog(for inspection: Inspection) -> any DispatchSourceTimer {
    let watchdog = DispatchSource.makeTimerSource(queue: watchdogs)
    watchdog.schedule(deadline: .now() + .nanoseconds(Int(max(0, timeout.wholeNanoseconds))), repeating: Self.grace)
    watchdog.setEventHandler { [timeout] in
      if !inspection.stop(PlayerError(.loadTimeout, "nothing came of it within \(timeout)")) { self.leave(inspection) }
    }
    watchdog.activate()
    return watchdog
  }
}

/// One inspection: it is answered once, by its end, its time-out or its cancellation, whichever comes first.
final class Inspection: Sendable {
  typealias Answer = Result<MediaDescription, PlayerError>

  private struct State {
    var answer: Answer?
    var waiter: CheckedContinuation<Answer, Never>?
  }

  private let uri: String
  private let watch = DiscoveryWatch()
  private let state = Mutex(State())

  init(_ uri: String) { self.uri = uri }

  var isSettled: Bool { state.withLock { $0.answer != nil } }

  /// Hands the answer, present or future, to the one who asked.
  func deliver(to waiter: CheckedContinuation<Answer, Never>) {
    let answer = state.withLock { state in
      if state.answer == nil { state.waiter = waiter }
      return state.answer
    }
    if let answer { waiter.resume(returning: answer) }
  }

  /// Answers; false when it was answered before.
  @discardableResult
  func settle(_ answer: Answer) -> Bool {
    let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Answer, Never>?) in
      guard state.answer == nil else { return (false, nil) }
      state.answer = answer
      return (true, state.waiter.take())
    }
    waiter?.resume(returning: answer)
    return isFirst
  }

  /// Answers with an error and ends what runs; false when it was answered before.
  @discardableResult
  func stop(_ error: PlayerError) -> Bool {
    guard settle(.failure(error)) else { return false }
    watch.stop()
    return true
  }

  /// Blocks until the discoverer is done, unless it has been answered already.
  func run(within timeout: Duration) {
    guard !isSettled else { return }
    do throws(PlayerError) {
      settle(.success(try Discovery.describe(uri, within: timeout, watch: watch)))
    } catch {
      settle(.failure(error))
    }
  }
}
