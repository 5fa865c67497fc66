import Playback

/// The structure of a container, as far as it is checked before a demuxer reads it.
///
/// An object is a part of the media that begins with its type or size: a box, a chunk, a tag, a block.
protocol HeaderSyntax: Sendable {
  /// Returns the action for the object at the start of the bytes; at least one byte is given.
  mutating func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep

  /// Returns the limit that a complete object exceeds; nil if it may be read.
  func violation(in object: ArraySlice<UInt8>) -> PlayerError?

  /// Prepares for data at another position of the media; demuxers read from the start of an object.
  mutating func restart()
}

extension HeaderSyntax {
  func violation(in object: ArraySlice<UInt8>) -> PlayerError? { nil }
  mutating func restart() {}
}

/// The action for an object.
enum HeaderStep: Equatable {
  /// The number of bytes that show the action.
  case needs(Int)
  /// Continues behind a number of bytes without checking them.
  case skip(Int)
  /// Checks a number of bytes, and continues behind a larger or equal number.
  case check(Int, thenAt: Int)
  /// The media exceeds a limit.
  case refuse(PlayerError)
  /// No more objects are checked.
  case stop

  /// The number of bytes from the start of the object that the step needs.
  fileprivate var needed: Int? {
    switch self {
    case .needs(let count), .check(let count, _): count
    default: nil
    }
  }
}

/// Reads the bytes that arrive at a demuxer, in order; copies only the bytes that a step needs.
struct HeaderReader: Sendable {
  /// The number of bytes that are read at once.
  private static let stride = 32

  private var syntax: any HeaderSyntax
  /// The bytes from the start of the present object.
  private var held: [UInt8] = []
  /// The number of bytes that show or complete the present object.
  private var wanted = 1
  /// The number of bytes to the next object.
  private var distance = 0
  private var hasStopped = false
  /// The offset behind the last data.
  private var offset: UInt64 = 0

  init(_ syntax: any HeaderSyntax) { self.syntax = syntax }

  /// Continues at an offset in the media; nil at an unknown one.
  mutating func seek(to offset: UInt64?) {
    let reached = self.offset
    self.offset = offset ?? 0
    if let offset, offset == reached { return }
    if let offset, offset == reached &+ UInt64(distance) &- UInt64(held.count) {
      // The present object is read again, or the next one is read.
      (held, distance) = ([], 0)
      return
    }
    syntax.restart()
    (held, wanted, distance, hasStopped) = ([], 1, 0, false)
  }

  /// Reads the next `size` bytes; returns the limit that they exceed.
  ///
  /// `copy` returns the bytes of a range of them.
  mutating func read(_ size: Int, _ copy: (Range<Int>) -> [UInt8]) -> PlayerError? {
    var position = 0
    offset &+= UInt64(size)
    while !hasStopped {
      let passed = min(distance, size - position)
      distance -= passed
      position += passed
      guard position < size || held.count >= wanted else { return nil }
      if held.count < wanted || held.count < Self.stride {
        let next = min(size, position + max(Self.stride, wanted - held.count))
        held += copy(position..<next)
        position = next
      }
      guard held.count >= wanted else { return nil }
      let step = syntax.step(held[...])
      if let count = step.needed, count > MediaLimits.bytes { return .size(of: "a header") }
      if let count = step.needed, count > held.count {
        wanted = count
        continue
      }
      switch step {
      case .needs: advance(1)
      case .skip(let count): advance(count)
      case .check(let count, let next):
        if let error = syntax.violation(in: held[..<count]) { return error }
        advance(max(count, next))
      case .refuse(let error): return error
      case .stop: (held, hasStopped) = ([], true)
      }
    }
    return nil
  }

  private mutating func advance(_ count: Int) {
    let count = max(1, count)
    distance = max(0, count - held.count)
    held.removeFirst(min(count, held.count))
    wanted = 1
  }
}

extension ArraySlice<UInt8> {
  /// Returns an unsigned number at an offset from the start; nil if there are too few bytes.
  func number(_ width: Int, at offset: Int = 0, isLittleEndian: Bool = false) -> Int? {
    guard width <= count, offset >= 0, offset <= count - width else { return nil }
    let first = startIndex + offset
    var value: UInt64 = 0
    for index in 0..<width { value = value << 8 | UInt64(self[first + (isLittleEndian ? width - 1 - index : index)]) }
    return Int(clamping: value)
  }

  /// Returns four characters at an offset; nil if there are too few bytes.
  func name(at offset: Int) -> String? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return String(String.UnicodeScalarView(dropFirst(offset).prefix(4).map { Unicode.Scalar($0) }))
  }
}
