/// The times at which an output plays its frames.
///
/// Frames follow each other without a break. When frames were written too late, or were replaced, the frames from there on have
/// another time. A time is a position of the stream in the output, in nanoseconds at speed 1.
struct OutputTimeline: Equatable, Sendable {
  /// Frames that are played without a break, from this one on.
  private struct Run: Equatable {
    var frame: Int64
    var time: Int64
  }

  /// Frames a second; more than 0.
  private let rate: Int
  /// In the order of their frames and of their times; never empty.
  private var runs: [Run]

  /// Creates the timeline of an output that plays a frame first, at the time 0.
  init(rate: Int, from frame: Int64 = 0) {
    self.rate = max(1, rate)
    runs = [Run(frame: frame, time: 0)]
  }

  /// Returns the time at which a frame begins, rounded down.
  func time(of frame: Int64) -> Int64 {
    let run = runs.last { $0.frame <= frame } ?? runs[0]
    return run.time + nanoseconds(frame - run.frame)
  }

  /// Returns the number of the frame that is played at a time; during silence, the number of the frame after it.
  func frame(at time: Int64) -> Int64 {
    guard let index = runs.lastIndex(where: { $0.time <= time }) else { return runs[0].frame }
    let run = runs[index]
    let (seconds, rest) = (time - run.time).quotientAndRemainder(dividingBy: 1_000_000_000)
    let frame = run.frame + seconds * Int64(rate) + rest * Int64(rate) / 1_000_000_000
    return index + 1 < runs.count ? min(frame, runs[index + 1].frame) : frame
  }

  /// Places the frames from the next frame to be written on at another time than the end of the frames before it.
  mutating func restart(_ frame: Int64, at time: Int64) {
    runs.removeAll { $0.frame >= frame }
    runs.append(Run(frame: frame, time: time))
  }

  /// Forgets the times before a frame that has been played.
  mutating func forget(before frame: Int64) {
    if let index = runs.lastIndex(where: { $0.frame <= frame }), index > 0 { runs.removeFirst(index) }
  }

  /// Returns the duration of frames, in nanoseconds, rounded down.
  func nanoseconds(_ frames: Int64) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / Int64(rate)
  }
}
