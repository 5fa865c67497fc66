import EngineProcess
import GstPlayer

/// The engine of a player, or the inspection of media, with GStreamer, in a process of its own.
@main
enum Main {
  static func main() { EngineService.run(GstPlayerEngine.make, GstPlayerInspection()) }
}
