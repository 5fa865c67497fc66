import Glibc
import GstPlayer
import Logging
import PlaylistFormats

/// Cue sheets: their tracks become items that are parts of files.
extension Expansion {
  /// A file, and what a sheet says is in it.
  typealias Division = (file: [UInt8], tracks: [PlaylistEntry])

  /// Other endings of the same sound: a sheet is often older than the file that it came to lie beside.
  private static let endings = ["flac", "wv", "ape", "wav", "tta", "m4a", "opus", "ogg", "mp3"]
  /// How many FLAC files a folder may have for them to be looked into: a folder of more is one of single tracks.
  static let discLimit = 9

  static func isSheet(_ path: [UInt8]) -> Bool {
    path.count > 4 && PlaylistFormat(fileName: String(decoding: path.suffix(4), as: UTF8.self)) == .cue
  }

  // MARK: A sheet that is named

  /// Adds the tracks of a sheet, file by file; a file that is not there is one item, and one failure.
  mutating func add(sheet path: [UInt8], _ uri: String, _ hints: ItemHints?) async {
    switch TextFile.bytes(of: path, limit: Playlist.byteLimit) {
    case .failure(let failure) where failure.number == 0: log.reject(uri, failure.message)
    case .failure: await append(PlayerItem(uri: uri, hints: hints))
    case .success(let bytes):
      guard case .playlist(let sheet) = PlaylistFormat.cue.read(bytes) else { return }
      warn(of: sheet, uri)
      for (location, tracks) in Self.runs(of: sheet) where isOpen {
        if case .uri(let uri) = location {
          await add(tracks: tracks, of: uri)
        } else if let file = Self.file(location, of: path) {
          let uri = FileURI.uri(ofPath: file)
          if MediaFolder.kind(of: file) != nil { await add(tracks: tracks, of: uri) } else { await addMissing(uri) }
        }
      }
    }
  }

  private mutating func addMissing(_ uri: String) async {
    if isAllowed(uri) { await append(PlayerItem(uri: uri)) }
  }

  mutating func add(tracks: [PlaylistEntry], of uri: String) async {
    guard isAllowed(uri) else { return }
    for track in tracks where isOpen { await append(PlayerItem(uri: uri, track, image: nil)) }
  }

  // MARK: A file that has a sheet

  /// Adds a file by the tracks of the sheet beside it or in it; false when there is none that divides it.
  mutating func add(divided file: [UInt8], _ uri: String) async -> Bool {
    let stem = file.lastIndex(of: UInt8(ascii: ".")).map { Array(file[..<$0]) } ?? file
    for sheet in [stem, file].map({ $0 + Array(".cue".utf8) }) where MediaFolder.kind(of: sheet) == .file {
      let division = Self.divisions(by: sheet).first { $0.file == FileURI.normalized(file) }
      guard let division else { continue }
      await add(tracks: division.tracks, of: uri)
      return true
    }
    guard let tracks = Self.embeddedTracks(in: file) else { return false }
    await add(tracks: tracks, of: uri)
    return true
  }

  // MARK: Folders

  /// Adds the media of a folder, with those divided that have a sheet.
  mutating func add(files: [[UInt8]]) async {
    let media = files.filter { !Self.isSheet($0) }
    var divisions: [[UInt8]: [PlaylistEntry]] = [:]
    for sheet in files where Self.isSheet(sheet) {
      divisions.merge(Self.divisions(by: sheet)) { first, _ in first }
    }
    let areDiscs = media.count <= Self.discLimit
    for file in media where isOpen {
      let uri = FileURI.uri(ofPath: file)
      if let tracks = divisions[FileURI.normalized(file)] ?? (areDiscs ? Self.embeddedTracks(in: file) : nil) {
        await add(tracks: tracks, of: uri)
      } else if isAllowed(uri) {
        await append(PlayerItem(uri: uri))
      }
    }
  }

  // MARK: Sheets

  /// The tracks of a sheet, those of the same file together.
  private static func runs(of sheet: Playlist) -> [(location: PlaylistLocation, tracks: [PlaylistEntry])] {
    var runs: [(location: PlaylistLocation, tracks: [PlaylistEntry])] = []
    for entry in sheet.entries {
      if runs.last?.location == entry.location {
        runs[runs.count - 1].tracks.append(entry)
      } else {
        runs.append((entry.location, [entry]))
      }
    }
    return runs
  }

  /// The files that a sheet divides.
  ///
  /// Of a file that is one track, the sheet says nothing that the file does not.
  private static func divisions(by sheet: [UInt8]) -> [Division] {
    guard case .success(let bytes) = TextFile.bytes(of: sheet, limit: Playlist.byteLimit),
      case .playlist(let tracks) = PlaylistFormat.cue.read(bytes)
    else { return [] }
    return runs(of: tracks).filter { $0.tracks.count > 1 }.compactMap { run in
      file(run.location, of: sheet).map { ($0, run.tracks) }
    }
  }

  /// The file that a sheet means: of the name that it says, or of that name, or the sheet's own, with another ending.
  private static func file(_ location: PlaylistLocation, of sheet: [UInt8]) -> [UInt8]? {
    let folder = Array(sheet.prefix(upTo: sheet.lastIndex(of: UInt8(ascii: "/")) ?? sheet.startIndex))
    let written = location.paths(from: folder).map(FileURI.normalized)
    if let found = written.first(where: { MediaFolder.kind(of: $0) == .file }) { return found }
    for path in written + [FileURI.normalized(sheet)] {
      let stem = path.lastIndex(of: UInt8(ascii: ".")).map { path[..<$0] } ?? path[...]
      for ending in endings {
        let other = Array(stem) + Array(".\(ending)".utf8)
        if MediaFolder.kind(of: other) == .file { return other }
      }
    }
    return written.first
  }

  /// What the sheet inside of a FLAC file says; nil when there is none that divides it.
  private static func embeddedTracks(in path: [UInt8]) -> [PlaylistEntry]? {
    guard path.suffix(5).map(NaturalOrder.lowercase) == Array(".flac".utf8) else { return nil }
    let file = unsafe path.withCString { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    let sheet = FLACCueSheet.read { offset, count in
      var bytes = [UInt8](repeating: 0, count: count)
      let read = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, off_t(offset)) }
      return Array(bytes.prefix(max(0, read)))
    }
    return sheet.flatMap { $0.entries.count > 1 ? $0.entries : nil }
  }
}

extension PlayerItem {
  /// What a playlist lists: all of its media, or the part that is meant.
  init(uri: String, _ entry: PlaylistEntry, image: String?) {
    self.init(
      uri: uri, hints: ItemHints(entry, image: image), start: entry.start ?? .zero, end: entry.end)
  }
}
