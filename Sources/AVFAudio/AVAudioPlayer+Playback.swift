import Foundation
import GstPlayer
import Synchronization

/// The state of an ``AVAudioPlayer`` in addition to the state of its `Player`.
struct AVAudioPlayerState {
  /// The delegate, which is only called on the main queue.
  struct WeakDelegate: @unchecked Sendable {  // the reference is only read, under the lock of the state
    weak var value: (any AVAudioPlayerDelegate)?
  }

  var delegate = WeakDelegate()
  var loops = 0
  /// The repetitions that are not in the queue yet.
  var remaining = 0
  var volume: Float = 1
  var pan: Float = 0
  var rate: Float = 1
  var isRateEnabled = false
  var isMetered = false
  var levels: [ChannelLevel] = []
  var channelAssignments: [AVAudioSessionChannelDescription]?
  /// The identifier of the selected output, and the search for it.
  var device: String?
  var search: Task<Void, Never>?
  var observation: Player.Observer?
  /// Whether the play in progress has failed.
  var hasFailed = false
}

/// Each play of the audio is an item of the queue, so repetitions follow without a gap and are counted exactly.
extension AVAudioPlayer {
  /// The number of repetitions that the queue holds in advance, as the output may hold many short sounds.
  private static let ahead = 64

  func begin() {
    let observation = player.addEventObserver { [weak self] event, _ in self?.receive(event) }
    state.withLock { $0.observation = observation }
  }

  // MARK: Commands

  /// Loads the audio unless it is loaded.
  func prepare() {
    state.withLock { state in fillQueue(&state) }
    player.load()
  }

  func start() {
    prepare()
    player.play()
    activity.request()
    changed()
  }

  func start(at time: TimeInterval) {
    guard time.isFinite else { return start() }
    prepare()
    // In nanoseconds; a year has 3e16.
    player.play(at: MonotonicTime(nanoseconds: Int64(min(max(0, time * 1e9), 9e18))))
    activity.request()
    changed()
  }

  func halt() {
    player.pause()
    changed()
  }

  func seek(to time: TimeInterval) {
    guard time.isFinite else { return }
    prepare()
    player.seek(to: .seconds(min(max(0, time), 1e9)))
  }

  func setLoops(_ loops: Int) {
    state.withLock { state in
      state.loops = loops
      // The items of an earlier play, or none, are replaced at the next start.
      guard player.snapshot.transport != .stopped, let current = player.snapshot.currentItem else { return }
      player.transaction {
        player.remove(contentsOf: Set(player.items.lazy.map(\.id).filter { $0 != current.id }))
        queueRepetitions(&state)
      }
    }
  }

  func applyRate() {
    player.rate = state.withLock { $0.isRateEnabled ? Double($0.rate) : 1 }
  }

  /// Selects an output when the devices are listed, unless another one was selected then.
  func selectDevice(_ id: String?) {
    let search = id.map { id in
      Task(executorPreference: globalConcurrentExecutor) { [weak self] in
        guard let output = await AudioOutput.all().first(where: { $0.id == id }) else { return }
        self?.state.withLock { [player = self?.player] in if $0.device == id { player?.audioOutput = output } }
      }
    }
    state.withLock { state in
      state.search?.cancel()
      (state.device, state.search) = (id, search)
      if id == nil { player.audioOutput = nil }
    }
  }

  /// Fills the queue for a play from the beginning, unless a play is in progress.
  private func fillQueue(_ state: inout AVAudioPlayerState) {
    guard player.snapshot.transport == .stopped else { return }
    state.hasFailed = false
    player.transaction {
      player.replaceQueue(with: [Player.Item(uri: media.uri)])
      queueRepetitions(&state)
    }
  }

  /// Queues the repetitions after the only item of the queue.
  private func queueRepetitions(_ state: inout AVAudioPlayerState) {
    player.loop = state.loops < 0 ? .track : .none
    let count = min(max(0, state.loops), Self.ahead)
    state.remaining = max(0, state.loops) - count
    player.append(contentsOf: (0..<count).map { _ in Player.Item(uri: media.uri) })
  }

  // MARK: Events

  private func receive(_ event: Player.Event) {
    switch event {
    case .currentItemChanged(let old?, .some): replace(old)
    case .itemFailed(_, let error): fail(error)
    case .queueEnded: if !state.withLock({ $0.hasFailed }) { finish(successfully: true) }
    default: return
    }
    changed()
  }

  /// Removes the item of a play that has ended, and queues another repetition if one is left.
  private func replace(_ old: Player.Item) {
    state.withLock { state in
      player.remove(old.id)
      guard state.remaining > 0 else { return }
      state.remaining -= 1
      player.append(contentsOf: [Player.Item(uri: media.uri)])
    }
  }

  /// Ends playback after the first failure; the repetitions would fail, too.
  private func fail(_ error: PlayerError) {
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    guard isFirst else { return }
    player.stop()
    let failure = error.audioFileError(about: media.uri)
    notify { $0.audioPlayerDecodeErrorDidOccur($1, error: failure) }
    finish(successfully: false)
  }

  private func finish(successfully isSuccessful: Bool) {
    notify { $0.audioPlayerDidFinishPlaying($1, successfully: isSuccessful) }
  }

  /// Calls the delegate on the main queue.
  private func notify(_ body: @escaping @Sendable (any AVAudioPlayerDelegate, AVAudioPlayer) -> Void) {
    MainQueue.async { [self] in if let delegate { body(delegate, self) } }
  }

  /// Records whether the player plays.
  ///
  /// A command and an event may do it at the same time; the one that records last reads the state once more.
  private func changed() {
    var recorded: Bool?
    while recorded != (player.snapshot.transport == .playing) {
      recorded = player.snapshot.transport == .playing
      if recorded == true {
        activity.add(ObjectIdentifier(self), plays: true) { [weak self] in self?.halt() }
      } else {
        activity.remove(ObjectIdentifier(self))
      }
    }
  }
}
