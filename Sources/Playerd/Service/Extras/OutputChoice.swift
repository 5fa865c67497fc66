import Logging
import Playback
import Synchronization

/// The list of outputs, updated on request, and the selection of one of them.
final class OutputChoice: Sendable {
  private enum Request {
    case refresh
    /// Play through an output; an empty ID means the configured one.
    case choose(String)
  }

  private let player: Player
  private let media: any MediaFramework
  /// The ID of the configured device; empty for the system default or a configured sink.
  private let configuredDevice: String
  private let log: Logger
  private let changed: @Sendable () -> Void
  private let outputs = Mutex<[AudioOutput]>([])
  private let requests: AsyncStream<Request>
  private let inbox: AsyncStream<Request>.Continuation

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
    (requests, inbox) = AsyncStream.makeStream(of: Request.self, bufferingPolicy: .bufferingNewest(8))
  }

  /// The outputs of the last update.
  var known: [AudioOutput] { outputs.withLock { $0 } }

  func refresh() { inbox.yield(.refresh) }

  /// Plays through an output; an unknown ID updates the list first, an empty one means the configured output.
  func choose(_ id: String) {
    if !id.isEmpty, let output = known.first(where: { $0.id == id }) {
      player.audioOutput = output
    } else {
      inbox.yield(.choose(id))
    }
  }

  /// Handles the requests until the task is cancelled.
  func run() async {
    for await request in requests {
      switch request {
      case .refresh: await look()
      case .choose(""): await useConfigured()
      case .choose(let id):
        if await !select(id) {
          log.warning("the output device “\(id.withoutControls)” does not exist; the current one is kept")
        }
      }
    }
  }

  /// Updates the list and plays through an output; an empty ID means the configured one.
  ///
  /// - Returns: Whether the output exists; if not, the current one is kept.
  func select(_ id: String) async -> Bool {
    await look()
    let output = known.first { $0.id == (id.isEmpty ? configuredDevice : id) }
    guard output != nil || id.isEmpty else { return false }
    player.audioOutput = output
    return true
  }

  /// Plays through the configured device; if it is missing, logs a warning and uses the sound system's default.
  func useConfigured() async {
    guard !configuredDevice.isEmpty else {
      player.audioOutput = nil
      return
    }
    _ = await select("")
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
    if hasOpened, state.audioOutput == nil, !configuredDevice.isEmpty { inbox.yield(.choose("")) }
  }

  private func look() async {
    let found = await media.audioOutputs()
    outputs.withLock { $0 = found }
    changed()
  }
}
