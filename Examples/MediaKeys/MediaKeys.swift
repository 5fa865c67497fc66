import Glibc
import MPRISService

/// A small `playerctl`: lists the players, follows one, or sends it a command.
///
///     media-keys                  lists the players
///     media-keys follow           prints the list after each change
///     media-keys NAME             prints the changes of a player until it ends
///     media-keys NAME COMMAND     play, pause, play-pause, stop, next, previous, forward
@main
struct MediaKeys {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let client = try await MPRISClient()
    switch (arguments.first, arguments.dropFirst().first) {
    case (nil, _): show(names(try await client.players()))
    case ("follow", nil): for await players in try await client.playerChanges() { show(names(players)) }
    case (let name?, nil): try await follow(try await client.player(named: name))
    case (let name?, let command?): try await send(command, to: try await client.player(named: name))
    }
    await client.close()
  }

  private static func names(_ players: [MPRISRemotePlayer]) -> String { "players: \(players.map(\.name))" }

  private static func follow(_ player: MPRISRemotePlayer) async throws {
    for await event in try await player.events() {
      switch event {
      case .changed(let state):
        show("\(state.identity): \(state.status.rawValue) \(state.metadata.title ?? "untitled")")
      case .seeked(let position): show("position \(position)")
      }
    }
    show("\(player.name) has ended")
  }

  private static func send(_ command: String, to player: MPRISRemotePlayer) async throws {
    switch command {
    case "play": try await player.play()
    case "pause": try await player.pause()
    case "play-pause": try await player.playPause()
    case "stop": try await player.stop()
    case "next": try await player.next()
    case "previous": try await player.previous()
    case "forward": try await player.seek(by: .seconds(10))
    default: show("unknown command: \(command)")
    }
  }

  /// Prints a line at once, also into a pipe.
  private static func show(_ line: String) {
    print(line)
    fflush(nil)
  }
}
