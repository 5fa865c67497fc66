import GstPlayer
import Logging
import Synchronization

/// The outputs that there are, looked for when somebody asks, and the choice among them.
final class OutputChoice: Sendable {
  private enum Request {
    case refresh
    case choose(String)
  }

  private let player: Player
  private let log: Logger
  private let changed: @Sendable () -> Void
  private let outputs = Mutex<[AudioOutput]>([])
  private let requests: AsyncStream<Request>
  private let inbox: AsyncStream<Request>.Continuation

  /// Knows of no output yet; `changed` is called when others are known.
  init(_ player: Player, log: Logger, changed: @escaping @Sendable () -> Void) {
    self.player = player
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
      player.setAudioOutput(nil)
    } else if let output = known.first(where: { $0.id == id }) {
      player.setAudioOutput(output)
    } else {
      inbox.yield(.choose(id))
    }
  }

  /// Looks for outputs as it is asked to, until the task is cancelled.
  func run() async {
    for await request in requests {
      let found = await AudioOutput.all()
      outputs.withLock { $0 = found }
      if case .choose(let id) = request {
        if let output = found.first(where: { $0.id == id }) {
          player.setAudioOutput(output)
        } else {
          log.warning("there is no output device “\(id.withoutControls)”; the one in use stays")
        }
      }
      changed()
    }
  }
}
