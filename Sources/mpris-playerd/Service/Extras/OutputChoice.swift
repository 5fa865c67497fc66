import GstPlayer
import Logging
import Synchronization

/// The outputs that there are, looked for when somebody asks, and the choice among them.
final class OutputChoice: Sendable {
  private enum Request {
    case refresh
    /// Return to the configured device.
    case configured
    case choose(String)
  }

  private let player: Player
  /// The ID of the configured device; empty for the sound system's choice or a configured sink.
  private let configuredDevice: String
  private let log: Logger
  private let changed: @Sendable () -> Void
  private let outputs = Mutex<[AudioOutput]>([])
  private let requests: AsyncStream<Request>
  private let inbox: AsyncStream<Request>.Continuation

  /// Whether the player had no output at the last event.
  private let wasSilent = Mutex(false)

  /// Knows of no output yet; `changed` is called when others are known.
  init(_ player: Player, configuredDevice: String, log: Logger, changed: @escaping @Sendable () -> Void) {
    self.player = player
    self.configuredDevice = configuredDevice
    self.log = log
    self.changed = changed
    (requests, inbox) = AsyncStream.makeStream(of: Request.self, bufferingPolicy: .bufferingNewest(8))
  }

  /// What was there at the last look.
  var known: [AudioOutput] { outputs.withLock { $0 } }

  func refresh() { inbox.yield(.refresh) }

  /// Plays through an output, which is looked for when it is unknown; empty for what was configured.
  func choose(_ id: String) {
    if id.isEmpty {
      inbox.yield(.configured)
    } else if let output = known.first(where: { $0.id == id }) {
      player.setAudioOutput(output)
    } else {
      inbox.yield(.choose(id))
    }
  }

  /// Looks for outputs as it is asked to, until the task is cancelled.
  func run() async {
    for await request in requests {
      switch request {
      case .refresh: await look()
      case .configured: await useConfigured()
      case .choose(let id):
        if await !select(id) {
          log.warning("there is no output device “\(id.withoutControls)”; the one in use stays")
        }
      }
    }
  }

  /// Plays through an output that is looked for now; empty for what was configured.
  ///
  /// - Returns: Whether there is such an output; if not, the one in use stays.
  func select(_ id: String) async -> Bool {
    await look()
    let output = known.first { $0.id == (id.isEmpty ? configuredDevice : id) }
    guard output != nil || id.isEmpty else { return false }
    player.setAudioOutput(output)
    return true
  }

  /// Plays through the configured device; logs a warning if it is not there, and the sound system chooses.
  func useConfigured() async {
    guard !configuredDevice.isEmpty else { return player.setAudioOutput(nil) }
    _ = await select("")
    if player.snapshot.audioOutput == nil {
      log.warning("there is no output device “\(configuredDevice.withoutControls)”; the sound system chooses")
    }
  }

  /// Looks for the configured device when the first output opens, as after the start of a sound server.
  func follow(_ state: Player.Snapshot) {
    let isSilent = state.outputStatus == .silent
    let hasOpened = wasSilent.withLock { wasSilent in
      defer { wasSilent = isSilent }
      return wasSilent && !isSilent
    }
    if hasOpened, state.audioOutput == nil, !configuredDevice.isEmpty { inbox.yield(.configured) }
  }

  private func look() async {
    let found = await AudioOutput.all()
    outputs.withLock { $0 = found }
    changed()
  }
}
