import Playback

/// The decoded samples of a passage that may still be needed.
///
/// Invariant: the blocks are sorted, do not overlap, contain samples, and have one format.
struct Ring: Sendable {
  private(set) var format: PCMFormat?
  private var blocks: [Block] = []
  /// The number of the frame after the last one of the media, once the deck has decoded everything.
  private(set) var end: Int64?

  /// The samples at a frame.
  enum Content {
    /// Some frames are here.
    case samples(Int64)
    /// The deck left out some frames.
    case gap(Int64)
    /// The deck has not decoded them yet.
    case nothing
  }

  /// The number of frames.
  var frames: Int64 { blocks.reduce(0) { $0 + $1.frames } }

  /// The first frame that is here.
  var first: Int64? { blocks.first?.first }

  /// Adds a block; returns false if its format differs.
  ///
  /// If samples arrive twice, the first are kept.
  mutating func append(_ block: Block) -> Bool {
    guard format == nil || format == block.format else { return false }
    format = block.format
    var rest = block
    while rest.frames > 0 {
      let index = blocks.partitioningIndex { $0.end > rest.first }
      guard index < blocks.count else {
        blocks.append(rest)
        break
      }
      let next = blocks[index]
      if rest.first < next.first {
        var piece = rest
        piece.drop(from: next.first)
        blocks.insert(piece, at: index)
      }
      rest.drop(before: next.end)
    }
    return true
  }

  /// Notes that nothing follows the samples that have been added.
  mutating func finish() { end = blocks.last?.end ?? end ?? 0 }

  /// Returns the content from a frame on: samples, a gap, or nothing.
  func content(at frame: Int64) -> Content {
    var index = blocks.partitioningIndex { $0.end > frame }
    guard index < blocks.count else { return .nothing }
    guard blocks[index].first <= frame else { return .gap(blocks[index].first - frame) }
    var last = blocks[index].end
    while index + 1 < blocks.count, blocks[index + 1].first == last {
      index += 1
      last = blocks[index].end
    }
    return .samples(last - frame)
  }

  /// Returns the bytes of frames that are here; a block that is needed whole is not copied.
  func bytes(_ frames: Range<Int64>) -> [UInt8] {
    let index = blocks.partitioningIndex { $0.end > frames.lowerBound }
    let block = blocks[index]
    if block.first <= frames.lowerBound, frames.upperBound <= block.end { return block.bytes(frames) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.count * block.format.bytesPerFrame)
    read(frames) { bytes += $0 }
    return bytes
  }

  /// Calls `body` with the bytes of frames that are here, in their order.
  func read(_ frames: Range<Int64>, _ body: (ArraySlice<UInt8>) -> Void) {
    var index = blocks.partitioningIndex { $0.end > frames.lowerBound }
    while index < blocks.count, blocks[index].first < frames.upperBound {
      body(blocks[index].slice(frames))
      index += 1
    }
  }

  /// Discards whole blocks before a frame.
  mutating func free(before frame: Int64) { blocks.removeFirst(blocks.partitioningIndex(where: { $0.end > frame })) }
}
