import DBus
import TextCoding

/// The specification's rules for client requests. Each turns a request into a command; nil means no operation.
///
/// A request that a `Can…` property excludes succeeds without an effect, because media keys are sent without a check.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html#methods>
extension MPRISSnapshot {
  var forPlay: MPRISCommand? { canPlay && status != .playing ? .play : nil }

  /// A player that is paused gets the command as well: it may have been about to play again by itself.
  var forPause: MPRISCommand? { canPause && status != .stopped ? .pause : nil }

  var forPlayPause: MPRISCommand? { canPause && (canPlay || status == .playing) ? .playPause : nil }

  var forStop: MPRISCommand? { status != .stopped ? .stop : nil }

  var forNext: MPRISCommand? { canGoNext ? .next : nil }

  var forPrevious: MPRISCommand? { canGoPrevious ? .previous : nil }

  /// Maps a rate of 0 to a pause.
  func forRate(_ rate: Double) throws(DBusError) -> MPRISCommand? {
    if rate == 0 { return forPause }
    guard rate >= minimumRate, rate <= maximumRate, rate.isFinite else {
      throw .invalidArguments("Rate \(rate) is not between \(minimumRate) and \(maximumRate)")
    }
    return rate == self.rate ? nil : .setRate(rate)
  }

  /// Clamps the volume to the range from 0 to the maximum.
  func forVolume(_ volume: Double) throws(DBusError) -> MPRISCommand? {
    guard volume.isFinite else { throw .invalidArguments("Volume \(volume) is not a finite number") }
    let volume = volume > 0 ? min(volume, maximumVolume) : 0
    return volume == self.volume ? nil : .setVolume(volume)
  }

  func forLoopStatus(_ word: String) throws(DBusError) -> MPRISCommand? {
    guard let loop = MPRISLoopStatus(rawValue: word) else {
      let words = MPRISLoopStatus.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidArguments("LoopStatus '\(word.cut(to: 80))' is not one of \(words)")
    }
    return loop == self.loop ? nil : .setLoop(loop)
  }

  func forShuffle(_ shuffle: Bool) -> MPRISCommand? { shuffle == self.shuffle ? nil : .setShuffle(shuffle) }

  /// Returns the command to open a URI; the player decides whether it supports the scheme and can open the item.
  func forOpen(_ text: String) throws(DBusError) -> MPRISCommand? { .open(try openable(text)) }

  /// Checks a URI.
  ///
  /// The absolute path of a file is accepted too, because scripts send paths.
  func openable(_ text: String) throws(DBusError) -> String {
    guard text.utf8.count <= Self.longestURI else {
      throw .invalidArguments("a URI of \(text.utf8.count) bytes is longer than \(Self.longestURI)")
    }
    guard text.isURI || text.hasPrefix("/") else {
      throw .invalidArguments("'\(text.cut(to: 80))' is not a URI, such as file:///music/a.flac")
    }
    return text
  }

  /// The limit of a URI in bytes: the longest path, with every byte percent-encoded, and a margin.
  static let longestURI = 16 << 10
}

extension MPRISTimeline {
  /// Clamps a target before the start to 0; a target past the end means the next track, or a stop after the last.
  func forSeek(by offset: Duration, at end: () -> MPRISSnapshot) -> MPRISCommand? {
    guard canSeek, let track else { return nil }
    let target = max(.zero, position + offset)
    if let length, target > length {
      let snapshot = end()
      return snapshot.forNext ?? snapshot.forStop
    }
    return .setPosition(of: track, to: target)
  }

  /// Ignores another track than the current one, and a position outside the track: the client's data is outdated.
  func forSetPosition(of path: ObjectPath, to position: Duration) -> MPRISCommand? {
    guard canSeek, let track, track.path == path, position >= .zero else { return nil }
    if let length, position > length { return nil }
    return .setPosition(of: track, to: position)
  }
}

extension String {
  /// Whether the text has a scheme, a non-empty rest, and no space or control character.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc3986#section-3.1>
  fileprivate var isURI: Bool {
    guard let scheme = utf8.uriScheme, utf8.index(after: scheme.endIndex) < utf8.endIndex else { return false }
    return utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
  }
}
