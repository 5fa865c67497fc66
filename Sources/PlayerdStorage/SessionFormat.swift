import FoundationEssentials
import Playback
package import PlayerdSystem

/// The file format of a session: one JSON object with a version.
package enum SessionFormat {
  static let version = 1

  private struct File: Codable {
    var version: Int
    /// The ID of this version of the queue; a separate playback position refers to it.
    var generation: UInt64
    var queue: [String]
    /// Missing in files of earlier versions of the program.
    var details: [SavedSession.Detail]?
    var order: [Int]?
    /// Missing unless it is true.
    var keepsAlbums: Bool?
    var place: SavedSession.Playback
    var loop: Player.LoopMode
    var volume: Double
    var rate: Double
  }

  private struct Version: Codable { var version: Int }

  private struct PlaceFile: Codable {
    var generation: UInt64
    var place: SavedSession.Playback
  }

  static func encode(_ session: SavedSession, generation: UInt64) -> [UInt8] {
    encode(
      File(
        version: version, generation: generation, queue: session.queue,
        details: session.details.isEmpty ? nil : session.details, order: session.order,
        keepsAlbums: session.keepsAlbums ? true : nil, place: session.place,
        loop: session.loop, volume: session.volume, rate: session.rate))
  }

  static func encode(_ place: SavedSession.Playback, generation: UInt64) -> [UInt8] {
    encode(PlaceFile(generation: generation, place: place))
  }

  private static func encode(_ value: some Encodable) -> [UInt8] {
    // All numbers are finite and all keys are strings, so the encoding cannot fail.
    jsonLine(encoding: value).map { Array("\($0)\n".utf8) } ?? []
  }

  /// Checks the version of a file of this form; a file without one passes.
  ///
  /// - Throws: ``FileFailure`` for a version above `limit`.
  static func check(_ data: Data, atMost limit: Int) throws(FileFailure) {
    if let version = try? JSONDecoder().decode(Version.self, from: data).version, version > limit {
      throw FileFailure("unsupported version \(version)")
    }
  }

  /// Parses a session, and the playback position that was written later if it belongs to this session.
  ///
  /// - Throws: ``FileFailure`` for a damaged file or a newer version; values out of range are clamped.
  package static func decode(_ bytes: [UInt8], place placeBytes: [UInt8]?) throws(FileFailure) -> SavedSession {
    let (decoder, data) = (JSONDecoder(), Data(bytes))
    try check(data, atMost: version)
    guard let file = try? decoder.decode(File.self, from: data) else { throw FileFailure("not a session in JSON") }
    var session = SavedSession(
      queue: file.queue, details: file.details ?? [], order: file.order,
      keepsAlbums: file.keepsAlbums ?? false, place: file.place, loop: file.loop,
      volume: clamp(file.volume, 0...10), rate: clamp(file.rate, 0.25...4))
    let later = placeBytes.flatMap { try? decoder.decode(PlaceFile.self, from: Data($0)) }
    if let later, later.generation == file.generation { session.place = later.place }
    session.place.current = min(max(0, session.place.current), max(0, session.queue.count - 1))
    session.place.position = clamp(session.place.position, 0...1e9)
    return session
  }

  /// Returns the nearest value in a range; JSON contains no number that is not finite.
  private static func clamp(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    min(max(range.lowerBound, value), range.upperBound)
  }
}
