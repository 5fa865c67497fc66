import TextCoding

/// M3U and M3U8, plain and extended.
///
/// <https://en.wikipedia.org/wiki/M3U>; the tags of HTTP Live Streaming are in RFC 8216.
enum M3U {
  /// The limit of a line; a longer one is malformed.
  private static let lineLimit = 1 << 16

  /// Reads a file; nil for HTTP Live Streaming.
  static func read(_ bytes: [UInt8], _ decoding: TextDecoding) -> Playlist? {
    var playlist = Playlist()
    // The directives since the last item; they apply to the next item, whose location is not known yet.
    let nothing = PlaylistEntry(.path([]))
    var pending = nothing
    var isLiveStream = false
    PlaylistText.forEachLine(of: bytes) { line, number in
      if line.first == UInt8(ascii: "#") {
        isLiveStream = PlaylistText.rest(of: line, after: "#EXT-X-") != nil
        if !isLiveStream { directive(line, number, decoding, &pending, &playlist) }
        return !isLiveStream
      }
      guard line.count <= lineLimit, !line.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\t") }) else {
        playlist.warn(line.count > lineLimit ? "the line is too long for a location" : "no location", line: number)
        pending = nothing
        return true
      }
      pending.location = PlaylistLocation(line: requests(line, &pending))
      defer { pending = nothing }
      return playlist.add(pending, line: number)
    }
    return isLiveStream ? nil : playlist
  }

  /// Whether the first lines mark a playlist of HTTP Live Streaming.
  static func isStream(_ beginning: [UInt8]) -> Bool {
    var isStream = false
    PlaylistText.forEachLine(of: beginning) { line, _ in
      isStream = PlaylistText.rest(of: line, after: "#EXT-X-") != nil
      return !isStream && line.first == UInt8(ascii: "#")
    }
    return isStream
  }

  private static func directive(
    _ line: ArraySlice<UInt8>, _ number: Int, _ decoding: TextDecoding, _ pending: inout PlaylistEntry,
    _ playlist: inout Playlist
  ) {
    guard line.count <= lineLimit, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let rest = line[colon...].dropFirst()
    switch String(decoding: line[..<colon], as: UTF8.self).uppercased() {
    case "#EXTINF":
      if !information(rest, decoding, &pending) { playlist.warn("no length after #EXTINF:", line: number) }
    case "#PLAYLIST": playlist.title = PlaylistText.text(rest, decoding) ?? playlist.title
    case "#EXTIMG", "#EXTALBUMARTURL":
      let place = PlaylistText.trimmed(rest)
      pending.image = place.isEmpty ? nil : PlaylistLocation(line: place)
    case "#EXTART": pending.artist = PlaylistText.text(rest, decoding)
    case "#EXTALB": pending.album = PlaylistText.text(rest, decoding)
    case "#EXTVLCOPT":
      if let start = PlaylistText.rest(of: rest, after: "start-time=") {
        pending.start = time(PlaylistText.trimmed(start)) ?? pending.start
      } else if let end = PlaylistText.rest(of: rest, after: "stop-time=") {
        pending.end = time(PlaylistText.trimmed(end)) ?? pending.end
      } else if let agent = PlaylistText.rest(of: rest, after: "http-user-agent=") {
        pending.userAgent = PlaylistText.text(agent, decoding)
      } else if let referrer = PlaylistText.rest(of: rest, after: "http-referrer=") {
        pending.referrer = PlaylistText.text(referrer, decoding)
      }
    default: break
    }
  }

  /// Reads the headers that Kodi writes after a URL, as in `http://host/a|User-Agent=radio&Referer=http%3A%2F%2Fhost`;
  /// returns the URL.
  private static func requests(_ line: ArraySlice<UInt8>, _ pending: inout PlaylistEntry) -> ArraySlice<UInt8> {
    guard ["http", "https"].contains(line.locationScheme), let bar = line.firstIndex(of: UInt8(ascii: "|")) else {
      return line
    }
    for field in line[bar...].dropFirst().split(separator: UInt8(ascii: "&")) {
      func value(_ name: String) -> String? {
        PlaylistText.rest(of: field, after: name + "=").flatMap {
          PlaylistText.text(PercentEncoding.decode($0)[...], TextDecoding())
        }
      }
      pending.userAgent = value("User-Agent") ?? pending.userAgent
      pending.referrer = value("Referer") ?? pending.referrer
    }
    return line[..<bar]
  }

  /// Parses seconds with up to nine fractional digits, exact to the nanosecond.
  private static func time(_ text: ArraySlice<UInt8>) -> Duration? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard text.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
      let whole = parts.first, whole.count <= 9, let seconds = Int64(String(decoding: whole, as: UTF8.self))
    else { return nil }
    let digits = parts.count > 1 ? parts[1].prefix(9) : []
    let fraction = String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: 9 - digits.count)
    return Int64(fraction).map { .seconds(seconds) + .nanoseconds($0) }
  }

  /// Parses `LENGTH key="value"…,TITLE`; the title starts after the first comma outside quotes.
  ///
  /// - Returns: Whether there is a length.
  private static func information(
    _ text: ArraySlice<UInt8>, _ decoding: TextDecoding, _ pending: inout PlaylistEntry
  ) -> Bool {
    var isQuoted = false
    let comma = text.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    // An unterminated quote belongs to the title.
    let end = comma ?? text.firstIndex(of: UInt8(ascii: ",")) ?? text.endIndex
    pending.title = PlaylistText.text(text[end...].dropFirst(), decoding)
    let head = PlaylistText.trimmed(text[..<end])
    let attributes = head.firstIndex(where: PlaylistText.isBlank) ?? head.endIndex
    if let logo = attribute("tvg-logo", in: head[attributes...]) { pending.image = PlaylistLocation(line: logo) }
    guard let seconds = Double(String(decoding: head[..<attributes], as: UTF8.self)), seconds.isFinite else {
      return false
    }
    // 0 and −1 mean an unknown length; a length of 1e9 s or more is not plausible.
    pending.duration = seconds > 0 && seconds < 1e9 ? .milliseconds(Int64(seconds * 1000)) : nil
    return true
  }

  private static func attribute(_ name: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = PlaylistText.trimmed(text)
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let key = PlaylistText.trimmed(rest[..<equals])
      rest = rest[equals...].dropFirst()
      let value = PlaylistText.takeWord(&rest)
      if PlaylistText.rest(of: key, after: name)?.isEmpty == true, !value.isEmpty { return value }
    }
    return nil
  }
}
