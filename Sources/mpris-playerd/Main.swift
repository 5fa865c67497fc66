import Playerd

/// The command line and the daemon; GStreamer runs in `mpris-playerd-engine`.
@main
enum Main {
  static func main() { CommandLineProgram.run() }
}
