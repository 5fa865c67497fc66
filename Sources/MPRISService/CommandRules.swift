import DBus

/// The specification's rules for what clients ask: each turns a request into the command it means, nil for nothing.
///
/// What a `Can…` property says is impossible is a silent success, because media keys are sent without looking.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html#methods>
extension PlayerSnapshot {
  var forPlay: PlayerCommand? { canPlay && status != .playing ? .play : nil }

  var forPause: PlayerCommand? { canPause && status == .playing ? .pause : nil }

  var forPlayPause: PlayerCommand? { canPause && (canPlay || status == .playing) ? .playPause : nil }

  var forStop: PlayerCommand? { status != .stopped ? .stop : nil }

  var forNext: PlayerCommand? { canGoNext ? .next : nil }

  var forPrevious: PlayerCommand? { canGoPrevious ? .previous : nil }

  /// Before the start is the start; past the end is the next track, or a stop after the last.
  func forSeek(by offset: Duration) -> PlayerCommand? {
    guard canSeek, let track else { return nil }
    let target = max(.zero, position + offset)
    if let length = metadata.length, target > length { return forNext ?? forStop }
    return .setPosition(track, target)
  }

  /// A track that is not the current one any more, and a position outside of it, mean that the client is late.
  func forSetPosition(of path: ObjectPath, to position: Duration) -> PlayerCommand? {
    guard canSeek, let track, track.path == path, position >= .zero else { return nil }
    if let length = metadata.length, position > length { return nil }
    return .setPosition(track, position)
  }

  /// A rate of 0 is a pause.
  func forRate(_ rate: Double) throws(DBusError) -> PlayerCommand? {
    if rate == 0 { return forPause }
    guard rate >= minimumRate, rate <= maximumRate, rate.isFinite else {
      throw .invalidArguments("Rate \(rate) is not between \(minimumRate) and \(maximumRate)")
    }
    return rate == self.rate ? nil : .setRate(rate)
  }

  /// Below silence is silence; beyond the maximum is the maximum.
  func forVolume(_ volume: Double) throws(DBusError) -> PlayerCommand? {
    guard volume.isFinite else { throw .invalidArguments("Volume \(volume) is not a finite number") }
    let volume = volume > 0 ? min(volume, maximumVolume) : 0
    return volume == self.volume ? nil : .setVolume(volume)
  }

  func forLoopStatus(_ word: String) throws(DBusError) -> PlayerCommand? {
    guard let loop = LoopStatus(rawValue: word) else {
      let words = LoopStatus.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidArguments("LoopStatus '\(word.cut(to: 80))' is none of \(words)")
    }
    return loop == self.loop ? nil : .setLoop(loop)
  }

  func forShuffle(_ shuffle: Bool) -> PlayerCommand? { shuffle == self.shuffle ? nil : .setShuffle(shuffle) }

  /// Whether the scheme is known, and what is behind it, is the player's to say.
  func forOpen(_ text: String) throws(DBusError) -> PlayerCommand? { .open(try openable(text)) }

  /// A URI, or the absolute path of a file, which scripts send in its place.
  func openable(_ text: String) throws(DBusError) -> String {
    guard text.utf8.count <= Self.longestURI else {
      throw .invalidArguments("a URI of \(text.utf8.count) bytes is longer than \(Self.longestURI)")
    }
    guard text.isURI || text.hasPrefix("/") else {
      throw .invalidArguments("'\(text.cut(to: 80))' is not a URI, such as file:///music/a.flac")
    }
    return text
  }

  /// The most bytes of a URI: the longest path there is, each byte percent-encoded, and some more.
  static let longestURI = 16 << 10
}

extension String {
  /// Whether the text has a scheme, something behind it, and no space or control character.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc3986#section-3.1>
  fileprivate var isURI: Bool {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8.index(after: colon) < utf8.endIndex else {
      return false
    }
    let scheme = utf8[..<colon]
    return scheme.first.map(\.isLetter) == true && scheme.allSatisfy(\.isSchemeCharacter)
      && utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  fileprivate var isSchemeCharacter: Bool {
    isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || "+-.".utf8.contains(self)
  }
}
