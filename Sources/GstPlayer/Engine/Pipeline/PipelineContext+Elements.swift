import CGst
import Playback

/// Handles the signals of the playbin, on GStreamer's threads.
extension PipelineContext {
  func connect(_ playbin: UnsafeMutablePointer<GstElement>) {
    // Requests the successor; its URI is set without blocking.
    // <https://gstreamer.freedesktop.org/documentation/playback/playbin.html#playbin::about-to-finish>
    unsafe Signal.emitted("about-to-finish", by: playbin) { playbin in
      if let uri = self.nextURI() { unsafe GLib.set(playbin, "uri", to: uri) }
    }
    unsafe Signal.deepElement("deep-element-added", of: playbin) { unsafe self.elementAdded($0, to: $1) }
    // They are changed by this player or by a mixer.
    for property in ["volume", "mute"] {
      unsafe Signal.emitted("notify::\(property)", by: playbin) { _ in self.deliver(.volumeChanged) }
    }
  }

  /// Assigns a decoder to its stream, observes its tracks, and measures the received data.
  private func elementAdded(_ element: UnsafeMutablePointer<GstElement>, to bin: UnsafeMutablePointer<GstBin>) {
    switch unsafe GLib.borrow(cgst_factory_name(element)) {
    case "uridecodebin":
      unsafe decoderAppeared(element, in: bin)
      unsafe watchAudioTracks(of: element)
    case "souphttpsrc":
      let stream = unsafe stream(of: element)
      if let stream { unsafe data(of: stream)?.headers?.follow(element) }
      // The sources of an adaptive demuxer are left out: the demuxer handles their errors, and downloads again.
      guard unsafe ResponseElement.isParent(bin) else { return }
      unsafe SourceBus.insert(at: element, in: bin) { unsafe self.handle($0) }
      if let stream {
        unsafe earlyTags(of: stream).watch(source: element)
        unsafe ByteRanges().watch(element) { [deliver] uri in deliver(.event(.redirected(stream, to: uri))) }
      }
    case "queue2": if let stream = unsafe stream(of: element) { unsafe data(of: stream)?.meter?.watch(queue: element) }
    case "icydemux": if let stream = unsafe stream(of: element) { unsafe earlyTags(of: stream).watch(station: element) }
    case "id3demux", "apedemux":
      if let stream = unsafe stream(of: element) { unsafe earlyTags(of: stream).watch(wrapper: element) }
    case "pulsesink": if streamTitle != nil { unsafe TitleBus.insert(at: element, in: bin) }
    case "tsdemux":
      guard let stream = unsafe stream(of: element) else { return }
      unsafe timedTags(of: stream).watch(transportStream: element)
    case "hlsdemux":
      guard let stream = unsafe stream(of: element) else { return }
      unsafe timedTags(of: stream).watch(segments: element)
    default: unsafe watchParser(element)
    }
  }

  private func timedTags(of stream: StreamToken) -> TimedTagReader {
    TimedTagReader(of: stream) { [deliver] in deliver(.event($0)) }
  }

  /// Returns a reader for the tags that a stream sends before its decoder has an output; later ones reach the output.
  private func earlyTags(of stream: StreamToken) -> EarlyTags {
    EarlyTags { tags, scope in
      if !self.hasOutput(stream) { self.tags.read(tags, of: stream, about: scope) }
    }
  }

  /// Whether tags of a stream reach the output: its decoder has a pad, or another stream is being read.
  private func hasOutput(_ stream: StreamToken) -> Bool {
    guard isReading(stream) else { return true }
    return unsafe decoder.with { unsafe AudioOnlyDecoding.hasPad($0) } ?? true
  }
}
