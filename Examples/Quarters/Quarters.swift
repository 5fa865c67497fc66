import GstPlayer

/// A player for the given URIs that prints the progress once per second of media and at each quarter of a track.
@main
struct Quarters {
  static func main() async throws {
    let player = Player()
    let events = player.events()
    player.append(contentsOf: CommandLine.arguments.dropFirst().map { Player.Item(uri: $0) })

    let progress = try player.addPeriodicTimeObserver(forInterval: .seconds(1)) { position in
      let snapshot = player.snapshot
      let duration = snapshot.duration.map { "\($0.components.seconds) s" } ?? "unknown duration"
      print("\(snapshot.metadata.title ?? "untitled"): \(position.components.seconds) s of \(duration)")
    }
    let quarters = try player.addBoundaryTimeObserver(forFractions: [0.25, 0.5, 0.75]) { crossing in
      print("quarter reached at \(crossing.boundary)")
    }

    player.play()
    for await event in events {
      switch event {
      case .itemFailed(let item, let error): print("\(item.uri): \(error.message)")
      case .queueEnded:
        progress.cancel()
        quarters.cancel()
        await player.close()
      default: break
      }
    }
  }
}
