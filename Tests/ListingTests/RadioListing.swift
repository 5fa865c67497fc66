import MPRISService
import Synchronization

// The code of the pages in Sources/MPRISService/MPRISService.docc; DocumentationTests compares the texts, ListingTests
// runs it.

final class Radio: MPRISPlayer {
  private let state: Mutex<MPRISSnapshot>
  private let stream: AsyncStream<MPRISPlayerEvent>
  private let continuation: AsyncStream<MPRISPlayerEvent>.Continuation

  init() {
    var snapshot = MPRISSnapshot(desktopEntry: "org.example.Radio")
    snapshot.metadata.trackID = MPRISTrackID(1)
    snapshot.metadata.title = "Morning show"
    snapshot.metadata.url = "https://radio.example.org/live"
    snapshot.canPlay = true
    snapshot.canPause = true
    state = Mutex(snapshot)
    (stream, continuation) = AsyncStream.makeStream()
  }

  func snapshot() -> MPRISSnapshot { state.withLock { $0 } }

  func perform(_ command: MPRISCommand) throws(MPRISCommandError) {
    let status: MPRISPlaybackStatus? =
      switch command {
      case .play: .playing
      case .pause: .paused
      case .playPause: snapshot().status == .playing ? .paused : .playing
      case .stop: .stopped
      default: nil
      }
    guard let status else { throw .notSupported("the radio plays, pauses and stops only") }
    // Start or stop the real playback here, without waiting for it.
    state.withLock { $0.status = status }
    continuation.yield(.changed)
  }

  func events() -> AsyncStream<MPRISPlayerEvent> { stream }
}

func serve(_ player: some MPRISPlayer) async throws {
  let service = MPRISService(identity: "My Player", player: player)
  try await service.run()
}

/// The program's own playlists.
struct Playlist {
  var title: String

  init(_ playlist: MPRISPlaylist) { title = playlist.name }
}
