import CGst
import Dispatch
import Playback
import Synchronization

/// Has files measured ahead of their playback, one at a time, for their gain and for the silence at their ends.
///
/// Without an announced file nothing runs, and nothing wakes up.
final class LoudnessService: Sendable {
  /// Starts the measurement of a file, and returns the function that cancels it; it then reports nothing.
  typealias Measure = @Sendable (String, @escaping @Sendable (LoudnessPlan.Outcome) -> Void) -> @Sendable () -> Void

  private struct State {
    var plan: LoudnessPlan
    /// The file that is read from the cache or measured.
    var current: String?
    /// Ends the present measurement; nil while the cache is read.
    var cancel: (@Sendable () -> Void)?
    /// The keys in the cache of the files that are measured, or whose results are kept.
    var keys: [String: LoudnessCache.Key] = [:]
    var writes = 0
    /// The files that were opened before they are measured, the newest, and the functions that receive their silence.
    var awaited: [(uri: String, report: @Sendable (Duration) -> Void)] = []
  }

  /// The number of open files that may await their measurement: the present one and those of a crossfade, and gapless successors.
  private static let awaitedLimit = 8

  private let state: Mutex<State>
  private let cache: LoudnessCache?
  private let measure: Measure
  /// Whether the gain, or the silence, is used.
  private let uses: (gain: Bool, silence: Bool)
  /// A queue with its own thread, which opens files.
  private let queue = DispatchQueue(label: "GstPlayer.LoudnessService", qos: .utility)

  /// Creates a service; nil unless the configuration requests measurements.
  init?(_ configuration: Player.Configuration, measure: @escaping Measure) {
    let gain = configuration.replayGain.flatMap { $0.measurement == nil ? nil : $0 }
    guard let measurement = gain?.measurement ?? configuration.silenceTrimming else { return nil }
    uses = (gain != nil, configuration.silenceTrimming != nil)
    state = Mutex(State(plan: LoudnessPlan(mode: gain?.mode ?? .track)))
    cache = measurement.cacheFolder.map { LoudnessCache(folder: $0) }
    self.measure = measure
  }

  /// Replaces the files to measure; a measurement of another file is cancelled.
  func announce(_ groups: [[String]]) {
    state.withLock { state in
      state.plan.announce(groups)
      guard let current = state.current, !state.plan.wants(current) else { return }
      state.current = nil
      // Under the lock, so that the next measurement begins afterwards.
      state.cancel.take()?()
    }
    queue.async { self.continueMeasuring() }
  }

  /// Decides the gain of an item that is about to be opened; nil plays it unchanged.
  ///
  /// It may read the result from the cache, on the thread that opens the item.
  func gain(for uri: String, asSuccessor: Bool = false) -> LoudnessGain? {
    readCache(of: uri)
    return uses.gain ? state.withLock { $0.plan.open(uri, asSuccessor: asSuccessor) } : nil
  }

  /// Reports the time from which a file that was opened is silent to its end, when that is known and if there is one.
  func reportSilence(of uri: String, _ report: @escaping @Sendable (Duration) -> Void) {
    guard uses.silence else { return }
    readCache(of: uri)
    let silence = state.withLock { state in
      if !state.plan.knows(uri) {
        state.awaited = state.awaited.suffix(Self.awaitedLimit - 1) + [(uri, report)]
      }
      return state.plan.silence(of: uri)
    }
    if let silence { report(silence) }
  }

  func close() { announce([]) }

  // MARK: On the queue

  private func continueMeasuring() {
    let uri = state.withLock { state in
      guard state.current == nil, let next = state.plan.next else { return nil as String? }
      state.current = next
      return next
    }
    guard let uri else { return }
    if let result = cached(uri) { return finish(.measured(result), of: uri, isNew: false) }
    let cancel = measure(uri) { [weak self] outcome in
      guard let self else { return }
      queue.async { self.finish(outcome, of: uri, isNew: true) }
    }
    let isWanted = state.withLock { state in
      guard state.current == uri else { return false }
      state.cancel = cancel
      return true
    }
    if !isWanted { cancel() }
  }

  private func finish(_ outcome: LoudnessPlan.Outcome, of uri: String, isNew: Bool) {
    // The result of a measurement that was cancelled too late is valid too.
    if isNew, case .measured(let result) = outcome { store(result, for: uri) }
    state.withLock { state in if state.current == uri { (state.current, state.cancel) = (nil, nil) } }
    note(outcome, for: uri)
    continueMeasuring()
  }

  private func note(_ outcome: LoudnessPlan.Outcome, for uri: String) {
    let (changed, silence, reports) = state.withLock { state in
      let changed = state.plan.note(outcome, for: uri)
      let reports = state.awaited.filter { $0.uri == uri }.map(\.report)
      state.awaited.removeAll { $0.uri == uri }
      return (changed, state.plan.silence(of: uri), reports)
    }
    for (uri, track) in changed { store(track, for: uri) }
    if let silence { for report in reports { report(silence) } }
  }

  // MARK: The cache

  /// The number of files whose keys are kept.
  var keyCount: Int { state.withLock { $0.keys.count } }

  private func readCache(of uri: String) {
    let isKnown = state.withLock { $0.plan.knows(uri) }
    if !isKnown, let result = cached(uri) { note(.measured(result), for: uri) }
  }

  private func cached(_ uri: String) -> TrackLoudness? {
    guard let cache, let path = LocalFile.path(of: uri), let key = LoudnessCache.Key(ofFileAt: path) else { return nil }
    state.withLock { state in
      state.keys = state.keys.filter { state.plan.knows($0.key) || $0.key == state.current }
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
