import Dispatch
import Playback
import Synchronization

/// Runs at most `limit` inspections at once; the others wait in order.
final class InspectionQueue: Sendable {
  /// The time that a stopped inspection has to return; then its thread counts as hung in GStreamer, and the next one
  /// starts.
  private static let grace = DispatchTimeInterval.seconds(5)

  private struct State {
    var running: [ObjectIdentifier: (inspection: Inspection, watchdog: any DispatchSourceTimer)] = [:]
    var waiting: [Inspection] = []
    var isClosed = false
  }

  private let limit: Int
  let timeout: Duration
  private let watchdogs = DispatchQueue(label: "org.playerd.inspection.watchdogs", qos: .utility)
  private let state = Mutex(State())

  init(limit: Int, timeout: Duration) {
    self.limit = limit
    self.timeout = timeout
  }

  /// Starts an inspection, or appends it to the queue.
  func enter(_ inspection: Inspection) {
    let isOpen = state.withLock { state in
      // An inspection that is already cancelled must not wait in the queue.
      if !state.isClosed, !inspection.isSettled { state.waiting.append(inspection) }
      return !state.isClosed
    }
    if !isOpen { inspection.settle(.failure(PlayerError(code: .cancelled, message: "the inspector is closed"))) }
    startNext()
  }

  /// Cancels an inspection; one that is still waiting leaves the queue at once.
  func withdraw(_ inspection: Inspection) {
    inspection.stop(PlayerError(code: .cancelled, message: "the inspection was cancelled"))
    state.withLock { $0.waiting.removeAll { $0 === inspection } }
  }

  func close() {
    let ended = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting + state.running.values.map(\.inspection)
    }
    for inspection in ended { inspection.stop(PlayerError(code: .cancelled, message: "the inspector is closed")) }
  }

  /// The number of running inspections.
  var runningCount: Int { state.withLock { $0.running.count } }
  /// The waiting inspections, the next one first.
  var waiting: [Inspection] { state.withLock { $0.waiting } }

  private func startNext() {
    let started = state.withLock { state in
      let next = Array(state.waiting.prefix(max(0, limit - state.running.count)))
      state.waiting.removeFirst(next.count)
      for inspection in next {
        state.running[ObjectIdentifier(inspection)] = (inspection, makeWatchdog(for: inspection))
      }
      return next
    }
    for inspection in started {
      // A private queue has its own thread, which may block.
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

  /// Makes a timer that ends an inspection after the time-out, and frees its slot if it does not return within the
  /// grace period.
  private func makeWatchdog(for inspection: Inspection) -> any DispatchSourceTimer {
    let watchdog = DispatchSource.makeTimerSource(queue: watchdogs)
    watchdog.schedule(deadline: .now() + .nanoseconds(Int(max(0, timeout.wholeNanoseconds))), repeating: Self.grace)
    watchdog.setEventHandler { [timeout] in
      if !inspection.stop(PlayerError(code: .loadTimeout, message: "timed out loading after \(timeout)")) {
        self.leave(inspection)
      }
    }
    watchdog.activate()
    return watchdog
  }
}

/// One inspection; it is settled once, by its end, its time-out or its cancellation.
final class Inspection: Sendable {
  typealias Answer = Result<MediaDescription, PlayerError>

  private struct State {
    var answer: Answer?
    var completion: (@Sendable (Answer) -> Void)?
  }

  private let uri: String
  private let headers: HTTPRequestHeaders?
  private let watch = DiscoveryWatch()
  private let state = Mutex(State())

  init(_ uri: String, headers: HTTPRequestHeaders? = nil) {
    self.uri = uri
    self.headers = headers
  }

  var isSettled: Bool { state.withLock { $0.answer != nil } }

  /// Calls `completion` with the answer, now or when it is known.
  func deliver(to completion: @escaping @Sendable (Answer) -> Void) {
    let answer = state.withLock { state in
      if state.answer == nil { state.completion = completion }
      return state.answer
    }
    if let answer { completion(answer) }
  }

  /// Settles the inspection; returns false if it was settled before.
  @discardableResult
  func settle(_ answer: Answer) -> Bool {
    let (isFirst, completion) = state.withLock { state -> (Bool, (@Sendable (Answer) -> Void)?) in
      guard state.answer == nil else { return (false, nil) }
      state.answer = answer
      return (true, state.completion.take())
    }
    completion?(answer)
    return isFirst
  }

  /// Settles the inspection with an error and stops the discoverer; returns false if it was settled before.
  @discardableResult
  func stop(_ error: PlayerError) -> Bool {
    guard settle(.failure(error)) else { return false }
    watch.stop()
    return true
  }

  /// Blocks until the discoverer is done; returns at once if the inspection is already settled.
  func run(within timeout: Duration) {
    guard !isSettled else { return }
    do throws(PlayerError) {
      if let shortage = Shortage.failure { throw shortage }
      // GStreamer parses the URI.
      try GStreamer.initialize()
      let headers = RequestHeaders(uri, headers)
      settle(.success(try Discovery.describe(uri, within: timeout, watch: watch, headers: headers)))
    } catch {
      settle(.failure(error))
    }
  }
}
