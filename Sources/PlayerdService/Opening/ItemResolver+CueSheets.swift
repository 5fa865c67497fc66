import Glibc
import Playback
import PlayerdSystem
import PlaylistFormats
import TextCoding

/// Cue sheets: their tracks become items that are clips of files.
extension ItemResolver {
  /// The extensions of alternative audio files: a sheet is often older than the file beside it.
  private static let endings = ["flac", "wv", "ape", "wav", "tta", "m4a", "opus", "ogg", "mp3"]
  /// The limit of media files in a folder whose FLAC files are searched for sheets; a larger folder contains single
  /// tracks.
  static let discLimit = 9

  static func isSheet(_ path: [UInt8]) -> Bool { path.fileExtension == "cue" }

  // MARK: A named sheet

  /// Adds the tracks of a sheet, file by file; a missing file becomes one item, which causes one failure.
  mutating func add(sheet path: [UInt8], _ item: Player.Item) async {
    guard isNew(item.uri), let sheet = await read(path, .cue, item) else { return }
    warn(of: sheet, item.uri)
    for (location, tracks) in Self.runs(of: sheet) where isOpen {
      expansion.addEntry()
      if case .uri(let uri) = location, FileURI.scheme(of: uri) != "file" {
        await add(tracks: tracks, of: uri)
      } else if let file = self.file(location, of: path) {
        let uri = FileURI.uri(ofPath: file)
        if files.kind(of: file) != nil {
          await add(tracks: tracks, of: uri)
        } else if isAllowed(uri) {
          await append(Player.Item(uri: uri))
        }
      }
    }
  }

  mutating func add(tracks: [PlaylistEntry], of uri: String) async {
    guard isAllowed(uri) else { return }
    for track in tracks where isOpen { await append(Player.Item(uri: uri, track, image: nil)) }
  }

  // MARK: A file with a sheet

  /// Adds a file as the tracks of the sheet beside it or in it; returns false if no sheet divides the file.
  mutating func add(divided file: [UInt8], _ uri: String) async -> Bool {
    for sheet in [file.stem, file].map({ $0 + Array(".cue".utf8) }) where files.kind(of: sheet) == .file {
      guard let tracks = divisions(by: sheet)[FileURI.normalized(file)] else { continue }
      await add(tracks: tracks, of: uri)
      return true
    }
    guard let tracks = embeddedTracks(in: file) else { return false }
    await add(tracks: tracks, of: uri)
    return true
  }

  // MARK: Folders

  /// Adds the media of a folder; files with a sheet are divided into its tracks.
  ///
  /// A subfolder may lie between the sheets of the folder and the files that they divide.
  mutating func add(files found: [[UInt8]]) async {
    let media = found.filter { !Self.isSheet($0) }
    for sheet in found where Self.isSheet(sheet) {
      dividedFiles.merge(divisions(by: sheet)) { first, _ in first }
    }
    let areDiscs = media.count <= Self.discLimit
    for file in media where isOpen {
      let uri = FileURI.uri(ofPath: file)
      if let tracks = dividedFiles[FileURI.normalized(file)] ?? (areDiscs ? embeddedTracks(in: file) : nil) {
        await add(tracks: tracks, of: uri)
      } else if isAllowed(uri) {
        await append(Player.Item(uri: uri))
      }
    }
  }

  // MARK: Sheets

  /// Groups the consecutive tracks of a sheet that belong to the same file.
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

  /// Returns the tracks of the files that a sheet divides.
  ///
  /// A file with only one track is omitted, because the sheet adds nothing to the file's own tags.
  private mutating func divisions(by sheet: [UInt8]) -> [[UInt8]: [PlaylistEntry]] {
    guard case .success(let bytes) = files.bytes(of: sheet, limit: Playlist.byteLimit),
      let tracks = PlaylistFormat.cue.read(bytes, text)
    else { return [:] }
    var divisions: [[UInt8]: [PlaylistEntry]] = [:]
    for run in Self.runs(of: tracks) where run.tracks.count > 1 {
      if let file = file(run.location, of: sheet), divisions[file] == nil { divisions[file] = run.tracks }
    }
    return divisions
  }

  /// Returns the file of a location: under its name, or under that name or the sheet's name with another extension.
  private mutating func file(_ location: PlaylistLocation, of sheet: [UInt8]) -> [UInt8]? {
    let written = location.paths(from: sheet.folder, text, isThisHost: FileURI.isThisHost).map(FileURI.normalized)
    if let found = search.find(written), files.kind(of: found) == .file { return found }
    for path in written + [FileURI.normalized(sheet)] {
      for ending in Self.endings {
        let other = path.stem + Array(".\(ending)".utf8)
        if files.kind(of: other) == .file { return other }
      }
    }
    return written.first
  }

  /// Returns the tracks of the sheet in a FLAC file; nil if no sheet in it divides the file.
  private func embeddedTracks(in path: [UInt8]) -> [PlaylistEntry]? {
    guard path.fileExtension == "flac" else { return nil }
    let file = unsafe path.withCString { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    let sheet = FLACCueSheet.read(decoding: text) { offset, count in
      var bytes = [UInt8](repeating: 0, count: count)
      let read = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, off_t(offset)) }
      return Array(bytes.prefix(max(0, read)))
    }
    return sheet.flatMap { $0.entries.count > 1 ? Array($0.entries) : nil }
  }
}

extension Player.Item {
  /// Creates the item of a playlist entry: the whole media or a clip.
  init(uri: String, _ entry: PlaylistEntry, image: String?) {
    self.init(
      uri: uri, externalMetadata: Player.Item.ExternalMetadata(entry, image: image), start: entry.start ?? .zero,
      end: entry.end)
  }
}
