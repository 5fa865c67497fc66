import Playback

/// The chapters and tags of Matroska and WebM files, which `matroskademux` reads by recursion.
///
/// <https://www.rfc-editor.org/rfc/rfc9559>
struct MatroskaHeader: HeaderSyntax {
  private static let (segment, cluster, chapters, tags) = (0x1853_8067, 0x1F43_B675, 0x1043_A770, 0x1254_C367)
  /// Editions and chapters, and lists of tags and tags: the elements inside those two that contain elements of their kind.
  private static let limit = 16 * MediaLimits.parts
  private static let nested: Set = [0x45B9, chapter, 0x7373, 0x67C8]
  /// GStreamer 1.22 takes a second of CPU time for 10,000 chapters, and 13 s for 26,000.
  private static let chapter = 0xB6

  func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    guard let element = Self.element(bytes) else { return bytes.count < 12 ? .needs(bytes.count + 1) : .stop }
    switch element.id {
    case Self.segment: return .skip(element.start)
    case Self.chapters, Self.tags:
      guard let size = element.size else { return .stop }
      return .check(element.start + size, thenAt: element.start + size)
    // An element of unknown size ends where its content ends.
    default: return .skip(element.start + (element.size ?? 0))
    }
  }

  func violation(in object: ArraySlice<UInt8>) -> PlayerError? {
    // The ends of the elements around the present one.
    var ends: [Int] = []
    var (count, chapters) = (0, 0)
    var rest = object
    while let element = Self.element(rest), let size = element.size {
      let start = rest.startIndex + element.start
      while let end = ends.last, end <= rest.startIndex { ends.removeLast() }
      count += 1
      if count > Self.limit { return .number(of: "elements in chapters or tags", Self.limit) }
      if element.id == Self.chapter { chapters += 1 }
      if chapters > MediaLimits.parts { return .number(of: "chapters") }
      guard ends.isEmpty || Self.nested.contains(element.id) else {
        rest = rest.dropFirst(element.start).dropFirst(size)
        continue
      }
      let (end, overflow) = start.addingReportingOverflow(size)
      ends.append(overflow ? .max : end)
      if ends.count > MediaLimits.depth { return .nesting(of: "chapters or tags") }
      rest = rest.dropFirst(element.start)
    }
    return nil
  }

  /// Returns the ID of the element at the start, the size of its content (nil if unknown), and the offset of the content;
  /// nil if more bytes are needed or there is no element.
  private static func element(_ bytes: ArraySlice<UInt8>) -> (id: Int, size: Int?, start: Int)? {
    guard let first = bytes.first, case let idWidth = first.leadingZeroBitCount + 1, idWidth <= 4,
      let id = bytes.number(idWidth), let mark = bytes.dropFirst(idWidth).first,
      case let width = mark.leadingZeroBitCount + 1, width <= 8, let value = bytes.number(width, at: idWidth)
    else { return nil }
    let size = value & ((1 << (7 * width)) - 1)
    return (id, size == (1 << (7 * width)) - 1 ? nil : size, idWidth + width)
  }
}
