import Logging
import Playback
import Synchronization

/// The list of outputs, updated on request, and the selection of one of them.
final class OutputChoice: Sendable {
  /// The requests since the last one was handled.
  private struct Requests {
    var hasRefresh = false
    /// The ID of the last chosen output; an empty one means the configured output.
    var choice: String?
    /// The number of this choice; nil for the search of the configured device when the first output opens.
    var number: Int?
  }

  private let player: Player
  private let media: any MediaFramework
  /// The ID of the configured device; empty for the system default or a configured sink.
  private let configuredDevice: String
  private let log: Logger
  private let changed: @Sendable () -> Void
  private let outputs = Mutex<[AudioOutput]>([])
  private let waiting = Mutex(Requests())
  /// The number of the last choice; an earlier one that is still being looked up has no effect.
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

  /// Plays through an output; an unknown ID updates the list first, an empty one means the configured output.
  func choose(_ id: String) {
    let number = newChoice()
    if !id.isEmpty, let output = known.first(where: { $0.id == id }) {
      use(output, number)
    } else {
      request { ($0.choice, $0.number) = (id, number) }
    }
  }

  private func newChoice() -> Int {
    lastChoice.withLock { number in
      number += 1
      return number
    }
  }

  /// Plays through an output unless a later one has been chosen.
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
      if requests.choice == "" {
        await useConfigured(requests.number)
      } else if let id = requests.choice, await !select(id, requests.number) {
        log.warning("the output device “\(id.withoutControls)” does not exist; the current one is kept")
      }
      if requests.hasRefresh { await look() }
    }
  }

  /// Updates the list and plays through an output; an empty ID means the configured one.
  ///
  /// - Parameters:
  ///   - id: The ID of the output.
  ///   - number: The number of the choice; nil for a new one.
  /// - Returns: Whether the output exists; if not, the current one is kept.
  func select(_ id: String, _ number: Int? = nil) async -> Bool {
    let number = number ?? newChoice()
    await look()
    let output = known.first { $0.id == (id.isEmpty ? configuredDevice : id) }
    guard output != nil || id.isEmpty else { return false }
    use(output, number)
    return true
  }

  /// Plays through the configured device; if it is missing, logs a warning and uses the sound system's default.
  ///
  /// Without a number, this is no new choice: one that is being looked up remains valid.
  func useConfigured(_ number: Int? = nil) async {
    let number = number ?? lastChoice.withLock { $0 }
    guard !configuredDevice.isEmpty else { return use(nil, number) }
    _ = await select("", number)
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
      request { $0.choice = $0.choice ?? "" }
    }
  }

  private func look() async {
    let found = await media.audioOutputs()
    outputs.withLock { $0 = found }
    changed()
  }
}
