import Playback

/// The text of a result in the cache: a line for each value, and a line with the histogram.
extension TrackLoudness {
  private static let header = "mpris-playerd loudness 2"

  var text: String {
    var lines = [Self.header, "peak \(peak)"]
    if let integrated { lines.append("integrated \(integrated)") }
    if let silence { lines.append("silence \(silence.wholeNanoseconds)") }
    if let album { lines.append("album \(album)") }
    if let albumGain { lines.append("album-gain \(albumGain.gain) \(albumGain.peak)") }
    let intervals = histogram.sorted { $0.key < $1.key }
    lines.append((["blocks"] + intervals.map { "\($0.key):\($0.value)" }).joined(separator: " "))
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads a text; nil if it is incomplete, damaged or of another version.
  init?(text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // A complete text ends with a line break.
    guard lines.first == Self.header[...], lines.popLast() == "" else { return nil }
    self.init(integrated: nil, peak: -1, histogram: [:], album: nil, albumGain: nil)
    var hasBlocks = false
    for line in lines.dropFirst() {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
      switch (words.first, numbers.count, words.count) {
      case ("peak", 1, 2): peak = numbers[0]
      case ("integrated", 1, 2): integrated = numbers[0]
      case ("silence", 1, 2): silence = Int64(words[1]).map { .nanoseconds($0) }
      case ("album", _, 2): album = String(words[1])
      case ("album-gain", 2, 3): albumGain = LoudnessGain(gain: numbers[0], peak: numbers[1])
      case ("blocks", _, _):
        hasBlocks = true
        for word in words.dropFirst() {
          let pair = word.split(separator: ":").compactMap { Int($0) }
          guard pair.count == 2 else { return nil }
          histogram[pair[0]] = pair[1]
        }
      default: return nil
      }
    }
    guard isValid, hasBlocks else { return nil }
  }
}
