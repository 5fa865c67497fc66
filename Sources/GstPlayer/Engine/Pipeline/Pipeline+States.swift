import CGst
import EngineProcess
import Playback

/// Changes the playbin's state.
extension Pipeline {
  @discardableResult
  func setState(_ state: GstState) -> GstStateChangeReturn {
    requestedState = state
    if state != GST_STATE_PLAYING {
      limitStart(nil)
      sampleTimer.set(nil) {}
    }
    guard let playbin = unsafe playbin else { return GST_STATE_CHANGE_FAILURE }
    if state == GST_STATE_NULL || state == GST_STATE_READY {
      unsafe endSwitches(of: playbin)
    } else {
      context.groupSwitch.allow()
    }
    let result = unsafe gst_element_set_state(playbin, state)
    if state == GST_STATE_PAUSED { unsafe restoreStartTime(of: playbin) }
    return result
  }

  /// Prevents a switch of the source group during the following change to READY or NULL.
  ///
  /// A switch in progress may open its source slowly, so the output is paused before the wait.
  private func endSwitches(of playbin: UnsafeMutablePointer<GstElement>) {
    var state = GST_STATE_VOID_PENDING
    unsafe gst_element_get_state(playbin, &state, nil, 0)
    if state == GST_STATE_PLAYING { unsafe gst_element_set_state(playbin, GST_STATE_PAUSED) }
    context.groupSwitch.refuse()
  }

  /// Sets the start time to 0 if a pause directly after a seek has computed it with the base time before the seek.
  ///
  /// A flushing seek sets it to 0. When the seek is done, a thread of GStreamer continues to PLAYING, which sets the base time.
  /// If a pause comes first, GStreamer 1.22 also counts the time that was played before the seek, and then playback skips as
  /// much audio when it resumes.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#gst_element_get_start_time>
  private func restoreStartTime(of playbin: UnsafeMutablePointer<GstElement>) {
    guard let baseTimeBeforeSeek, unsafe gst_element_get_base_time(playbin) == baseTimeBeforeSeek else { return }
    unsafe gst_element_set_start_time(playbin, 0)
  }

  func setPlaying(_ playing: Bool) {
    if !playing { outputSearch = nil }
    let state = playing ? GST_STATE_PLAYING : GST_STATE_PAUSED
    if playing { limitStart(.now + configuration.pipelineTimeout) }
    guard setState(state) == GST_STATE_CHANGE_FAILURE else { return }
    // A successor that cannot be opened also fails a state change in progress. It is isolated now, so one retry is
    // made.
    if context.isReading(stream) || setState(state) == GST_STATE_CHANGE_FAILURE {
      context.deliver(.event(.failed(stream, PlayerError(code: .output, message: "the output cannot be started"))))
    }
  }

  /// Whether the pipeline has reached PLAYING and is not leaving it.
  var isPlaying: Bool {
    guard let playbin = unsafe playbin else { return false }
    var (state, pending) = (GST_STATE_VOID_PENDING, GST_STATE_VOID_PENDING)
    unsafe gst_element_get_state(playbin, &state, &pending, 0)
    return state == GST_STATE_PLAYING && pending == GST_STATE_VOID_PENDING
  }

  /// Sets the instant at which a start counts as missed; nil for none.
  ///
  /// A start may never complete: a failing successor may end the state change without a result.
  func limitStart(_ instant: MonotonicTime?) {
    isStartLimited = instant != nil
    startTimer.set(instant) { [weak self] in self?.assumeIsolated { $0.startMissed() } }
  }

  /// Limits the change to PLAYING that follows a preroll.
  ///
  /// The first sample of a successor whose decoder is not ready takes the pipeline back to PAUSED.
  func limitStartAfterPreroll() {
    if requestedState == GST_STATE_PLAYING, !isStartLimited, !isPlaying {
      limitStart(.now + configuration.pipelineTimeout)
    }
  }

  private func startMissed() {
    limitStart(nil)
    if requestedState == GST_STATE_PLAYING, !isPlaying {
      report(.startMissed(stream, position: context.streamAtSink == stream ? position : nil))
    }
  }
}
