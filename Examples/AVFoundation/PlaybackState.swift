import AVFoundation

/// A transport control that follows the player with `Observation`, in the manner of Apple's page “Observing playback
/// state in SwiftUI”.
@MainActor
final class PlaybackState: Example {
  private let player: AVPlayer

  init(url: URL) {
    // Opt in before any player is created.
    AVPlayer.isObservationEnabled = true
    player = AVPlayer(url: url)
  }

  private var isPlaying: Bool { player.timeControlStatus == .playing }

  private var isEnabled: Bool { player.currentItem?.status == .readyToPlay }

  private func toggle() {
    if isPlaying {
      player.pause()
    } else {
      player.play()
    }
  }

  func run() async {
    var hasPlayed = false
    for await (isEnabled, isPlaying) in Observations({ (self.isEnabled, self.isPlaying) }) {
      print("button \(isEnabled ? "enabled" : "disabled"): \(isPlaying ? "pause" : "play")")
      if isPlaying {
        hasPlayed = true
        toggle()
      } else if hasPlayed {
        break
      } else if isEnabled {
        toggle()
      }
    }
  }
}
