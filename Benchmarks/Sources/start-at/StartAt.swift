import Glibc
import GstPlayer

/// Plays a file so that its first sample is audible at an instant, until the process is killed.
///
/// `start-at FILE NANOSECONDS`: the instant is one of `CLOCK_MONOTONIC`.
@main
struct StartAt {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let nanoseconds = Int64(arguments[2]) else { exit(64) }
    let player = Player()
    player.replaceQueue(with: [Player.Item(uri: "file://" + arguments[1])])
    try await player.prepare()
    player.play(at: MonotonicTime(nanoseconds: nanoseconds))
    while true { sleep(60) }
  }
}
