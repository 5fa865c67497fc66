import CGst
import Playback

extension PipelineContext {
  /// Observes a decoder; playbin reuses it for later streams.
  func watchAudioTracks(of decoder: UnsafeMutablePointer<GstElement>) {
    guard unsafe cgst_mark(decoder, "playerd-watched") != 0 else { return }
    // playbin connects its own handlers later, so these are called first.
    unsafe DecodingFaults.correct(in: decoder)
    unsafe AudioOnlyDecoding.hidePads(of: decoder)
    unsafe groupSwitch.watch(decoder)
    let pads = unsafe AudioTrackPads(audioTracks: audioTracks) {
      unsafe self.stream(of: $0)
    } added: { stream, pad in
      unsafe self.data(of: stream)?.meter?.watch(decoded: pad)
    } foundNone: { stream, isWebPage in
      self.noteFailure()
      let missing = self.data(of: stream)?.missing ?? []
      self.deliver(.event(.failed(stream, isWebPage ? .webPage : PlayerError(missing: missing))))
    }
    unsafe pads.watch(decoder)
  }
}
