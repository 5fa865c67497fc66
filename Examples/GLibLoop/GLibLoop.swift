import CGLib
import DBus
import MPRISService
import Observation

/// A timer that MPRIS shows, in a program whose main thread runs GLib's main loop, as programs with GTK do.
///
/// A program with an async `main` needs none of the calls of GLib below: it awaits `run()`, as Examples/HelloMPRIS does.
@Observable @MainActor
final class EggTimer: MPRISModel {
  private var isRunning = false

  func snapshot() -> MPRISSnapshot {
    var snapshot = MPRISSnapshot()
    snapshot.metadata.title = isRunning ? "Boiling" : "Cold"
    snapshot.status = isRunning ? .playing : .paused
    (snapshot.canPlay, snapshot.canPause) = (true, true)
    return snapshot
  }

  func perform(_ command: MPRISCommand) throws(MPRISCommandError) {
    switch command {
    case .play: isRunning = true
    case .pause: isRunning = false
    case .playPause: isRunning.toggle()
    default: throw .notSupported("the timer only runs and pauses")
    }
  }
}

@main
struct GLibLoop {
  @MainActor
  static func main() {
    // The main queue, and with it the main actor, run whenever the descriptor is readable.
    unsafe g_unix_fd_add(
      DispatchMainQueue.fileDescriptor, G_IO_IN,
      { _, _, _ in
        DispatchMainQueue.runPending()
        return 1
      }, nil)
    let service = MPRISService(identity: "Egg Timer", model: EggTimer())
    let serving = Task { try await service.run() }
    unsafe g_main_loop_run(g_main_loop_new(nil, 0))
    serving.cancel()
  }
}
