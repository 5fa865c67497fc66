import FoundationEssentials
import MPRISService
import Playback
package import PlayerdInterfaces
package import PlayerdSystem
import TextCoding

/// The places at which the user left long files and books; a book is a folder that continues as a whole.
///
/// A pure value. The number of places is limited; the least recently played is removed first.
package struct ResumePositions: Equatable, Sendable {
  package static let capacity = 1_000
  /// The shortest file outside books; shorter ones start at their beginning.
  package static let shortest = Duration.longItem
  /// The earliest position that replaces another one.
  package static let earliest = Duration.seconds(10)
  private static let longestURI = 4_096
  private static let version = 1

  /// A place in a file.
  package struct Place: Codable, Equatable, Sendable {
    /// The URI of the file, with a media fragment for a clip.
    package var uri: String
    fileprivate var seconds: Double
    /// The path of the folder of a book that continues here, as a URI; nil if only the file does.
    package fileprivate(set) var folder: String?
    /// The length of the file; nil in files of earlier versions of the program, and before the file is loaded.
    fileprivate var length: Double?
    /// The time since 1970.
    fileprivate var left: Double?
    /// The identity of the audio, see ``AudioContent``.
    fileprivate var content: String?

    package var position: Duration { .microseconds(Int64(seconds * 1e6)) }
    package var audio: AudioContent? { content.flatMap { AudioContent(text: $0) } }

    /// Whether the place is kept if no book continues there.
    fileprivate var isLong: Bool {
      seconds >= ResumePositions.earliest / .seconds(1)
        && length.map { $0 >= ResumePositions.shortest / .seconds(1) } ?? true
    }

    /// Whether a text and all numbers are in range.
    fileprivate var isValid: Bool {
      [uri, folder, content].allSatisfy { text in
        text.map { $0.utf8.count <= longestURI && !$0.utf8.contains { $0 < 0x20 } } ?? true
      } && [seconds, length, left].allSatisfy { $0.map { $0.isFinite && (0..<1e11).contains($0) } ?? true }
    }
  }

  private struct File: Codable {
    var version: Int
    var positions: [Place]
  }

  /// The most recently played is the last; at most one continues the same book.
  private var entries: [Place] = []

  package init() {}

  package var count: Int { entries.count }

  /// The most recently played is the first.
  package var places: [Place] { entries.reversed() }

  package func place(of uri: String) -> Place? { entries.last { $0.uri == uri } }

  package func position(of uri: String) -> Duration? { place(of: uri)?.position }

  // MARK: Changes

  /// Records the position of a file, and that a book continues there if `folder` is its folder.
  ///
  /// A position before `earliest` replaces no other one, so a short visit at the start of a file keeps its position. Without a
  /// folder, it is not recorded at all. `date` is the time since 1970.
  package mutating func record(
    _ position: Duration, of uri: String, in folder: String? = nil, length: Duration? = nil, at date: Duration = .zero
  ) {
    let old = place(of: uri)
    let isEarly = position < Self.earliest
    guard !isEarly || folder != nil else { return }
    var place = old ?? Place(uri: uri, seconds: 0)
    if !isEarly || old == nil { place.seconds = Double(position.microseconds) / 1e6 }
    if let folder { place.folder = folder }
    if let length { place.length = Double(length.microseconds) / 1e6 }
    // While playback is paused, nothing is to be written.
    if place == old, entries.last == old { return }
    place.left = Double(date.microseconds / 1_000_000)
    guard place.isValid else { return }
    if let folder { unmark(folder, unless: uri) }
    entries.removeAll { $0.uri == uri }
    append(place)
  }

  private mutating func append(_ place: Place) {
    entries.append(place)
    if entries.count > Self.capacity { entries.removeFirst(entries.count - Self.capacity) }
  }

  package mutating func forget(_ uri: String) { entries.removeAll { $0.uri == uri } }

  /// Removes the places with these URIs, or in these files and folders; returns their number.
  package mutating func forget(in uris: [String]) -> Int {
    let (names, count) = (Set(uris), entries.count)
    let paths = uris.compactMap { FileURI.path(of: $0).map(FileURI.normalized) }
    entries.removeAll { place in
      if names.contains(place.uri) { return true }
      guard let file = FileURI.path(of: place.uri) else { return false }
      return paths.contains { file.isInside($0) }
    }
    return count - entries.count
  }

  /// Records that a folder is not a book; returns whether it was one.
  @discardableResult
  package mutating func unmark(_ folder: String, unless uri: String? = nil) -> Bool {
    guard entries.contains(where: { $0.folder == folder && $0.uri != uri }) else { return false }
    entries = entries.compactMap { place in
      guard place.folder == folder, place.uri != uri else { return place }
      var place = place
      place.folder = nil
      return place.isLong ? place : nil
    }
    return true
  }

  // MARK: Renamed files

  package mutating func identify(_ uri: String, as audio: AudioContent) {
    guard let index = entries.lastIndex(where: { $0.uri == uri }) else { return }
    entries[index].content = audio.text
  }

  /// Returns the place of another file with the same audio, or one of about the same length that may have it.
  package func place(of audio: AudioContent, unless uri: String) -> Place? {
    entries.last { $0.content == audio.text && $0.uri != uri }
  }

  package func mayContain(length: Duration, unless uri: String) -> Bool {
    let seconds = length / .seconds(1)
    return entries.contains { place in
      place.uri != uri && place.content != nil && place.length.map { abs($0 - seconds) <= 1 } ?? false
    }
  }

  /// Moves the place of a renamed file; the book in `folder` continues there, or the book of before if the file is still in
  /// its folder.
  package mutating func move(_ uri: String, to other: String, in folder: String? = nil) {
    guard uri != other, var place = place(of: uri) else { return }
    place.uri = other
    if let path = place.folder.flatMap({ FileURI.path(of: $0) }), FileURI.path(of: other)?.isInside(path) != true {
      place.folder = nil
    }
    if let folder { place.folder = folder }
    guard place.isValid else { return }
    if let folder { unmark(folder, unless: uri) }
    entries.removeAll { $0.uri == other || $0.uri == uri }
    append(place)
  }

  // MARK: The file

  package static func path(in folder: String) -> String { "\(folder)/positions.json" }

  /// Reads the file in a folder.
  ///
  /// - Throws: ``FileFailure`` for a missing or damaged file, or a newer version.
  package static func read(
    from folder: String, _ files: any FileSystem = LocalFileSystem()
  ) throws(FileFailure) -> ResumePositions {
    try ResumePositions(files.bytes(of: path(in: folder), limit: 16 << 20).get())
  }

  /// Parses a file; entries that are out of range are omitted.
  ///
  /// - Throws: ``FileFailure`` for a damaged file or a newer version.
  package init(_ bytes: [UInt8]) throws(FileFailure) {
    let data = Data(bytes)
    try SessionFormat.check(data, atMost: Self.version)
    guard let file = try? JSONDecoder().decode(File.self, from: data) else {
      throw FileFailure("not a list of positions")
    }
    for place in file.positions.suffix(Self.capacity) where place.isValid && (place.folder != nil || place.isLong) {
      if let folder = place.folder { unmark(folder) }
      entries.removeAll { $0.uri == place.uri }
      append(place)
    }
  }

  package var bytes: [UInt8] {
    // All numbers are finite and all keys are strings, so the encoding cannot fail.
    jsonLine(encoding: File(version: Self.version, positions: entries)).map { Array("\($0)\n".utf8) } ?? []
  }

  // MARK: For users

  /// Returns the places for users, the most recently played first; `date` is the time since 1970.
  package func saved(at date: Duration) -> [SavedPlace] {
    places.map { place in
      var saved = SavedPlace()
      (saved.uri, saved.folder, saved.position) = (place.uri, place.folder, place.position.microseconds)
      saved.duration = place.length.map { Int64($0 * 1e6) }
      saved.age = place.left.flatMap { $0 > 0 ? max(0, date.microseconds - Int64($0 * 1e6)) : nil }
      return saved
    }
  }
}
