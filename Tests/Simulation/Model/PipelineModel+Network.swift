import Playback

/// The arrival of data from servers, and the fill level of the buffer.
extension PipelineModel {
  /// The interval of the computation while data arrives or is missing.
  private static let tick: Int64 = 250_000_000
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
      let wait = wait(steady: steady)
      if wait > Self.tick, isRunning { streams[0].assured = position(at: now) + wait }
      after(wait, .network(networkTick))
    }
    if isDone, isRunning, !streams[0].isRead { positionDue() }
  }

  /// The time until the next computation: long while the buffer stays full.
  private func wait(steady: Bool) -> Int64 {
    let stream = streams[0]
    guard level() >= 100, stream.media.server.speed >= 130, rate <= 1 else { return Self.tick }
    var wait: Int64 = 20_000_000_000
    let position = position(at: now)
    for time in [stream.hasStalled ? nil : stream.media.server.stallAt, stream.media.server.cutAt, stream.media.length]
    {
      if let time { wait = min(wait, max(Self.tick, Int64(time) * 1_000_000 - position - 3_000_000_000)) }
    }
    return wait
  }

  func arrive() {
    let stream = streams[0]
    let server = stream.media.server
    defer { streams[0].receivedAt = now }
    guard !stream.isComplete else { return }
    // A fault of the network ends the arrival where it began.
    let from = max(stream.receivedAt, min(now, max(networkDownUntil, stream.stallsUntil)))
    var received = stream.received + (now - from) * Int64(server.speed) / 100
    let most = position(at: now) + 1_000_000_000 + forwardBuffer
    received = max(stream.received, min(received, min(most, stream.length)))
    if let stall = server.stallAt, !stream.hasStalled, received >= Int64(stall) * 1_000_000 {
      received = max(stream.received, Int64(stall) * 1_000_000)
      streams[0].hasStalled = true
      streams[0].assured = 0
      after(Self.tick, .network(networkTick))
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

  /// The fill level of the queue in percent.
  private func level() -> Int {
    let stream = streams[0]
    if stream.isComplete { return 100 }
    let held = stream.received - decoded(of: stream)
    return Int(min(100, max(0, held) * 100 / max(1, forwardBuffer)))
  }

  /// The end of the decoded data: the output and the queues before it hold a second.
  private func decoded(of stream: StreamModel) -> Int64 {
    stream.isNetwork ? min(stream.received, position(at: now) + 1_000_000_000) : stream.length
  }

  /// Sends the fill level if it has changed.
  func announce() {
    let stream = streams[0]
    world.publish(progress(of: stream), of: StreamToken(number: stream.token))
    guard stream.media.server.isAnnounced, !stream.isCut else { return }
    let percent = level()
    // A storm repeats each change, and from time to time a level that has not changed.
    guard percent != stream.lastPercent || behaviour.bufferingStorm && networkTick % 16 == 0 else { return }
    streams[0].lastPercent = percent
    for _ in 0..<(behaviour.bufferingStorm ? 5 : 1) {
      post(.buffering(StreamToken(number: stream.token), percent: percent, progress(of: stream)))
    }
  }

  func progress(of stream: StreamModel) -> StreamProgress {
    var progress = StreamProgress()
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
