import AVFAudio

func makeBell(_ data: Data) throws -> AVAudioPlayer {
  try AVAudioSession.sharedInstance().setCategory(.ambient)
  let player = try AVAudioPlayer(data: data)
  player.numberOfLoops = 2
  player.play()
  return player
}
