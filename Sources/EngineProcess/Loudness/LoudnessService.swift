import Dispatch
package import Playback
import Synchronization
import TextCoding

/// Measures files ahead of their playback, one at a time, for their gain and for the silence at their ends.
///
/// Without an announced file, nothing runs and nothing wakes up.
package final class LoudnessService: LoudnessSource {
  /// A function that measures a file, called on a thread that may wait for the file system; nil if it is not measured.
  package typealias Measure =
    @Sendable (_ uri: String, _ includesTagged: Bool) async throws(PlayerError) -> TrackLoudness?

  struct State {
    var results: LoudnessResults
    /// Nil when the service is closed.
    var report: (@Sendable (LoudnessReport) -> Void)?
    /// The file that is read from the cache or measured.
    var current: String?
    /// The present measurement; nil while the cache is read.
    var task: Task<Void, Never>?
    /// The keys in the cache of the files that are measured, or whose results are kept.
    var keys: [String: LoudnessCache.Key] = [:]
    var writes = 0
    /// The number of requests, and the last one whose gain was decided.
    var requests = (count: 0, decided: 0)
    /// The streams that were opened before their files are measured, the newest.
    var awaited: [(uri: String, stream: StreamToken)] = []
    /// The files whose failure was reported.
    var warned: Set<String> = []
  }

  /// The number of open files that may await their measurement: the present file, the files of a crossfade, and gapless
  /// successors.
  private static let awaitedLimit = 8
  /// The files whose failure is remembered at most.
  private static let warningLimit = 10_000
  /// The time without a measurement after which the process ends; the next one follows with the next item.
  private static let idleTime = Duration.seconds(10)

  private let state: Mutex<State>
  private let cache: LoudnessCache?
  private let measure: Measure
  /// The process that measures; nil if this one does.
  private let process: InspectionProcess?
  /// Whether the gain, or the silence, is used.
  private let uses: (gain: Bool, silence: Bool)
  /// A queue with its own thread, which opens files.
  private let queue = DispatchQueue(label: "EngineProcess.LoudnessService", qos: .utility)
  private let executor: MeasuringExecutor

  /// Creates a service that measures by a function; nil unless the configuration requests measurements.
  package convenience init?(
    _ configuration: Player.Configuration, digest: @escaping LoudnessCache.Digest, measure: @escaping Measure
  ) {
    self.init(configuration, digest, nil, measure)
  }

  /// Creates a service that measures in a separate inspection process; nil unless the configuration requests
  /// measurements.
  ///
  /// A file that ends this process is marked there. Playback and inspections continue, and no other file is open that
  /// could be at fault. The process starts with the first measurement, and ends after some time without measurements.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the player, with the path of the program.
  ///   - digest: The function that names results.
  ///   - log: Receives the messages of libraries in the process.
  package convenience init?(
    _ configuration: Player.Configuration, digest: @escaping LoudnessCache.Digest,
    log: @escaping EngineLog = { text, _ in EngineService.report(text) }
  ) {
    guard configuration.measuresFiles else { return nil }
    var program = configuration.engine
    program.idleTime = min(program.idleTime, Self.idleTime)
    let process = InspectionProcess(program, .files, log: log)
    self.init(configuration, digest, process) { uri, includesTagged throws(PlayerError) in
      try await process.measureLoudness(of: uri, includingTagged: includesTagged)
    }
  }

  private init?(
    _ configuration: Player.Configuration, _ digest: @escaping LoudnessCache.Digest, _ process: InspectionProcess?,
    _ measure: @escaping Measure
  ) {
    let gain = configuration.measuredGain
    guard let measurement = gain?.measurement ?? configuration.silenceTrimming else { return nil }
    uses = (gain != nil, configuration.silenceTrimming != nil)
    state = Mutex(State(results: LoudnessResults(mode: gain?.mode ?? .track)))
    cache = measurement.cacheFolder.map { LoudnessCache(folder: $0, digest: digest) }
    (self.process, self.measure) = (process, measure)
    executor = MeasuringExecutor(queue: queue)
  }

  // MARK: The player

  package func open(_ report: @escaping @Sendable (LoudnessReport) -> Void) {
    state.withLock { $0.report = report }
  }

  /// Replaces the settings of the process.
  package func apply(_ settings: MediaSettings) { process?.apply(settings) }

  /// Replaces the files to measure; a measurement of another file is cancelled.
  package func announce(_ groups: [[String]]) {
    state.withLock { state in
      state.results.announce(groups)
      guard let current = state.current, !state.results.wants(current) else { return }
      state.current = nil
      // Under the lock, so that the next measurement begins afterwards.
      state.task.take()?.cancel()
    }
    queue.async { self.continueMeasuring() }
  }

  package func request(_ uri: String, for stream: StreamToken, asSuccessor isSuccessor: Bool) {
    let number = state.withLock { state in
      state.requests.count += 1
      return state.requests.count
    }
    let answer: @Sendable () -> Void = { [self] in
      let (report, gain, silence) = state.withLock { state in
        let gain = uses.gain ? state.gain(for: uri, number, asSuccessor: isSuccessor) : nil
        if uses.silence, !state.results.knows(uri) {
          state.awaited = state.awaited.suffix(Self.awaitedLimit - 1) + [(uri, stream)]
        }
        return (state.report, gain, uses.silence ? state.results.silence(of: uri) : nil)
      }
      if uses.gain { report?(.gain(gain, of: stream)) }
      if let silence { report?(.silence(from: silence, of: stream)) }
    }
    let runs = DiskThread.run { [self] in
      readCache(of: uri)
      answer()
    }
    if !runs { queue.async(execute: answer) }
  }

  package func close() {
    state.withLock { $0.report = nil }
    announce([])
    process?.close()
  }

  package func closed() async { await process?.closed() }

  // MARK: On the queue

  private func continueMeasuring() {
    let uri = state.withLock { state in
      guard state.current == nil, let next = state.results.next else { return nil as String? }
      state.current = next
      return next
    }
    guard let uri else { return }
    let runs = DiskThread.run { [self] in
      let result = cached(uri)
      queue.async { [self] in
        if let result { return finish(.measured(result), of: uri, isNew: false) }
        state.withLock { state in
          guard state.current == uri, state.task == nil else { return }
          state.task = Task(executorPreference: executor) { await self.measure(uri) }
        }
      }
    }
    // The next announcement begins again.
    if !runs { state.withLock { $0.current = nil } }
  }

  private func measure(_ uri: String) async {
    let outcome: LoudnessResults.Outcome
    do throws(PlayerError) {
      outcome = LoudnessResults.Outcome(try await measure(uri, uses.silence))
    } catch {
      guard error.code != .cancelled else { return }
      if error.code == .engineEnded { warn(uri, error.message) }
      outcome = .none
    }
    queue.async { self.finish(outcome, of: uri, isNew: true) }
  }

  /// Reports once for each file that the process has ended.
  private func warn(_ uri: String, _ reason: String) {
    let report = state.withLock { state in
      if state.warned.count >= Self.warningLimit { state.warned = [] }
      return state.warned.insert(uri).inserted ? state.report : nil
    }
    report?(.warning("the loudness of \(uri) is not measured: \(reason)"))
  }

  private func finish(_ outcome: LoudnessResults.Outcome, of uri: String, isNew: Bool) {
    // The result of a measurement that was cancelled too late is valid too.
    if isNew, case .measured(let result) = outcome { store(result, for: uri) }
    state.withLock { state in if state.current == uri { (state.current, state.task) = (nil, nil) } }
    note(outcome, for: uri)
    continueMeasuring()
  }

  private func note(_ outcome: LoudnessResults.Outcome, for uri: String) {
    let (changed, report, silence, streams) = state.withLock { state in
      let changed = state.results.note(outcome, for: uri)
      let streams = state.awaited.filter { $0.uri == uri }.map(\.stream)
      state.awaited.removeAll { $0.uri == uri }
      return (changed, state.report, state.results.silence(of: uri), streams)
    }
    for (uri, track) in changed { store(track, for: uri) }
    if let silence { for stream in streams { report?(.silence(from: silence, of: stream)) } }
  }

  // MARK: The cache

  /// The number of files whose keys are kept.
  var keyCount: Int { state.withLock { $0.keys.count } }

  private func readCache(of uri: String) {
    let isKnown = state.withLock { $0.results.knows(uri) }
    if !isKnown, let result = cached(uri) { note(.measured(result), for: uri) }
  }

  private func cached(_ uri: String) -> TrackLoudness? {
    guard let cache, let file = FileReference(uri) else { return nil }
    let path = file.longPath ?? file.path
    guard !path.contains(0), let key = cache.key(ofFileAt: path) else { return nil }
    state.withLock { state in
      state.keys = state.keys.filter { state.results.knows($0.key) || $0.key == state.current }
      state.keys[uri] = key
    }
    return cache.read(key)
  }

  private func store(_ result: TrackLoudness, for uri: String) {
    guard let cache else { return }
    let (key, isPruning) = state.withLock { state in
      let key = state.keys[uri]
      if key != nil { state.writes += 1 }
      return (key, state.writes % 64 == 1)
    }
    guard let key else { return }
    cache.write(result, for: key)
    if isPruning { cache.prune() }
  }
}

extension LoudnessService.State {
  /// Decides the gain for a request; nil plays the stream unchanged.
  mutating func gain(for uri: String, _ number: Int, asSuccessor isSuccessor: Bool) -> LoudnessGain? {
    // The file system was slow, and another item has been opened since.
    guard number > requests.decided else { return nil }
    requests.decided = number
    return results.open(uri, asSuccessor: isSuccessor)
  }
}

/// Carries out measurements on a queue: the shared threads of libdispatch would wake the process once a second.
private final class MeasuringExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
