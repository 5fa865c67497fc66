import EngineProcess
import GstPlayer

/// The engine of a player, or the inspection of media, with GStreamer, in a process of its own.
@main
enum Main {
  static func main() {
    GLibLog.redirect(to: EngineService.log)
    EngineService.run(GstPlayerEngine.make, GstPlayerInspection())
  }
}
