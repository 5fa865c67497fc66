import Playback

/// The arrival of data from servers, and the fill level of the buffer.
extension PipelineModel {
  /// The least interval of the computation while data arrives or is missing.
  private var tick: Int64 { Int64(behaviour.arrivalInterval) * 1_000_000 }
  /// The longest interval of the computation.
  private static let longestWait: Int64 = 20_000_000_000
  /// The bytes per second of all media.
  private static let bytes: Int64 = 16_000

  /// Computes the received data, and sends the fill level.
  func networkDue() {
    networkTick += 1
    guard isPrerolled, let stream = streams.first, stream.isNetwork else { return }
    settlePosition()
    let was = streams[0].received
    arrive()
    let steady = level() >= 100 && was == streams[0].received
    announce()
    replan()
    let isDone = streams[0].isComplete
    let isIdle = steady && !isRunning
    streams[0].assured = 0
    if !isDone && !isIdle {
      let wait = wait()
      if wait > tick, isRunning { streams[0].assured = position(at: now) + advance(in: wait) }
      after(wait, .network(networkTick))
    }
    if isDone, isRunning, !streams[0].isRead { positionDue() }
  }

  /// Returns the media time that the output plays in a time at most.
  private func advance(in time: Int64) -> Int64 { isRunning ? Int64(Double(time) * rate * 1.001) : 0 }

  /// Returns the time until the next computation: long while the level that GStreamer would report does not change.
  private func wait() -> Int64 {
    let stream = streams[0]
    let fault = max(engine.networkDownUntil, stream.stallsUntil)
    // The growth of the held data in media time per second of the clock.
    let growth = (now < fault ? 0 : Double(stream.media.server.speed) / 100) - (isRunning ? rate * 1.001 : 0)
    var wait = Self.longestWait
    let limit = { [tick] (time: Double) in wait = min(wait, max(tick, Int64(min(time, 20_000_000_000)))) }
    if now < fault { limit(Double(fault - now)) }
    // The engine reports each second that arrives, and data arrives as fast as it plays at least.
    if isRunning, now >= fault { limit(1_000_000_000 / max(1, rate)) }
    if stream.isFilling, level() < 100, growth != 0 { limit(Double(forwardBuffer) / 100 / abs(growth)) }
    if growth < 0 { limit(Double(held(of: stream)) / -growth) }
    // The output is far from the places where the data ends.
    let position = position(at: now)
    let ends = [stream.media.length, Int(stream.end / 1_000_000)]
    for time in [stream.hasStalled ? nil : stream.media.server.stallAt, stream.media.server.cutAt] + ends {
      if let time { limit(Double(Int64(time) * 1_000_000 - position - 3_000_000_000) / (isRunning ? max(1, rate) : 1)) }
    }
    return wait
  }

  func arrive() {
    let stream = streams[0]
    let server = stream.media.server
    defer { streams[0].receivedAt = now }
    guard !stream.isComplete else { return }
    // A fault of the network ends the arrival where it began.
    let from = max(stream.receivedAt, min(now, max(engine.networkDownUntil, stream.stallsUntil)))
    var received = stream.received + (now - from) * Int64(server.speed) / 100
    let most = position(at: now) + 1_000_000_000 + forwardBuffer
    received = max(stream.received, min(received, min(most, stream.length)))
    if let stall = server.stallAt, !stream.hasStalled, received >= Int64(stall) * 1_000_000 {
      received = max(stream.received, Int64(stall) * 1_000_000)
      streams[0].hasStalled = true
      streams[0].assured = 0
      after(tick, .network(networkTick))
      streams[0].stallsUntil = now + Int64(server.stall) * 1_000_000
    }
    if let cut = server.cutAt, received >= Int64(cut) * 1_000_000 {
      received = max(stream.received, Int64(cut) * 1_000_000)
      streams[0].received = received
      return closeConnection()
    }
    streams[0].received = received
  }

  /// Closes the connection of the audible stream: an error at once, and an end when the data has been played.
  func closeConnection() {
    guard let stream = streams.first, stream.isNetwork, !stream.isComplete else { return }
    streams[0].isCut = true
    streams[0].assured = 0
    lastChange = now
    post(failure: .networkCut, of: stream.token, isFromSource: true)
  }

  /// Returns the fill level of the queue in percent.
  private func level() -> Int {
    let stream = streams[0]
    if stream.isComplete { return 100 }
    return Int(min(100, held(of: stream) * 100 / max(1, forwardBuffer)))
  }

  /// Returns the media time that the queue holds.
  private func held(of stream: StreamModel) -> Int64 { max(0, stream.received - decoded(of: stream)) }

  /// Returns the end of the decoded data: the output and the queues before it hold a second.
  private func decoded(of stream: StreamModel) -> Int64 {
    stream.isNetwork ? min(stream.received, position(at: now) + 1_000_000_000) : stream.length
  }

  /// Sends the fill level if it has changed while the queue fills.
  ///
  /// A queue fills from a level below 1 percent until it is full. A full queue reports nothing until it has run empty.
  func announce() {
    let stream = streams[0]
    if role == .loaded { world.publish(progress(of: stream), of: StreamToken(number: stream.token)) }
    let growth = stream.received - stream.reported
    if growth >= 1_000_000_000 || growth > 0 && stream.isComplete {
      streams[0].reported = stream.received
      post(.progressed(StreamToken(number: stream.token), progress(of: stream)))
    }
    guard stream.media.server.isAnnounced, !stream.isCut else { return }
    let percent = level()
    let isFilling = stream.isFilling || percent < 1
    streams[0].isFilling = isFilling && percent < 100
    // A storm repeats each change, and from time to time a level that has not changed.
    let isRepeated = behaviour.bufferingStorm && networkTick % 16 == 0
    guard isFilling && percent != stream.lastPercent || isRepeated else { return }
    streams[0].lastPercent = percent
    for _ in 0..<(behaviour.bufferingStorm ? 3 : 1) {
      post(.buffering(StreamToken(number: stream.token), percent: percent, progress(of: stream)))
    }
  }

  func progress(of stream: StreamModel) -> StreamProgress {
    var progress = StreamProgress()
    if let data = stream.stuckAt, stream.hasRunOut {
      progress.decode(from: .nanoseconds(stream.base))
      progress.decode(until: .nanoseconds(data))
      progress.deliver(until: .nanoseconds(data))
    }
    if let gap = stream.gap, behaviour.reportsGaps, stream.hasRunOut, stream.base < gap.upperBound {
      progress.decode(from: .nanoseconds(stream.base))
      progress.decode(until: .nanoseconds(gap.upperBound + 1_000_000_000))
      let start = Duration.nanoseconds(max(gap.lowerBound, stream.base))
      progress.deliver(
        until: .nanoseconds(gap.upperBound), after: StreamProgress.Gap(start: start, end: .nanoseconds(gap.upperBound)))
    }
    guard stream.isNetwork, stream.isOpen else { return progress }
    let isAudible = stream.token == streams.first?.token
    let decoded = isAudible ? decoded(of: stream) : 0
    if stream.media.source == .server { progress.size = stream.length / 1_000_000 * Self.bytes / 1_000 }
    let offset = { (time: Int64) in time / 1_000_000 * Self.bytes / 1_000 }
    progress.decode(from: .nanoseconds(stream.base))
    progress.receive(from: offset(max(stream.base, stream.received)))
    progress.forward(from: offset(stream.base))
    progress.forward(bytes: 0)
    progress.decode(until: .nanoseconds(max(stream.base, decoded)))
    progress.forward(bytes: max(0, offset(decoded) - offset(stream.base)))
    progress.forward(bytes: 0)
    return progress
  }
}
