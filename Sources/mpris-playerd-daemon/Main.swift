import GstPlayer
import Playerd

/// The daemon: every command, with GStreamer.
@main
enum Main {
  static func main() {
    GLibLog.redirect(to: LibraryLog.write)
    CommandLineProgram.run(media: GStreamerFramework())
  }
}
