import EventLoop
import Playback
import Synchronization

/// Carries out the measurements that the process of an engine requests, in an inspection process of their own.
///
/// A file that ends that process is marked there. It interrupts neither playback nor an inspection, and no other file is
/// open that could be at fault. The process starts with the first measurement, and ends when it had none for some time.
///
/// Invariant: one measurement is open at most.
final class LoudnessMeasurements: Sendable {
  private struct State {
    var settings = MediaSettings()
    var process: InspectionProcess?
    var count = 0
    /// The open measurement: its number, and that of its request.
    var open: (number: Int, request: Int, task: Task<Void, Never>)?
    /// The files whose failure was reported.
    var reported: Set<String> = []
    var isClosed = false
  }

  /// The time without a measurement after which the process ends; the next one follows with the next item.
  private static let idleTime = Duration.seconds(10)
  /// The files whose failure is remembered at most.
  private static let reportLimit = 10_000

  private let program: Player.Configuration.Engine
  private let log: EngineLog
  private let state = Mutex(State())

  /// Creates the client of a process, which starts with the first measurement.
  init(_ program: Player.Configuration.Engine, _ log: @escaping EngineLog) {
    self.program = program
    self.log = log
  }

  /// The number of measurements that have begun.
  var count: Int { state.withLock { $0.count } }

  func apply(_ settings: MediaSettings) {
    state.withLock { state in
      state.settings = settings
      state.process?.apply(settings)
    }
  }

  /// Begins a measurement.
  ///
  /// - Parameters:
  ///   - uri: The URI of the file.
  ///   - request: The number of the request.
  ///   - includesTagged: Whether a file with loudness tags is measured.
  ///   - report: Called once with the loudness, nil without one; and with the error if the process has ended, once for
  ///     each file.
  /// - Throws: ``WireError`` if another measurement is open.
  func begin(
    _ uri: String, request: Int, includingTagged includesTagged: Bool,
    _ report: @escaping @Sendable (TrackLoudness?, PlayerError?) -> Void
  ) throws(WireError) {
    let isFirst = state.withLock { state in
      guard !state.isClosed else { return true }
      guard state.open == nil else { return false }
      let process = process(&state)
      state.count += 1
      let number = state.count
      // Its thread may wait for the file system.
      let task = Task(executorPreference: LoopTaskExecutor(process.loop)) { [self] in
        do throws(PlayerError) {
          let loudness = try await process.measureLoudness(of: uri, includingTagged: includesTagged)
          if finish(number) { report(loudness, nil) }
        } catch {
          if finish(number) { report(nil, isNews(error, uri) ? error : nil) }
        }
      }
      state.open = (number, request, task)
      return true
    }
    guard isFirst else { throw WireError("a second measurement") }
  }

  private func process(_ state: inout State) -> InspectionProcess {
    if let process = state.process { return process }
    var program = program
    program.idleTime = min(program.idleTime, Self.idleTime)
    let process = InspectionProcess(program, SandboxPolicy(hasSockets: false), log: log)
    process.apply(state.settings)
    state.process = process
    return process
  }

  /// Ends a measurement; false if it was cancelled.
  private func finish(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.open?.number == number else { return false }
      state.open = nil
      return true
    }
  }

  /// Whether the process has ended, and this was not reported for the file before.
  private func isNews(_ error: PlayerError, _ uri: String) -> Bool {
    guard error.code == .engineEnded else { return false }
    return state.withLock { state in
      if state.reported.count >= Self.reportLimit { state.reported = [] }
      return state.reported.insert(uri).inserted
    }
  }

  /// Cancels the measurement of a request, which reports nothing then; nil cancels any.
  func cancel(_ request: Int? = nil) {
    let task: Task<Void, Never>? = state.withLock { state in
      guard let open = state.open, request == nil || open.request == request else { return nil }
      state.open = nil
      return open.task
    }
    task?.cancel()
  }

  /// Cancels the measurement, and ends the process.
  func close() {
    cancel()
    let process = state.withLock { state in
      state.isClosed = true
      return state.process
    }
    process?.close()
  }

  /// Waits until the process has ended.
  func closed() async { await state.withLock { $0.process }?.closed() }
}

extension ProcessEngine {
  /// Carries out a measurement that a process has requested.
  ///
  /// - Throws: ``WireError`` if another measurement is open.
  func measure(_ uri: String, _ request: Int, for child: EngineChild) throws(WireError) {
    // The player may have replaced the files meanwhile. The process may be hostile, and request any other.
    guard child.files.isMeasured(uri) else {
      child.send(.measured(nil, request: request))
      return
    }
    let includesTagged = state.withLock { $0.configuration?.silenceTrimming != nil }
    try measurements.begin(uri, request: request, includingTagged: includesTagged) { [self] loudness, error in
      if let error {
        let warning = "the loudness of \(uri) is not measured: \(error.message)"
        loop.submit { [self] in state.withLock { $0.isClosed ? nil : $0.client }?.report(.warning(warning)) }
      }
      child.send(.measured(loudness, request: request))
    }
  }
}
