import FoundationEssentials
import MPRISService

/// Where long files were left: podcasts, audio books.
///
/// A value; so many are kept, and the one not heard for longest goes first.
struct ResumePositions: Equatable, Sendable {
  static let capacity = 1_000
  /// What is shorter begins at its start.
  static let shortest = Duration.seconds(20 * 60)
  /// What was heard for less has not been begun.
  static let earliest = Duration.seconds(10)
  private static let longestURI = 4_096
  private static let version = 1

  private struct Entry: Codable, Equatable {
    var uri: String
    var seconds: Double
  }

  private struct File: Codable {
    var version: Int
    var positions: [Entry]
  }

  /// The one heard last comes last.
  private var entries: [Entry] = []

  init() {}

  var count: Int { entries.count }

  func position(of uri: String) -> Duration? {
    entries.last { $0.uri == uri }.map { .microseconds(Int64($0.seconds * 1e6)) }
  }

  /// Takes the position of a long file; at its beginning there is nothing to keep.
  mutating func record(_ position: Duration, of uri: String) {
    forget(uri)
    guard position >= Self.earliest, uri.utf8.count <= Self.longestURI else { return }
    entries.append(Entry(uri: uri, seconds: Double(position.microseconds) / 1e6))
    if entries.count > Self.capacity { entries.removeFirst(entries.count - Self.capacity) }
  }

  mutating func forget(_ uri: String) { entries.removeAll { $0.uri == uri } }

  // MARK: The file

  /// Nil for what is no such file, or of a newer version; what is out of range in it is left out.
  init?(_ bytes: [UInt8]) {
    guard let file = try? JSONDecoder().decode(File.self, from: Data(bytes)), file.version <= Self.version else {
      return nil
    }
    for entry in file.positions.suffix(Self.capacity) where entry.seconds.isFinite && entry.seconds < 1e9 {
      record(.microseconds(Int64(max(0, entry.seconds) * 1e6)), of: entry.uri)
    }
  }

  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers are finite and keys are texts: there is nothing that JSON could not say.
    guard let data = try? encoder.encode(File(version: Self.version, positions: entries)) else { return [] }
    return Array(data) + [UInt8(ascii: "\n")]
  }
}
