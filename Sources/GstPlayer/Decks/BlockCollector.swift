import Joining

/// Joins short blocks that follow each other, so that a decoder with tiny buffers does not make a block of each.
///
/// A block costs a record of the ring and a step of the output. FLAC allows blocks of one frame: the 4,096 records would be
/// 0.1 s of audio.
struct BlockCollector: Sendable {
  /// The least duration of a block, unless the samples after it do not follow it directly.
  static let least = Duration.milliseconds(10)

  /// The samples that are held back; without a format there are none.
  private var passage: Passage?
  private var format: PCMFormat?
  private var first: Int64 = 0
  private var bytes: [UInt8] = []

  /// The frame after the last one that is held back.
  private var end: Int64 { first + Int64(bytes.count / (format?.bytesPerFrame ?? 1)) }

  /// Adds a block; returns the blocks that are long enough, in order.
  mutating func add(_ block: Block) -> [Block] {
    let least = block.format.frame(at: Self.least)
    var blocks: [Block] = []
    if passage != block.passage || format != block.format || end != block.first, let short = take() {
      blocks.append(short)
    }
    guard !bytes.isEmpty || block.frames < least else { return blocks + [block] }
    if bytes.isEmpty { (passage, format, first) = (block.passage, block.format, block.first) }
    bytes += block.bytes
    if end - first >= least, let whole = take() { blocks.append(whole) }
    return blocks
  }

  /// Returns the samples that are held back, as one block; nil if there are none.
  mutating func take() -> Block? {
    guard !bytes.isEmpty, let passage, let format else { return nil }
    defer { bytes = [] }
    return Block(passage, format, first: first, bytes: bytes)
  }
}
