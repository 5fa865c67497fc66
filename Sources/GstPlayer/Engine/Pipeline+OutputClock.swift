import CGst
import Playback

/// The start of PulseAudio's sink, whose clock may run before the audio does.
///
/// GStreamer uses the time of the clock at the start as the base time. Without this extension, a stream that was
/// created 3 s before the start would first play 3 s of silence, and the position would be ahead of the audio.
extension Pipeline {
  /// Makes the first sample after a load play at the start of the output's stream, not at the present time of its
  /// clock.
  ///
  /// Call it before the change to PLAYING, which subtracts the start time from the time of the clock.
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#gst_element_set_start_time>
  func alignFirstStart() {
    guard !hasStarted, hasPrerolled, let playbin = unsafe playbin else { return }
    hasStarted = true
    guard !isLive, let clock = unsafe withPulseSink({ unsafe gst_element_provide_clock($0) }) ?? nil else { return }
    defer { unsafe gst_object_unref(clock) }
    // The clock continues from its previous time when a stream is created; the time of the stream starts at 0.
    let audioClock = unsafe UnsafeMutableRawPointer(clock).assumingMemoryBound(to: GstAudioClock.self)
    let (time, start) = unsafe (gst_clock_get_time(clock), gst_audio_clock_adjust(audioClock, 0))
    guard start < time, time < Int64.max else { return }
    let lead = time - start
    unsafe gst_element_set_start_time(playbin, lead)
    earlyClock = ClockLeadCorrection(lead: .nanoseconds(Int64(lead)))
  }

  /// Sets the buffer of PulseAudio's sink for its next stream, unless the configuration describes the sink.
  func sizeOutputBuffer(isLarge: Bool) {
    guard configuration.audioSink == nil else { return }
    unsafe withPulseSink { unsafe AudioSink.tune($0, fades: configuration.fade > .zero, isLarge: isLarge) }
  }

  /// Whether the pipeline's time is still ahead of the audio.
  var isClockEarly: Bool {
    guard let earlyClock else { return false }
    if earlyClock.isClockAhead(now: .now) { return true }
    self.earlyClock = nil
    return false
  }

  /// The running time of the audio; nil if there is none.
  var runningTime: Duration? {
    if isClockEarly, let earlyClock { return earlyClock.runningTime(now: .now) }
    guard let playbin = unsafe playbin else { return nil }
    return unsafe Duration(gst: gst_element_get_current_running_time(playbin))
  }
}
