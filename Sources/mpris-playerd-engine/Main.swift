import EngineProcess
import GstPlayer

/// Serves the engine of a player, or the inspection of media, with GStreamer.
@main
enum Main {
  static func main() {
    GLibLog.redirect(to: EngineService.log)
    EngineService.run(GstPlayerEngine.make, GstPlayerInspection())
  }
}
