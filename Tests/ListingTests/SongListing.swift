import AVFoundation

@MainActor
func playSong(at url: URL) async {
  let player = AVPlayer(url: url)
  let ends = NotificationCenter.default.notifications(
    named: AVPlayerItem.didPlayToEndTimeNotification, object: player.currentItem)
  player.play()
  for await _ in ends { break }
}
