import Playerd

/// The command line: every command, without GStreamer.
///
/// A command that needs it continues in `mpris-playerd-daemon`.
@main
enum Main {
  static func main() { CommandLineProgram.run(media: nil) }
}
