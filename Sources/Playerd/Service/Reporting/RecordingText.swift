import FoundationEssentials
import Playback
import TextCoding

/// Writes the lines of a report file.
enum RecordingText {
  /// Returns the state and the inputs of a recording, one JSON value a line; none without a recording.
  ///
  /// Without names, each text that is not a term of the player is replaced by a number. It is the same for the same
  /// text, and cannot be traced back to it: it depends on a random number of the process.
  static func lines(of recording: PlaybackRecording?, withNames: Bool) -> [String] {
    guard let recording else { return [] }
    let lines = [line(recording.base, withNames: withNames)] + recording.inputs.map { line($0, withNames: withNames) }
    // A replay needs every line.
    return lines.contains(nil) ? [] : lines.compactMap { $0 }
  }

  private static func line<Value: Encodable>(_ value: Value, withNames: Bool) -> String? {
    guard let text = jsonLine(encoding: value),
      let tree = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    else { return nil }
    return jsonLine(
      encoding: tree.mapTexts { key, text in
        terms.contains(key) ? text : withNames ? text.withoutURISecrets : "text-\(number(of: text))"
      })
  }

  /// The keys of texts that are terms of the player or of a standard, and not names.
  private static let terms: Set = [
    "audioCodec", "audioLanguages", "code", "codec", "containerFormat", "curve", "language", "loop", "mode",
    "preferredAudioLanguages", "sandbox", "scheme", "setAudioLanguages", "setLoop", "setTimePitch", "timePitch",
    "timePitchAlgorithm",
  ]

  private static func number(of text: String) -> String {
    String(UInt32(truncatingIfNeeded: text.hashValue), radix: 16)
  }
}

extension ConfigurationSources {
  /// Returns the values that are not the default, one TOML line each.
  ///
  /// Without names, folders and devices are left out. A password may be part of `audio-sink`, so only the first element
  /// of the description is included.
  func lines(withNames: Bool) -> [String] {
    ConfigurationKey.all.compactMap { key in
      guard origin(of: key) != .standard else { return nil }
      let value = key.value(in: configuration).toml
      switch key.name {
      case "audio-sink": return "\(key.name) = \"\(configuration.audioSink.prefix { $0.isLetter || $0.isNumber }) …\""
      case "audio-device", "allowed-roots", "playlists-directory": return "\(key.name) = \(withNames ? value : "…")"
      default: return "\(key.name) = \(value)"
      }
    }
  }
}
