/// The blocks of a Matroska or WebM file.
///
/// Tags, covers, indexes, padding and the borders of clusters change when the file is edited or remuxed; the frames in the blocks
/// do not.
///
/// <https://www.rfc-editor.org/rfc/rfc9559>
struct MatroskaBlocks {
  /// The duration, rounded to seconds because programs write it with different precisions.
  let seconds: Int
  private let firstCluster: Int

  private static let (header, segment, info, cluster, blockGroup) = (
    0x1A45_DFA3, 0x1853_8067, 0x1549_A966, 0x1F43_B675, 0xA0
  )
  private static let (seekHead, seek, seekID, seekPosition) = (0x114D_9B74, 0x4DBB, 0x53AB, 0x53AC)
  private static let (timestampScale, duration, block, simpleBlock) = (0x2A_D7B1, 0x4489, 0xA1, 0xA3)
  /// The elements whose content is read; they may have an unknown size, because they are never skipped.
  private static let entered: Set = [segment, seekHead, seek, cluster, blockGroup]
  /// The limit of elements before the first cluster, and in the information about the segment.
  private static let elementLimit = 4_096
  /// Episodes of a podcast may begin with the same seconds of sound; a sample of this size is longer.
  private static let sampleSize = 1 << 18

  /// Finds the first cluster; nil for a file in another format, without a duration or without a cluster.
  init?(in file: any ReadableFile) {
    guard Element(in: file, at: 0)?.id == Self.header else { return nil }
    var (offset, segment, soughtID) = (0, 0, 0)
    var info: Element?
    for _ in 0..<Self.elementLimit {
      guard let element = Element(in: file, at: offset) else { return nil }
      switch element.id {
      case Self.segment: segment = element.content
      case Self.info: info = element
      case Self.seekID: soughtID = Int(truncatingIfNeeded: element.number(in: file))
      // mkvpropedit moves longer information behind the clusters.
      case Self.seekPosition where soughtID == Self.info && info == nil:
        guard let position = Int(exactly: element.number(in: file)), position < file.size - segment else { break }
        info = Element(in: file, at: segment + position)
      case Self.cluster:
        guard let info, info.id == Self.info, let seconds = Self.seconds(of: info, in: file) else { return nil }
        (self.seconds, firstCluster) = (seconds, offset)
        return
      default: break
      }
      guard let next = Self.next(after: element) else { return nil }
      offset = next
    }
    return nil
  }

  /// Returns the duration in the information about the segment; nil without one.
  private static func seconds(of info: Element, in file: any ReadableFile) -> Int? {
    var (offset, scale, duration) = (info.content, 1e6, 0.0)
    for _ in 0..<elementLimit {
      guard offset < info.content + (info.size ?? 0), let element = Element(in: file, at: offset),
        let size = element.size
      else { break }
      let number = element.number(in: file)
      if element.id == timestampScale { scale = Double(number) }
      if element.id == Self.duration {
        duration =
          size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: number))) : Double(bitPattern: number)
      }
      offset = element.content + size
    }
    // Nil for a number that is not finite.
    return duration > 0 ? Int(exactly: (duration * scale / 1e9).rounded()).map { max(1, $0) } : nil
  }

  /// Returns the frames at the start of the file, without the headers of their blocks.
  func sample(of file: any ReadableFile) -> [UInt8] {
    // Headers are smaller than frames, so this is enough.
    let clusters = BytesInMemory(bytes: file.bytes(at: firstCluster, count: 2 * Self.sampleSize))
    var (offset, frames) = (0, [UInt8]())
    while frames.count < Self.sampleSize, let element = Element(in: clusters, at: offset) {
      if [Self.block, Self.simpleBlock].contains(element.id), let size = element.size {
        frames += Self.frames(of: clusters.bytes(at: element.content, count: size))
      }
      guard let next = Self.next(after: element) else { break }
      offset = next
    }
    return Array(frames.prefix(Self.sampleSize))
  }

  /// Returns the frames of a block without its header, in which mkvmerge may write the sizes of several frames.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc9559#section-10>
  private static func frames(of block: [UInt8]) -> ArraySlice<UInt8> {
    // The number of the track, 16 bits of time, and flags.
    guard let track = block.first, case let header = block.dropFirst(track.leadingZeroBitCount + 1 + 2),
      let flags = header.first
    else { return [] }
    var rest = header.dropFirst()
    let lacing = flags & 0x06
    guard lacing != 0, let sizes = rest.popFirst() else { return rest }
    for _ in 0..<sizes {
      switch lacing {
      case 0x02: while rest.popFirst() == 0xFF {}
      case 0x06: rest = rest.dropFirst((rest.first?.leadingZeroBitCount ?? 0) + 1)
      default: return rest
      }
    }
    return rest
  }

  /// Returns the offset of the element after another one, which may be the first one inside it; nil if it is unknown.
  private static func next(after element: Element) -> Int? {
    entered.contains(element.id) ? element.content : element.size.map { element.content + $0 }
  }

  /// The header of an EBML element.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc8794#section-5>
  private struct Element {
    /// The ID with its length marker, as specifications write it.
    let id: Int
    /// The offset of the content.
    let content: Int
    /// The size of the content, at most up to the end of the file; nil if it is unknown.
    let size: Int?

    /// Reads a header; nil at the end of a file, and for bytes that are none.
    init?(in file: any ReadableFile, at offset: Int) {
      let bytes = file.bytes(at: offset, count: 12)
      guard let first = bytes.first, case let idWidth = first.leadingZeroBitCount + 1, idWidth <= 4,
        let mark = bytes.dropFirst(idWidth).first, case let width = mark.leadingZeroBitCount + 1, width <= 8,
        bytes.count >= idWidth + width
      else { return nil }
      func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
      let mask = 1 << (7 * width) - 1
      let size = number(bytes[idWidth..<idWidth + width]) & mask
      id = number(bytes[..<idWidth])
      content = offset + idWidth + width
      self.size = size == mask ? nil : min(size, file.size - content)
    }

    /// Returns the content as a number of at most eight bytes.
    func number(in file: any ReadableFile) -> UInt64 {
      file.bytes(at: content, count: min(size ?? 0, 8)).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
