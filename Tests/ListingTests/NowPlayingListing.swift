import MediaPlayer

@MainActor
func show(_ title: String, of player: AVPlayer) {
  let center = MPRemoteCommandCenter.shared()
  center.togglePlayPauseCommand.addTarget { _ in
    if player.rate == 0 { player.play() } else { player.pause() }
    return .success
  }
  MPNowPlayingInfoCenter.default().nowPlayingInfo = [MPMediaItemPropertyTitle: title]
}
