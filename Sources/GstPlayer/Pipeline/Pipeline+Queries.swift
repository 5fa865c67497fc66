/// What the pipeline says of itself.
extension Pipeline {
  func facts(isLive: Bool) -> PlaybackMachine.StreamFacts {
    let said = said(of: stream)
    return PlaybackMachine.StreamFacts(
      duration: isLive ? nil : said.duration, isSeekable: !isLive && said.isSeekable, isLive: isLive,
      position: position, progress: context.progress(of: stream))
  }

  /// The decoder answers for the stream that is read; of one that is only heard, the last answer is known.
  ///
  /// playbin of GStreamer 1.22 holds its lock during a query. A decoder that locks its mutex for the query and for the
  /// end of the stream, at which playbin takes the same lock, would never return, see ``LockedDecoder``.
  func said(of stream: StreamToken) -> ReadStream {
    if context.isReading(stream), let answer = context.askDecoder() {
      // It may have been read to its end meanwhile.
      if context.keep(answer, of: stream) { return answer }
    }
    return context.read(stream) ?? ReadStream(isSeekable: false)
  }

  var position: Duration? { if let playbin = unsafe playbin { unsafe StreamQuery.position(playbin) } else { nil } }
}
