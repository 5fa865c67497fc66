import EngineProcess
import EngineSandbox
import GstPlayer

/// Serves the output or the decks of a player, or the inspection of media, with GStreamer.
@main
enum Main {
  static func main() {
    GLibLog.redirect(to: EngineService.log)
    EngineService.run(
      GstPlayerEngine.parts, GstPlayerInspection(),
      initialize: { policy in
        // GStreamer starts a program that scans new plug-ins, and writes what it has found.
        GstPlayerEngine.initialize(openingFiles: policy == nil ? nil : EngineService.openFile)
        return policy.map(Sandbox.enter)
      })
  }
}
