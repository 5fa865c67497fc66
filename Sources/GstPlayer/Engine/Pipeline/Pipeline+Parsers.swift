import CGst
import Playback

/// Measures the durations of local files, and seeks again if a network stream has missed the target.
extension Pipeline {
  /// Measures the duration of a local stream; until then, it is unknown.
  func measureDuration(of stream: StreamToken, _ uri: String) {
    guard !configuration.isLowPowerModeEnabled, context.data(of: stream) != nil else {
      return context.setMeasurement(nil, of: stream)
    }
    durationScan.begin(uri) { [weak self] duration in
      self?.enqueue { $0.durationWasMeasured(duration, of: stream) }
    }
  }

  private func durationWasMeasured(_ duration: Duration?, of stream: StreamToken) {
    guard context.data(of: stream) != nil else { return }
    context.setMeasurement(.done(duration), of: stream)
    report(.durationChanged(stream, queriedFacts(of: stream).duration))
  }

  /// Repeats the last seek, because its data was too far from its target.
  func seekWasMissed(_ number: UInt64, in stream: StreamToken) {
    guard stream == self.stream, let lastSeek, context.data(of: stream)?.byteSeek?.isMissed(number) == true else {
      return
    }
    perform(lastSeek)
  }
}

/// Observes the parsers of streams of frames.
extension PipelineContext {
  /// Observes the parser of a stream that is not in a container.
  func watchParser(_ element: UnsafeMutablePointer<GstElement>) {
    guard unsafe Parser.isParser(element), let stream = unsafe stream(of: element), let uri = uri(of: stream) else {
      return
    }
    let deliver = deliver
    if Player.Item.isLocal(uri) {
      unsafe ClaimedDuration.check(element) {
        self.setMeasurement(.awaited, of: stream)
      } checked: { isReliable in
        if isReliable { self.setMeasurement(nil, of: stream) } else { deliver(.durationIsUnreliable(stream, uri)) }
      }
    } else if let seek = unsafe ByteSeek(of: element, missed: { deliver(.seekMissed(stream, number: $0)) }) {
      setByteSeek(seek, of: stream)
    }
  }
}
