/// Collects the `moov` box of an MP4 file whose data arrives in pieces, from the start of the file or of a box on.
///
/// Pieces with a part of the box are held back until it is complete, so that it can be changed before it is read.
struct MovieCollector {
  enum Step: Equatable {
    /// The piece passes as it is.
    case pass
    /// The piece is held back.
    case hold
    /// These bytes pass instead of the piece: the bytes that were held back, and the piece. They contain the whole box
    /// at an offset, or nothing of it.
    case replace([UInt8], movie: Int?)
  }

  /// The largest box that is held back; about 200 hours of audio.
  private static let limit = 16 << 20

  private var held: [UInt8] = []
  /// The number of bytes to the next box.
  private var distance = 0

  /// Whether all other pieces pass: the box was found, or it cannot be.
  private(set) var isDone = false

  /// The bytes that are held back.
  var rest: [UInt8] { held }

  /// Takes the next piece; `copy` returns its bytes.
  mutating func take(_ size: Int, _ copy: () -> [UInt8]) -> Step {
    guard !held.isEmpty || size > distance else {
      distance -= size
      return .pass
    }
    let hasHeld = !held.isEmpty
    held += copy()
    while distance < held.count {
      guard let name = held[...].name(at: distance + 4), let short = held[...].number(4, at: distance) else {
        return .hold
      }
      guard short != 1 || held.count >= distance + 16 else { return .hold }
      let box = short == 1 ? held[...].number(8, at: distance + 8) ?? 0 : short
      guard box >= 8, name != "moov" || box <= Self.limit, let end = Self.sum(distance, box) else {
        isDone = true
        return release(nil)
      }
      if name == "moov" {
        guard end <= held.count else { return .hold }
        isDone = true
        return release(distance)
      }
      distance = end
    }
    distance -= held.count
    guard hasHeld else {
      held = []
      return .pass
    }
    return release(nil)
  }

  private mutating func release(_ movie: Int?) -> Step {
    defer { held = [] }
    return .replace(held, movie: movie)
  }

  private static func sum(_ first: Int, _ second: Int) -> Int? {
    let (sum, overflows) = first.addingReportingOverflow(second)
    return overflows ? nil : sum
  }
}
