import Testing

@testable import Playback

@Suite("Stream progress") struct StreamProgressTests {
  /// Returns the progress of a file of 10 000 bytes that has been decoded up to 2 s, which is 2 000 bytes.
  ///
  /// The next 1 000 bytes are in the parser, and more have been received.
  private func progress(received: Int64, size: Int64? = 10_000) -> StreamProgress {
    var progress = StreamProgress()
    progress.receive(from: 0)
    progress.size = size
    progress.receive(bytes: received)
    progress.forward(from: 0)
    progress.forward(bytes: 1_000)
    progress.decode(from: .zero)
    progress.decode(until: .seconds(1))
    progress.forward(bytes: 1_000)
    progress.decode(until: .seconds(2))
    progress.forward(bytes: 1_000)
    progress.decode(until: .milliseconds(2_500))
    return progress
  }

  @Test("Received bytes count as their share of the remaining duration")
  func part() {
    #expect(progress(received: 3_000).loaded(ofDuration: .seconds(10)) == .seconds(3))
    #expect(progress(received: 6_000).loaded(ofDuration: .seconds(10)) == .seconds(6))
    #expect(progress(received: 10_000).loaded(ofDuration: .seconds(10)) == .seconds(10))
    // The rest of the file has another bit rate.
    #expect(progress(received: 6_000).loaded(ofDuration: .seconds(18)) == .seconds(10))
    // More bytes than the server announced count as the whole file.
    #expect(progress(received: 99_000).loaded(ofDuration: .seconds(10)) == .seconds(10))
  }

  @Test("Without a size or a duration the loaded range is estimated from the bit rate so far")
  func bitRate() {
    #expect(progress(received: 6_000, size: nil).loaded(ofDuration: .seconds(10)) == .seconds(6))
    #expect(progress(received: 6_000).loaded(ofDuration: nil) == .seconds(6))
    var short = StreamProgress()
    short.receive(from: 0)
    short.forward(from: 0)
    short.forward(bytes: 100)
    short.decode(from: .zero)
    short.decode(until: .milliseconds(100))
    short.forward(bytes: 100)
    short.receive(bytes: 5_000)
    #expect(short.loaded(ofDuration: nil) == .milliseconds(100))
  }

  @Test("Decoded data counts as loaded, whatever the estimate")
  func decoded() {
    var ahead = progress(received: 3_000)
    ahead.decode(until: .seconds(4))
    #expect(ahead.loaded(ofDuration: .seconds(10)) == .seconds(4))
    ahead.decode(until: .seconds(3))
    #expect(ahead.decoded == .seconds(4))
    #expect(StreamProgress.decoded(until: .seconds(5)).loaded(ofDuration: .seconds(10)) == .seconds(5))
    #expect(StreamProgress().loaded(ofDuration: .seconds(10)) == nil)
  }

  @Test("A header does not count as media: the estimate starts at the first decoded block")
  func header() {
    var progress = StreamProgress()
    progress.receive(from: 0)
    progress.size = 10_000
    progress.receive(bytes: 7_000)
    progress.forward(from: 0)
    for _ in 0..<6 { progress.forward(bytes: 1_000) }
    #expect(progress.loaded(ofDuration: .seconds(10)) == nil)
    progress.decode(from: .zero)
    #expect(progress.loaded(ofDuration: .seconds(10)) == .seconds(4))
  }

  @Test("After a flush the loaded range is unknown until decoding starts at the new position")
  func flush() {
    var progress = progress(received: 6_000)
    progress.flush()
    #expect(progress.loaded(ofDuration: .seconds(10)) == nil)
    progress.receive(from: 8_000)
    progress.forward(from: 8_000)
    progress.receive(bytes: 1_000)
    progress.forward(bytes: 500)
    progress.decode(from: .seconds(8))
    #expect(progress.loaded(ofDuration: .seconds(10)) == .seconds(9))
    #expect(!progress.isQueueEmpty)
    progress.forward(bytes: 500)
    #expect(progress.isQueueEmpty)
  }

  @Test("A stream is whole when its last byte has arrived, or if its size is unknown, when its source has ended")
  func whole() {
    var progress = StreamProgress()
    #expect(!progress.isWhole)
    progress.size = 1
    #expect(!progress.isWhole)
    progress.receive(from: 0)
    #expect(!progress.isWhole)
    progress.receive(bytes: 1)
    #expect(progress.isWhole)
    progress.size = nil
    #expect(!progress.isWhole)
    progress.receiveEnd()
    #expect(progress.isWhole)
    // A seek reads on from another offset.
    progress.receive(from: 0)
    #expect(!progress.isWhole)
  }

  @Test("Offsets and times beyond their limits are clamped")
  func bounds() {
    var progress = StreamProgress()
    progress.size = .max
    progress.receive(from: .max)
    progress.receive(bytes: .max)
    progress.forward(from: .max)
    progress.forward(bytes: .max)
    progress.decode(from: .nanoseconds(Int64.max))
    #expect(progress.loaded(ofDuration: .nanoseconds(Int64.max)) == .nanoseconds(Int64.max))
    var fast = StreamProgress()
    fast.receive(from: 0)
    fast.forward(from: 0)
    fast.decode(from: .zero)
    fast.forward(bytes: 1)
    fast.decode(until: .nanoseconds(Int64.max))
    fast.forward(bytes: 1)
    fast.receive(bytes: .max)
    #expect(fast.loaded(ofDuration: nil) != nil)
  }
}
