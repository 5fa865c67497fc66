import Playback

/// The arrival of data from servers, and the fill level of the buffer.
extension DeckModel {
  /// The least interval of the computation while data arrives or is missing.
  private var tick: Int64 { Int64(behaviour.arrivalInterval) * 1_000_000 }
  /// The longest interval of the computation.
  private static let longestWait: Int64 = 20_000_000_000
  /// The bytes per second of all media.
  private static let bytes: Int64 = 16_000

  /// Computes the received data, and sends the fill level.
  func networkDue() {
    networkTick += 1
    guard isSettled, isNetwork, tail == nil else { return }
    let output = engine.output
    output.settle()
    let wasDry = output.isDry(self)
    let was = received
    arrive()
    let steady = level >= 100 && was == received
    announce()
    let isPlaying = output.plays(self)
    assured = 0
    if !isComplete && !(steady && !isPlaying) {
      let wait = wait(isPlaying)
      if wait > tick, isPlaying { assured = position + advance(in: wait) }
      after(wait, .network(networkTick))
    }
    noteRead()
    noteFinished()
    if wasDry, received > was { output.continues(self) } else { output.update() }
  }

  /// Returns the media time that the output plays in a time at most.
  private func advance(in time: Int64) -> Int64 { Int64(Double(time) * engine.output.rate * 1.001) }

  /// Returns the time until the next computation: long while the level that GStreamer would report does not change.
  private func wait(_ isPlaying: Bool) -> Int64 {
    let rate = engine.output.rate
    let fault = max(engine.networkDownUntil, stallsUntil)
    // The growth of the held data in media time per second of the clock.
    let growth = (now < fault ? 0 : Double(media.server.speed) / 100) - (isPlaying ? rate * 1.001 : 0)
    var wait = Self.longestWait
    let limit = { [tick] (time: Double) in wait = min(wait, max(tick, Int64(min(time, 20_000_000_000)))) }
    if now < fault { limit(Double(fault - now)) }
    // The engine reports each second that arrives, and data arrives as fast as it plays at least.
    if isPlaying, now >= fault { limit(1_000_000_000 / max(1, rate)) }
    if isFilling, level < 100, growth != 0 { limit(Double(forwardBuffer) / 100 / abs(growth)) }
    if growth < 0 { limit(Double(held) / -growth) }
    // The output is far from the places where the data ends.
    let position = position
    let ends = [media.length, Int(end / 1_000_000)]
    for time in [hasStalled ? nil : media.server.stallAt, media.server.cutAt] + ends {
      if let time { limit(Double(Int64(time) * 1_000_000 - position - 3_000_000_000) / (isPlaying ? max(1, rate) : 1)) }
    }
    return wait
  }

  func arrive() {
    defer { receivedAt = now }
    guard !isComplete, tail == nil else { return }
    // A fault of the network ends the arrival where it began.
    let from = max(receivedAt, min(now, max(engine.networkDownUntil, stallsUntil)))
    var arrived = received + (now - from) * Int64(media.server.speed) / 100
    let most = keptTime == nil ? position + 1_000_000_000 + forwardBuffer : mostOfStation
    arrived = max(received, min(arrived, min(most, length)))
    if let stall = media.server.stallAt, !hasStalled, arrived >= Int64(stall) * 1_000_000 {
      arrived = max(received, Int64(stall) * 1_000_000)
      (hasStalled, assured) = (true, 0)
      after(tick, .network(networkTick))
      stallsUntil = now + Int64(media.server.stall) * 1_000_000
    }
    if let cut = media.server.cutAt, arrived >= Int64(cut) * 1_000_000 {
      received = max(received, Int64(cut) * 1_000_000)
      return closeConnection()
    }
    received = arrived
    // What is decoded is not lost with the data.
    if let kept, lostAt == nil, kept.lowerBound > decodedEnd { lostAt = decodedEnd }
  }

  private var keptTime: Int64? { media.keptTime.map { Int64($0) * 1_000_000 } }

  /// The received data of a station that is kept; nil for other media, and if its process has ended.
  var kept: Range<Int64>? {
    guard let keptTime, tail == nil, processState == .open, !isReopening, received > requested else { return nil }
    return max(requested, received - keptTime)..<received
  }

  /// The end of the data that a station is let send: a minute ahead of real time, or half a minute ahead of playback.
  private var mostOfStation: Int64 {
    max(requested + (now - connectedAt) + 60_000_000_000, position + 30_000_000_000)
  }

  /// The fill level of the queue in percent.
  private var level: Int { isComplete ? 100 : Int(min(100, held * 100 / max(1, forwardBuffer))) }

  /// The media time that the queue holds.
  private var held: Int64 { max(0, received - decoded) }

  /// The end of the decoded data: the output and the queues before it hold a second.
  private var decoded: Int64 { isNetwork ? min(received, lostAt ?? .max, position + 1_000_000_000) : length }

  /// Sends the fill level if it has changed while the queue fills.
  ///
  /// A queue fills from a level below 1 percent until it is full. A full queue reports nothing until it has run empty.
  func announce() {
    world.publish(progress, of: stream)
    let growth = received - reported
    if growth >= 1_000_000_000 || growth > 0 && isComplete {
      reported = received
      post(.progressed(progress))
    }
    guard media.server.isAnnounced, !isCut else { return }
    let percent = level
    let isBelow = isFilling || percent < 1
    isFilling = isBelow && percent < 100
    // A storm repeats each change, and from time to time a level that has not changed.
    let isRepeated = behaviour.bufferingStorm && networkTick % 16 == 0
    guard isBelow && percent != lastPercent || isRepeated else { return }
    lastPercent = percent
    for _ in 0..<(behaviour.bufferingStorm ? 3 : 1) { post(.buffering(percent: percent, progress)) }
  }

  var progress: StreamProgress {
    var progress = StreamProgress()
    if let stuckAt, hasRunOut {
      progress.decode(from: .nanoseconds(base))
      progress.decode(until: .nanoseconds(stuckAt))
      progress.deliver(until: .nanoseconds(stuckAt))
    }
    if let gap, behaviour.reportsGaps, hasRunOut, base < gap.upperBound {
      progress.decode(from: .nanoseconds(base))
      progress.decode(until: .nanoseconds(gap.upperBound + 1_000_000_000))
      let start = Duration.nanoseconds(max(gap.lowerBound, base))
      progress.deliver(
        until: .nanoseconds(gap.upperBound), after: StreamProgress.Gap(start: start, end: .nanoseconds(gap.upperBound)))
    }
    guard isNetwork else { return progress }
    progress.kept = kept.map { .nanoseconds($0.lowerBound)..<Duration.nanoseconds($0.upperBound) }
    let decoded = decoded
    if media.source == .server { progress.size = length / 1_000_000 * Self.bytes / 1_000 }
    let offset = { (time: Int64) in time / 1_000_000 * Self.bytes / 1_000 }
    progress.decode(from: .nanoseconds(base))
    progress.receive(from: offset(max(base, received)))
    progress.forward(from: offset(base))
    progress.forward(bytes: 0)
    progress.decode(until: .nanoseconds(max(base, decoded)))
    progress.forward(bytes: max(0, offset(decoded) - offset(base)))
    progress.forward(bytes: 0)
    return progress
  }

  /// Measures the position.
  func sample() {
    guard isSettled, engine.output.position(of: token) != nil else { return }
    engine.output.settle()
    if isNetwork {
      arrive()
      world.publish(progress, of: stream)
    }
    post(.sampled(position: .nanoseconds(position), progress))
  }
}
