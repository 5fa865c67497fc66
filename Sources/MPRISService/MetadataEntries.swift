import DBus

/// The entries of a metadata map, the most useful first, within the limits for clients.
///
/// GNOME Shell reads the whole map again for each key of a change, on its drawing thread, so a long map delays the
/// desktop. Texts are cut after a whole character. URIs and identifiers are omitted if they are too long, because a cut
/// one is useless.
struct MetadataEntries {
  /// The limit of entries in a map.
  static let largestCount = 16
  /// The limit of a map's encoded size in bytes.
  static let largestSize = 8 << 10
  /// The limit of one text or list in bytes, so that the other entries fit too.
  static let largestText = 1 << 10

  private(set) var entries: [(String, DBusValue)] = []
  private var room = largestSize

  init(_ fields: MPRISMetadata.Fields) {
    let path = fields.trackID.path
    add("mpris:trackid", .objectPath(path), size: path.rawValue.utf8.count)
    add("mpris:length", fields.length.flatMap { $0 > .zero ? .int64(max($0.microseconds, 1)) : nil })
    addText("xesam:title", fields.title)
    addTexts("xesam:artist", fields.artists)
    addText("xesam:album", fields.album)
    addIdentifier("mpris:artUrl", fields.artURL)
    addIdentifier("xesam:url", fields.url)
    addTexts("xesam:albumArtist", fields.albumArtists)
    addOrdinal("xesam:trackNumber", fields.trackNumber)
    addOrdinal("xesam:discNumber", fields.discNumber)
    addTexts("xesam:genre", fields.genres)
    addText("xesam:contentCreated", fields.contentCreated)
    addTexts("xesam:composer", fields.composers)
    addIdentifiers("xesam:musicBrainzTrackID", fields.musicBrainzTrackIDs)
    addIdentifiers("xesam:musicBrainzAlbumID", fields.musicBrainzAlbumIDs)
    addIdentifiers("xesam:musicBrainzArtistID", fields.musicBrainzArtistIDs)
    addIdentifiers("xesam:musicBrainzAlbumArtistID", fields.musicBrainzAlbumArtistIDs)
    addTexts("xesam:comment", fields.comments)
    add("xesam:userRating", fields.userRating.flatMap { $0 >= 0 && $0 <= 1 ? .double($0) : nil })
    add("xesam:useCount", fields.useCount.flatMap { $0 >= 0 ? .int32(Int32(clamping: $0)) : nil })
    addOrdinal("xesam:audioBPM", fields.audioBPM)
    addText("xesam:asText", fields.lyrics, limit: Self.largestSize)
  }

  /// The largest overhead of an entry beside its texts: key length, signature, alignment.
  private static let entryOverhead = 32
  /// The largest overhead of a list element beside its text.
  private static let elementOverhead = 8

  private func room(for key: String) -> Int {
    entries.count < Self.largestCount ? room - key.utf8.count - Self.entryOverhead : 0
  }

  private mutating func add(_ key: String, _ value: DBusValue?, size: Int = 8) {
    guard let value, size <= room(for: key) else { return }
    entries.append((key, value))
    room -= key.utf8.count + Self.entryOverhead + size
  }

  private mutating func addOrdinal(_ key: String, _ number: Int?) {
    add(key, number.flatMap { $0 > 0 ? .int32(Int32(clamping: $0)) : nil })
  }

  private mutating func addText(_ key: String, _ text: String?, limit: Int = largestText) {
    guard let text = text?.cut(to: min(limit, room(for: key))).withoutNUL, !text.isEmpty else { return }
    add(key, .string(text), size: text.utf8.count)
  }

  private mutating func addTexts(_ key: String, _ texts: [String]) {
    var left = min(Self.largestText, room(for: key))
    var kept: [String] = []
    for text in texts where left > Self.elementOverhead {
      let text = text.cut(to: left - Self.elementOverhead).withoutNUL
      guard !text.isEmpty else { continue }
      kept.append(text)
      left -= text.utf8.count + Self.elementOverhead
    }
    guard !kept.isEmpty else { return }
    add(key, .strings(kept), size: min(Self.largestText, room(for: key)) - left)
  }

  private mutating func addIdentifier(_ key: String, _ text: String?) {
    guard let text, !text.isEmpty, text.utf8.count <= room(for: key), !text.utf8.contains(0) else { return }
    add(key, .string(text), size: text.utf8.count)
  }

  private mutating func addIdentifiers(_ key: String, _ texts: [String]) {
    let texts = texts.filter { !$0.isEmpty }
    let size = texts.reduce(0) { $0 + $1.utf8.count + Self.elementOverhead }
    guard !texts.isEmpty, size <= Self.largestText, !texts.contains(where: { $0.utf8.contains(0) }) else { return }
    add(key, .strings(texts), size: size)
  }
}

extension String {
  /// The text without NUL, which D-Bus strings cannot contain.
  fileprivate var withoutNUL: String {
    utf8.contains(0) ? String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\0" })) : self
  }

  /// Returns the longest prefix that fits into this many bytes and ends with a whole character.
  ///
  /// Only a single character that is larger than the limit, with thousands of accents, is cut itself.
  func cut(to size: Int) -> String {
    guard utf8.count > size else { return self }
    guard size > 0 else { return "" }
    let limit = utf8.index(startIndex, offsetBy: size)
    let end = index(before: index(after: limit))
    guard end == startIndex else { return String(self[..<end]) }
    return String(self[..<unicodeScalars.index(before: unicodeScalars.index(after: limit))])
  }
}
