import Playback
import Testing

@testable import GstPlayer

@Suite("Trimming of decoded frames") struct SampleTrimTests {
  private typealias Piece = SampleTrim.Piece
  private typealias Segment = SampleTrim.Segment

  /// Returns the time of a frame of 44.1 kHz, as GStreamer rounds it.
  private func time(_ frame: Int64) -> Int64 { frame * 1_000_000_000 / 44_100 }

  @Test("Frames of the padding are left out, and the others count from the start of the media")
  func padding() {
    var trim = SampleTrim(
      EncoderPadding(rate: 44_100, leading: 1_105, trailing: 3_000..<3_456), rate: 44_100)
    let pieces = (0..<4).map { trim.pieces(1_152, stamp: time(1_152 * $0), duration: time(1_152), in: Segment()) }
    #expect(
      pieces == [
        [Piece(frames: 1_105..<1_152, first: 0)], [Piece(frames: 0..<1_152, first: 47)],
        [Piece(frames: 0..<696, first: 1_199)], [Piece(frames: 0..<1_152, first: 1_895)],
      ])
  }

  @Test("A buffer that contains all padding has two pieces")
  func both() {
    var trim = SampleTrim(EncoderPadding(rate: 44_100, leading: 10, trailing: 20..<30), rate: 44_100)
    #expect(
      trim.pieces(50, stamp: 0, in: Segment()) == [
        Piece(frames: 10..<20, first: 0), Piece(frames: 30..<50, first: 10),
      ])
  }

  @Test("A frame too many at the start or at the end of a segment is left out")
  func rounding() {
    var trim = SampleTrim(nil, rate: 44_100)
    // The decoder has cut a buffer of 1,024 frames at the start of the segment.
    let segment = Segment(start: time(1_024), stop: time(101_027), time: 0)
    #expect(trim.pieces(1, stamp: time(1_024), duration: 0, in: segment).isEmpty)
    #expect(
      trim.pieces(1_024, stamp: time(1_024), duration: time(1_024), in: segment) == [Piece(frames: 0..<1_024, first: 0)]
    )
    trim.restart()
    #expect(
      trim.pieces(676, stamp: time(100_352), duration: time(675), in: segment) == [
        Piece(frames: 0..<675, first: 99_328)
      ])
    // After a seek, 711 frames lie between the start of the segment and the end of the packet, one of them before it.
    trim.restart()
    let sought = Segment(start: time(5_434), time: time(4_410))
    #expect(
      trim.pieces(711, stamp: time(5_434), duration: time(710), in: sought) == [Piece(frames: 1..<711, first: 4_410)])
  }

  @Test("Rounded times continue the count; a gap does not")
  func times() {
    var trim = SampleTrim(nil, rate: 44_100)
    let stamps: [Int64] = [0, 23_000_000, 46_000_000, 1_000_000_000]
    let firsts = stamps.map { trim.pieces(1_024, stamp: $0, duration: time(1_024), in: Segment()).first?.first }
    #expect(firsts == [0, 1_024, 2_048, 44_100])
    #expect(trim.pieces(10, stamp: nil, in: nil) == [Piece(frames: 0..<10, first: 45_124)])
  }

  @Test("A decoder whose times are early returns the later frames")
  func delay() {
    let padding = EncoderPadding(rate: 44_100, leading: 1_024, trailing: 3_072..<Int64.max)
    var trim = SampleTrim(padding, rate: 44_100, delay: 1_024)
    #expect(trim.pieces(1_024, stamp: 0, duration: time(1_024), in: Segment()) == [Piece(frames: 0..<1_024, first: 0)])
    #expect(trim.seekTime(.seconds(1)) == .seconds(1))
    #expect(SampleTrim(padding, rate: 44_100).seekTime(.zero) == .seconds(1) * 1_024 / 44_100)
  }

  @Test(
    "A seek to the time of a frame begins with that frame",
    arguments: [0, 1, 440, 1_895, 44_100, 12_345_678] as [Int64])
  func seek(frame: Int64) {
    for padding in [nil, EncoderPadding(rate: 44_100, leading: 1_105, trailing: 3_000..<3_456)] {
      var trim = SampleTrim(padding, rate: 44_100)
      let start = trim.seekTime(.seconds(1) * frame / 44_100).wholeNanoseconds
      // The decoder returns the rest of a packet, from the frame on in which the segment begins.
      let exact = padding?.decoded(frame) ?? frame
      let pieces = trim.pieces(
        501, stamp: start, duration: time(exact + 500) - start, in: Segment(start: start, time: start))
      #expect(pieces.first?.first == frame)
    }
  }

  @Test("Extreme times do not overflow")
  func extremes() {
    let values: [Int64?] = [nil, .min, -1, 0, 1, 1 << 40, .max]
    for padding in [nil, EncoderPadding(rate: 1, leading: 16_384, trailing: 20_000..<Int64.max)] {
      for rate in [0, 1, 1_536_000] {
        for start in values {
          for stop in values {
            for stamp in values {
              var trim = SampleTrim(padding, rate: rate, delay: .max >> 12)
              let segment = Segment(start: start ?? 0, stop: stop, time: stamp ?? 0)
              _ = trim.pieces(10, stamp: stamp, duration: stop, in: segment)
              _ = trim.pieces(10, stamp: start, duration: start, in: segment)
            }
          }
        }
      }
    }
  }
}
