import Playback

/// The end of a stream, and its gapless successors.
extension PipelineModel {
  /// Emits `about-to-finish` of the stream that was read to its end.
  func finishReading() {
    guard let last = streams.indices.last, !streams[last].isRead, streams[last].stuckAt == nil else { return }
    streams[last].isRead = true
    guard !streams[last].hasFailed, let next = world.nextStream(after: StreamToken(number: streams[last].token)) else {
      return
    }
    lastChange = now
    guard let media = world.media(of: next.uri) else { return post(failure: .notFound, of: next.stream.number) }
    var stream = StreamModel(next.stream.number, next.uri, media)
    stream.receivedAt = now
    stream.cut = next.end?.wholeNanoseconds
    stream.track = next.audioTrack ?? 0
    streams.append(stream)
    if behaviour.reportsSuccessorsEarly, media.fault == .none { describe(stream, announcesDuration: true) }
    after(
      1_000_000 + Int64(media.server.delay) * 1_000_000 + delay(behaviour.openDuration * 2 / 3), .opened(stream.token))
  }

  /// Handles that the decoder of a successor is ready, or has failed.
  func opened(_ token: UInt64) {
    guard let index = streams.firstIndex(where: { $0.token == token }), !streams[index].isOpen else { return }
    let stream = streams[index]
    lastChange = now
    switch stream.media.fault {
    case .unopenable, .empty, .notMedia, .damaged(at: 0):
      streams[index].hasFailed = true
      return post(failure: stream.openingFailure, of: token)
    case .endlessPreroll, .hangingOpen: return
    default: break
    }
    if stream.isNetwork, now < engine.networkDownUntil { return after(engine.networkDownUntil - now, .opened(token)) }
    if let code = redirect(stream) {
      streams[index].hasFailed = true
      return post(failure: code, of: token)
    }
    streams[index].isOpen = true
    streams[index].receivedAt = now
    streams[index].received = stream.isNetwork ? min(stream.length, stream.burst ?? 2_000_000_000) : stream.length
    if !behaviour.reportsSuccessorsEarly || stream.media.fault != .none { describe(stream, announcesDuration: false) }
    if stream.isNetwork, stream.media.server.isAnnounced, behaviour.reportsSuccessorsEarly {
      post(.buffering(StreamToken(number: token), percent: 100, progress(of: streams[index])))
    }
    let cut = stream.media.server.cutAt.map { Int64($0) * 1_000_000 }
    if stream.isNetwork, let cut, cut <= streams[index].received {
      (streams[index].received, streams[index].isCut) = (cut, true)
      post(failure: .networkCut, of: token, isFromSource: true)
    }
    if !stream.media.chapters.isEmpty {
      post(.chapters(StreamToken(number: token), stream.media.chapters.map { Chapter(start: .milliseconds($0)) }))
    }
    // A very short successor is read to its end at once, as far as the queues before the output have space.
    if index == streams.count - 1, unplayed < Int64(behaviour.aboutToFinish ?? 0) * 1_000_000 { finishReading() }
    passSilence(before: token)
    if isStarting { after(1_000_000, .start) }
    replan()
  }

  // MARK: Media without a sample

  /// Prerolls the first stream, which has no sample: with the sample of a successor, or with the end of the stream.
  func prerollSilence() {
    streams[0].isOpen = true
    describe(streams[0], announcesDuration: false)
    if behaviour.aboutToFinish != nil { finishReading() }
    if streams.count == 1 { settleSilence() }
  }

  /// Reports the preroll of an output that has only received the end of the last stream.
  private func settleSilence() {
    guard let last = streams.last else { return }
    isPrerolled = true
    lastChange = now
    anchor = (0, now)
    streams.removeFirst(streams.count - 1)
    post(.settled(StreamToken(number: last.token), facts(of: last, position: 0)))
    replan()
  }

  /// Removes the streams without a sample before one that has been opened: nothing reports their starts.
  private func passSilence(before token: UInt64) {
    guard let index = streams.firstIndex(where: { $0.token == token }) else { return }
    if streams[index].isSilent {
      if index == streams.count - 1, behaviour.aboutToFinish != nil { finishReading() }
      if index == streams.count - 1, !isPrerolled { settleSilence() }
      return
    }
    let silent = streams[1..<index].allSatisfy(\.isSilent)
    if silent, isPrerolled { streams.removeSubrange(1..<index) }
    guard silent, !isPrerolled, streams[0].isSilent, streams[0].isOpen else { return }
    let stream = StreamToken(number: token)
    post(.nextStarted(stream, in: .zero, facts(of: streams[index], position: nil), previousEnd: nil))
    streams.removeFirst(index)
    isPrerolled = true
    lastChange = now
    anchor = (0, now)
    post(.settled(stream, facts(of: streams[0], position: 0)))
  }

  /// The media time from the position to the end of the last stream.
  private var unplayed: Int64 { streams.reduce(-position(at: now)) { $0 + $1.end } }

  /// Whether the first sample of the successor is due at a position.
  func nextIsDue(_ position: Int64) -> Bool {
    streams.count > 1 && streams[1].isOpen && !streams[1].isWithdrawn
      && position >= streams[0].end
  }

  /// Handles the end of the audible stream, and the start of its successor at the output.
  func passEnd(_ position: Int64) {
    guard let stream = streams.first else { return }
    if nextIsDue(position), !streams[1].isAtOutput {
      guard !streams[1].isSilent else { return passSilentEnd(position) }
      streams[1].isAtOutput = true
      lastChange = now
      if streams[1].media.fault == .lostEnd {
        streams[1].hasFailed = true
        return post(failure: .corrupt, of: streams[1].token)
      }
      let delay = max(0, stream.end - position) + stream.delayOfNext
      post(
        .nextStarted(
          StreamToken(number: streams[1].token), in: .nanoseconds(delay), facts(of: streams[1], position: nil),
          previousEnd: .nanoseconds(max(stream.end, stream.base))))
    }
    guard position >= stream.end, !hasEnded else { return }
    if streams.count > 1, streams[1].isAtOutput {
      if streams[1].isWithdrawn || streams[1].hasFailed || stream.media.fault == .farEnd { return }
      enterNext()
      if streams[0].isNetwork { networkDue() }
    } else if streams.count == 1 {
      reportEnd()
    }
    // While the successor is being opened, neither it nor an end arrives.
  }

  /// Handles the end of the audible stream if only streams without a sample follow it.
  private func passSilentEnd(_ position: Int64) {
    guard position >= streams[0].end, !hasEnded, streams.last?.isRead == true,
      streams.dropFirst().allSatisfy({ $0.isSilent && $0.isOpen })
    else { return }
    hasEnded = true
    anchor = (streams[0].end, now)
    lastChange = now
    if let last = streams.last { post(.ended(StreamToken(number: last.token))) }
  }

  /// Makes the successor at the output the audible stream.
  func enterNext() {
    noteHeard()
    let end = streams.removeFirst().end
    for index in fades.indices { fades[index].enterNext(after: end) }
    lastChange = now
    rate = 1
    anchor = (0, now)
  }

  /// Reports the end of the audible stream.
  func reportEnd() {
    guard let stream = streams.first, !hasEnded else { return }
    // A server that stopped sending has not reached its end.
    if stream.isNetwork, !stream.isComplete { return }
    hasEnded = true
    // A crossfade without an overlap ends before the next stream is entered.
    if role == .loaded { engine.overlapEnds(self) }
    // After a seek beyond the end of a truncated file, the position is the target of the seek.
    anchor = (max(stream.end, stream.base), now)
    lastChange = now
    let token = StreamToken(number: stream.token)
    if !stream.hasNothingLeft { post(.endFound(token, at: .nanoseconds(anchor.position))) }
    post(.ended(token))
  }

  func endStream(_ token: UInt64, at time: Int64?) {
    guard let index = streams.firstIndex(where: { $0.token == token }) else { return }
    settlePosition()
    streams[index].cut = time
    replan()
  }

  func withdraw(_ token: UInt64) {
    guard let index = streams.firstIndex(where: { $0.token == token }), index > 0 else { return }
    lastChange = now
    streams.removeSubrange((index + 1)...)
    if streams[index].isAtOutput { streams[index].isWithdrawn = true } else { streams.remove(at: index) }
    settlePosition()
    if isStarting { after(1_000_000, .start) }
    replan()
  }
}
