import Playback

extension Player.Configuration.ReplayGain {
  /// The bin description of the elements that apply the gain.
  var description: String {
    let gain = "audioconvert ! rgvolume album-mode=\(mode == .album) pre-amp=\(preAmp)"
    // The headroom, in dB, is the amount by which peaks may exceed full scale before the gain is reduced.
    return preventsClipping ? "\(gain) headroom=0 ! rglimiter" : "\(gain) headroom=60"
  }
}
