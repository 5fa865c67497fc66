import FoundationEssentials
import MPRISService
import Playback
package import PlayerdSystem

/// The saved positions of long files such as podcasts and audio books.
///
/// A pure value. The number of positions is limited; the least recently played is removed first.
package struct ResumePositions: Equatable, Sendable {
  static let capacity = 1_000
  /// The shortest file; shorter ones start at their beginning.
  package static let shortest = Duration.longItem
  /// The earliest saved position.
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

  /// The entries; the most recently played is the last.
  private var entries: [Entry] = []

  package init() {}

  package var count: Int { entries.count }

  package func position(of uri: String) -> Duration? {
    entries.last { $0.uri == uri }.map { .microseconds(Int64($0.seconds * 1e6)) }
  }

  /// Saves the position of a long file; one before `earliest` changes nothing, so a short visit at the start of a file keeps
  /// its position.
  package mutating func record(_ position: Duration, of uri: String) {
    guard position >= Self.earliest, uri.utf8.count <= Self.longestURI else { return }
    forget(uri)
    entries.append(Entry(uri: uri, seconds: Double(position.microseconds) / 1e6))
    if entries.count > Self.capacity { entries.removeFirst(entries.count - Self.capacity) }
  }

  package mutating func forget(_ uri: String) { entries.removeAll { $0.uri == uri } }

  // MARK: The file

  /// Parses a file; entries that are out of range are omitted.
  ///
  /// - Throws: ``FileFailure`` for a damaged file or a newer version.
  package init(_ bytes: [UInt8]) throws(FileFailure) {
    let data = Data(bytes)
    try SessionFormat.check(data, atMost: Self.version)
    guard let file = try? JSONDecoder().decode(File.self, from: data) else {
      throw FileFailure("not a list of positions")
    }
    for entry in file.positions.suffix(Self.capacity) where entry.seconds.isFinite && entry.seconds < 1e9 {
      record(.microseconds(Int64(max(0, entry.seconds) * 1e6)), of: entry.uri)
    }
  }

  package var bytes: [UInt8] {
    // All numbers are finite and all keys are strings, so the encoding cannot fail.
    jsonLine(encoding: File(version: Self.version, positions: entries)).map { Array("\($0)\n".utf8) } ?? []
  }
}
