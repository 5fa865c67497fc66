import CGst
import Playback

/// A GStreamer message as a value: the data that the player's executor needs, and the stream of the message.
enum BusMessage: Sendable {
  /// A complete event, which needs no further query.
  case event(EngineEvent)
  /// The output is prerolled; `flushes` have passed to it since the load.
  case asyncDone(StreamToken, flushes: Int)
  case playing(StreamToken)
  case endOfStream(StreamToken)
  case durationChanged(StreamToken)
  case clockLost
  case latencyChanged
  case volumeChanged
  /// A gapless successor's first sample has this running time, in nanoseconds; `previousEnd` is the media time at which
  /// the stream before it ended.
  case nextSegment(StreamToken, runningTime: UInt64, previousEnd: Duration?)
  /// The duration of a local stream must be measured; the text is its URI.
  case durationIsUnreliable(StreamToken, String)
  /// The data that a seek has requested is too far from its target.
  case seekMissed(StreamToken, number: UInt64)
  /// The first sample of a prepared stream has this running time, in nanoseconds.
  case crossfadeBegins(runningTime: UInt64)
  /// The first sample of a fade-out is at the output; the fade-out ends at this running time, in nanoseconds.
  case fadeOutEnds(runningTime: UInt64)
}

extension PipelineContext {
  /// Delivers a `GstMessage` as a value, on the thread that posts it; all messages of the player are read here.
  func handle(_ message: UnsafeMutablePointer<GstMessage>) {
    let source = unsafe message.pointee.src
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ASYNC_DONE: deliver(.asyncDone(streamAtSink, flushes: gate.flushes))
    case GST_MESSAGE_STATE_CHANGED:
      guard unsafe isPipeline(source) else { return }
      var state = GST_STATE_VOID_PENDING
      unsafe gst_message_parse_state_changed(message, nil, &state, nil)
      if state == GST_STATE_PLAYING { deliver(.playing(streamAtSink)) }
    case GST_MESSAGE_EOS: deliver(.endOfStream(streamAtSink))
    case GST_MESSAGE_ERROR:
      guard let failure = unsafe Failure(message), let stream = unsafe stream(of: source) else { return }
      noteFailure()
      let error = failure.playerError(missing: data(of: stream)?.missing ?? [], of: uri(of: stream))
      deliver(.event(.failed(stream, error)))
    case GST_MESSAGE_WARNING:
      // A streaming thread that negotiates caps while the elements after it are shut down posts a warning.
      guard groupSwitch.isAllowed else { return }
      var error: UnsafeMutablePointer<GError>?
      var debug: UnsafeMutablePointer<CChar>?
      unsafe gst_message_parse_warning(message, &error, &debug)
      let warning = unsafe Failure(taking: error, debug, source)
      // The volume is set on the filter before the output if the output has none.
      guard !warning.debug.hasSuffix("Volume/mute is not available") else { return }
      // The message about the missing decoder was posted before.
      if !warning.isDecoderMissing { deliver(.event(.warning(warning.summary))) }
    case GST_MESSAGE_ELEMENT:
      let stream = unsafe stream(of: source)
      if let time = unsafe StreamMeter.segmentTime(message) {
        stream.flatMap { data(of: $0) }?.meter?.count(segmentIn: time)
      } else if let plugin = unsafe MissingPlugin(message) {
        if let stream { noteMissing(plugin.name, for: stream) }
        if plugin.isDecoder { deliver(.event(.warning("not installed: \(plugin.name)"))) }
      }
    case GST_MESSAGE_TAG:
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_message_parse_tag(message, &list)
      guard let tags = unsafe list else { return }
      defer { unsafe cgst_mini_object_unref(tags) }
      if unsafe streamTitle?.isSource(source) != true, let stream = unsafe stream(of: source) {
        unsafe self.tags.read(TagList(tags), of: stream)
      }
    case GST_MESSAGE_TOC:
      if let stream = unsafe stream(of: source) { unsafe tags.readTableOfContents(message, of: stream) }
    case GST_MESSAGE_DURATION_CHANGED:
      if let stream = unsafe stream(of: source) { deliver(.durationChanged(stream)) }
    case GST_MESSAGE_BUFFERING:
      guard let stream = unsafe stream(of: source) else { return }
      var percent: gint = 100
      unsafe gst_message_parse_buffering(message, &percent)
      deliver(.event(.buffering(stream, percent: Int(percent), progress(of: stream))))
    case GST_MESSAGE_REQUEST_STATE:
      // pulsesink posts it when PulseAudio wants to cork the stream, for example by module-role-cork during a call.
      var state = GST_STATE_VOID_PENDING
      unsafe gst_message_parse_request_state(message, &state)
      deliver(.event(state == GST_STATE_PLAYING ? .resumeRequested : .pauseRequested))
    case GST_MESSAGE_CLOCK_LOST: deliver(.clockLost)
    case GST_MESSAGE_LATENCY: deliver(.latencyChanged)
    default: break
    }
  }
}
