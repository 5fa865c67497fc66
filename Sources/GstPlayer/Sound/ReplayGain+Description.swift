import Playback

extension ReplayGain {
  /// The elements that do it, in GStreamer's words.
  var description: String {
    let gain = "audioconvert ! rgvolume album-mode=\(mode == .album) pre-amp=\(preAmp)"
    // The headroom is by how much peaks may go beyond full scale before the gain is lowered, in dB.
    return preventsClipping ? "\(gain) headroom=0 ! rglimiter" : "\(gain) headroom=60"
  }
}
