import Playerd

/// The daemon: every command, with GStreamer.
@main
enum Main {
  static func main() { CommandLineProgram.run(media: GStreamerFramework()) }
}
