package import Joining
import Playback
import Synchronization

/// Puts the samples of a deck into a ring; while the ring is full, keeps the further samples.
///
/// The deck bounds these samples: it decodes nothing while too many of its samples are unused.
package final class RingFeed: SampleTarget {
  private struct State {
    /// The entries that wait for room, in order.
    var waiting: [SampleEntry] = []
    /// The seek number of the newest passage.
    var newest = 0
    /// The format of the last samples.
    var format: PCMFormat?
  }

  private let writer: RingWriter
  /// The duration of unused samples at which the deck continues to decode.
  private let reserve: Duration
  private let used: @Sendable (_ passage: Passage, _ frame: Int64) -> Void
  private let isExact: @Sendable () -> Bool
  private let state = Mutex(State())

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - writer: The writer, whose reader calls ``readerHasMoved()``.
  ///   - reserve: The duration of unused samples with which the deck continues to decode.
  ///   - used: Receives the frame of a passage before which the samples were used: when only the reserve is left, and when
  ///     nothing is.
  ///   - isExact: Whether `used` is called soon after each use, because something happens at a frame.
  package init(
    _ writer: RingWriter, reserve: Duration, used: @escaping @Sendable (_ passage: Passage, _ frame: Int64) -> Void,
    isExact: @escaping @Sendable () -> Bool
  ) { (self.writer, self.reserve, self.used, self.isExact) = (writer, reserve, used, isExact) }

  package func put(_ entry: SampleEntry) {
    state.withLock { state in
      let passage = entry.passage
      if passage.seek > state.newest {
        // A deck delivers nothing of the passages before.
        state.newest = passage.seek
        state.waiting.removeAll { $0.passage.seek < passage.seek }
        writer.begin(passage)
      }
      if case .block(let block) = entry { state.format = block.format }
      state.waiting.append(entry)
      write(&state)
    }
    reportUse()
  }

  /// Writes more entries, and reports the used samples: after the reader has used or released some.
  package func readerHasMoved() {
    state.withLock { write(&$0) }
    reportUse()
  }

  /// Writes what there is room for.
  private func write(_ state: inout State) {
    while let entry = state.waiting.first {
      switch entry {
      case .ended(let passage): guard writer.finish(passage) else { return }
      case .block(var block):
        while block.frames > 0 {
          let end = min(block.end, block.first + Int64(RingWriter.pieceFrames(block.format)))
          let bytes = block.bytes(block.first..<end)
          guard writer.write(block.passage, block.format, first: block.first, bytes: bytes[...]) else {
            state.waiting[0] = .block(block)
            return
          }
          block.drop(before: end)
        }
      }
      state.waiting.removeFirst()
    }
  }

  /// Reports the used samples, and asks the reader to wake this feed for the next report.
  private func reportUse() {
    repeat {
      for (passage, frame) in writer.takeUsed() { used(passage, frame) }
    } while !requestWake()
  }

  /// Asks to be woken when only the reserve is unused, or else when nothing is; false if more has been used since.
  private func requestWake() -> Bool {
    guard let format = state.withLock({ $0.format }) else { return true }
    let unused = writer.unused.frames
    guard unused > 0 else { return true }
    let reserve = format.frame(at: reserve)
    let frames = isExact() ? unused - 1 : unused > reserve ? reserve : 0
    writer.withdrawWakes()
    return writer.wakeWriter(atUnusedFrames: frames)
  }
}

extension SampleEntry {
  fileprivate var passage: Passage {
    switch self {
    case .block(let block): block.passage
    case .ended(let passage): passage
    }
  }
}
