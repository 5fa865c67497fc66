import Playback

/// What the pipeline says of itself.
extension Pipeline {
  func facts(isLive: Bool) -> StreamFacts {
    let said = said(of: stream)
    return StreamFacts(
      duration: isLive ? nil : said.duration, isSeekable: !isLive && said.isSeekable, isLive: isLive,
      position: position, progress: context.progress(of: stream))
  }

  /// The pipeline answers for the stream that is read; of one that is only heard, what it said last is known.
  func said(of stream: StreamToken) -> ReadStream {
    guard let playbin = unsafe playbin else { return ReadStream(isSeekable: false) }
    if context.isReading(stream) {
      let answer = unsafe ReadStream(
        duration: StreamQuery.duration(playbin), isSeekable: StreamQuery.isSeekable(playbin))
      // It may have been read to its end meanwhile.
      if context.isReading(stream) { return answer }
    }
    return context.read(stream) ?? ReadStream(isSeekable: false)
  }

  /// The position of the output; nil while none is known.
  var position: Duration? {
    guard !isClockEarly, let playbin = unsafe playbin else { return nil }
    return unsafe StreamQuery.position(playbin)
  }
}
