import TextCoding

/// Cue sheets: tracks as ranges of files, in frames of 1/75 s.
///
/// A track extends from its INDEX 01 to that of the next one. The gap before a track therefore plays at the end of the
/// previous track, and a disc plays as it was recorded. The silence of PREGAP and POSTGAP is not in the file and is not
/// played.
///
/// <https://www.gnu.org/software/ccd2cue/manual/html_node/CUE-sheet-format.html>
enum CueSheet {
  static func read(_ bytes: [UInt8], _ decoding: TextDecoding) -> Playlist {
    var sheet = CueReader(decoding: decoding)
    PlaylistText.forEachLine(of: bytes) { line, number in
      sheet.take(words(of: line), line: number)
      return sheet.tracks.count <= Playlist.entryLimit
    }
    return sheet.entries()
  }

  /// Splits a line into words; a quoted word may contain blanks.
  private static func words(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var rest = line
    while words.count < 8, !rest.isEmpty { words.append(PlaylistText.takeWord(&rest)) }
    return words
  }

  /// Parses `mm:ss:ff`; the minutes may exceed 99.
  static func time(_ text: ArraySlice<UInt8>) -> Duration? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ (1...6).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    let numbers = parts.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 3, numbers[1] < 60, numbers[2] < 75 else { return nil }
    let frames = (numbers[0] * 60 + numbers[1]) * 75 + numbers[2]
    return time(UInt64(frames), perSecond: 75)
  }

  /// Returns the time of a frame or a sample, rounded up to the nanosecond; nil from 1e9 s on.
  ///
  /// 1/75 s is not a whole number of nanoseconds. Rounding up keeps a bound from falling before its sample.
  static func time(_ index: UInt64, perSecond rate: Int) -> Duration? {
    let (seconds, rest) = index.quotientAndRemainder(dividingBy: UInt64(rate))
    guard seconds < 1_000_000_000 else { return nil }
    return .seconds(Int64(seconds)) + .nanoseconds((Int64(rest) * 1_000_000_000 + Int64(rate) - 1) / Int64(rate))
  }
}

/// A TRACK that is being read.
private struct CueTrack {
  var line: Int
  var number: Int?
  var isAudio: Bool
  var title: String?
  var artist: String?
  var isrc: String?
  /// The file that contains INDEX 01, and the time in it.
  var start: (file: Int, time: Duration)?
}

/// Parses a sheet line by line.
private struct CueReader {
  private let decoding: TextDecoding
  private(set) var tracks: [CueTrack] = []
  private var playlist = Playlist()
  private var files: [PlaylistLocation] = []
  /// The fields that all entries share.
  private var album = PlaylistEntry(.path([]))

  init(decoding: TextDecoding) { self.decoding = decoding }

  mutating func take(_ words: [ArraySlice<UInt8>], line: Int) {
    guard let first = words.first else { return }
    let arguments = words.dropFirst()
    let argument = arguments.first.flatMap { PlaylistText.text($0, decoding) }
    switch String(decoding: first, as: UTF8.self).uppercased() {
    case "FILE":
      guard let name = arguments.first, !name.isEmpty, !name.contains(0) else {
        return playlist.warn("FILE without a name", line: line)
      }
      files.append(PlaylistLocation(line: name))
    case "TRACK":
      let number = arguments.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
      if number == nil { playlist.warn("TRACK without a number", line: line) }
      let kind = arguments.dropFirst().first.map { String(decoding: $0, as: UTF8.self).uppercased() }
      tracks.append(CueTrack(line: line, number: number, isAudio: kind == nil || kind == "AUDIO"))
    case "INDEX": index(Array(arguments), line: line)
    case "TITLE": if tracks.isEmpty { playlist.title = argument } else { edit { $0.title = argument } }
    case "PERFORMER": if tracks.isEmpty { album.albumArtist = argument } else { edit { $0.artist = argument } }
    case "ISRC": edit { $0.isrc = argument }
    case "REM":
      let value = arguments.dropFirst().first.flatMap { PlaylistText.text($0, decoding) }
      switch argument?.uppercased() {
      case "GENRE": album.genre = value
      case "DATE": album.date = value
      default: break
      }
    case "CATALOG", "CDTEXTFILE", "FLAGS", "SONGWRITER", "PREGAP", "POSTGAP": break
    default: playlist.warn("unknown command", line: line)
    }
  }

  private mutating func edit(_ change: (inout CueTrack) -> Void) {
    guard !tracks.isEmpty else { return }
    change(&tracks[tracks.count - 1])
  }

  private mutating func index(_ arguments: [ArraySlice<UInt8>], line: Int) {
    guard arguments.count >= 2, let number = Int(String(decoding: arguments[0], as: UTF8.self)),
      let time = CueSheet.time(arguments[1])
    else { return playlist.warn("INDEX without a number and a time", line: line) }
    guard !tracks.isEmpty, !files.isEmpty else { return playlist.warn("INDEX outside a track", line: line) }
    guard number == 1 else { return }
    let file = files.count - 1
    edit { $0.start = $0.start ?? (file, time) }
  }

  func entries() -> Playlist {
    var result = playlist
    let placed = tracks.filter { $0.start != nil }
    for track in tracks where track.start == nil { result.warn("a track without INDEX 01", line: track.line) }
    for (place, track) in placed.enumerated() {
      guard let start = track.start, track.isAudio else { continue }
      let following = place + 1 < placed.count ? placed[place + 1].start : nil
      let end = following.flatMap { $0.file == start.file ? $0.time : nil }
      if let end, end <= start.time {
        result.warn("the track ends before it starts", line: track.line)
        continue
      }
      var entry = album
      entry.location = files[start.file]
      entry.title = track.title
      entry.artist = track.artist ?? album.albumArtist
      entry.album = playlist.title
      entry.trackNumber = track.number
      entry.isrc = track.isrc
      entry.start = start.time > .zero ? start.time : nil
      entry.end = end
      entry.duration = end.map { $0 - start.time }
      guard result.add(entry, line: track.line) else { break }
    }
    return result
  }
}
