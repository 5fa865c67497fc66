import Logging
import Playback
import PlayerdMedia
import PlayerdSystem
import Synchronization

/// Keeps the list of outputs, updates it on request, and selects one of them.
final class OutputChoice: Sendable {
  /// The requests since the last one was handled.
  private struct Requests {
    var hasRefresh = false
    /// Whether to search the configured device, because the first output has opened.
    var hasSearch = false
  }

  private let player: Player
  private let media: any MediaFramework
  /// The ID of the configured device; empty for the system default or a configured sink.
  private let configuredDevice: String
  private let log: Logger
  private let changed: @Sendable () -> Void
  private let outputs = Mutex<[AudioOutput]>([])
  private let waiting = Mutex(Requests())
  /// The number of the last choice; an earlier choice is ignored if its search is still in progress.
  private let lastChoice = Mutex(0)
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  /// Whether the player had no output at the last event.
  private let wasSilent = Mutex(false)

  /// Creates an empty list; `changed` is called after each update.
  init(
    _ player: Player, _ media: any MediaFramework, configuredDevice: String, log: Logger,
    changed: @escaping @Sendable () -> Void
  ) {
    self.player = player
    self.media = media
    self.configuredDevice = configuredDevice
    self.log = log
    self.changed = changed
    (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// The outputs of the last update.
  var known: [AudioOutput] { outputs.withLock { $0 } }

  func refresh() { request { $0.hasRefresh = true } }

  private func newChoice() -> Int {
    lastChoice.withLock { number in
      number += 1
      return number
    }
  }

  /// Plays through an output unless a later output has been chosen.
  private func use(_ output: AudioOutput?, _ number: Int) {
    lastChoice.withLock { if $0 == number { player.audioOutput = output } }
  }

  private func request(_ change: (inout Requests) -> Void) {
    waiting.withLock { change(&$0) }
    wake.yield()
  }

  /// Handles the requests until the task is cancelled.
  func run() async {
    for await _ in wakes {
      let requests = waiting.withLock { waiting in
        defer { waiting = Requests() }
        return waiting
      }
      if requests.hasSearch { await useConfigured() }
      if requests.hasRefresh { await updateList() }
    }
  }

  /// Updates the list and plays through an output, unless another output has been chosen since.
  ///
  /// An empty ID means the configured output.
  ///
  /// - Returns: Whether the output exists; if not, the current one is kept.
  func select(_ id: String) async -> Bool {
    let number = newChoice()
    guard !id.isEmpty else {
      await useConfigured(number)
      return true
    }
    guard let output = await find(id) else { return false }
    use(output, number)
    return true
  }

  /// Plays through the configured device; if it is missing, logs a warning and uses the sound system's default.
  ///
  /// This is not a new choice: one whose search is in progress remains valid.
  func useConfigured() async { await useConfigured(lastChoice.withLock { $0 }) }

  private func useConfigured(_ number: Int) async {
    guard !configuredDevice.isEmpty else { return use(nil, number) }
    use(await find(configuredDevice), number)
    if player.snapshot.audioOutput == nil {
      log.warning("the output device “\(configuredDevice.withoutControls)” does not exist; using the default device")
    }
  }

  /// Searches the configured device when the first output opens, for example after the sound server has started.
  func follow(_ state: Player.Snapshot) {
    let isSilent = state.outputStatus == .silent
    let hasOpened = wasSilent.withLock { wasSilent in
      defer { wasSilent = isSilent }
      return wasSilent && !isSilent
    }
    if hasOpened, state.audioOutput == nil, !configuredDevice.isEmpty {
      request { $0.hasSearch = true }
    }
  }

  private func find(_ id: String) async -> AudioOutput? {
    await updateList()
    return known.first { $0.id == id }
  }

  private func updateList() async {
    let found = await media.audioOutputs()
    outputs.withLock { $0 = found }
    changed()
  }
}
