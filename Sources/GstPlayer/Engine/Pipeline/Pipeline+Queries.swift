import CGst
import Playback

/// The queries of the pipeline.
extension Pipeline {
  func facts(isLive: Bool) -> StreamFacts {
    let queried = queriedFacts(of: stream)
    var facts = StreamFacts(
      duration: isLive ? nil : queried.duration, isSeekable: !isLive && queried.isSeekable, isLive: isLive,
      position: position, progress: context.progress(of: stream))
    facts.isEstimated = context.data(of: stream)?.byteSeek?.isEstimated ?? false
    return facts
  }

  /// Returns the duration and seekability of a stream: from the pipeline for the stream being read, else the last
  /// answer; a measured duration takes precedence.
  func queriedFacts(of stream: StreamToken) -> StreamFactsAtEnd {
    var queried = answer(of: stream)
    switch context.data(of: stream)?.measurement {
    case .awaited: queried.duration = nil
    case .done(let duration?): queried.duration = duration
    case .done(nil), nil: break
    }
    return queried
  }

  private func answer(of stream: StreamToken) -> StreamFactsAtEnd {
    guard let playbin = unsafe playbin else { return StreamFactsAtEnd() }
    if context.isReading(stream) {
      let answer = unsafe StreamFactsAtEnd(of: playbin)
      // The stream may have been read to its end in the meantime.
      if context.isReading(stream) { return answer }
    }
    return context.data(of: stream)?.read ?? StreamFactsAtEnd()
  }

  /// The position of the output; nil if it is unknown.
  var position: Duration? {
    guard let playbin = unsafe playbin else { return nil }
    var time: gint64 = -1
    guard unsafe gst_element_query_position(playbin, GST_FORMAT_TIME, &time) != 0, time >= 0 else { return nil }
    return .nanoseconds(time)
  }
}
