import FoundationEssentials
import Playback
import PlayerdConfiguration
import PlayerdSystem
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
        isTerm(text, of: key) ? text : withNames ? text.withoutURISecrets : "text-\(number(of: text))"
      })
  }

  /// Whether a text is a term of the player or of a standard, and not a name.
  ///
  /// Its key has such values, and it has their form. The engine process and the media may put any text there.
  private static func isTerm(_ text: String, of key: String) -> Bool {
    let (limit, others): (Int, String) =
      switch key {
      case "code", "curve", "loop", "mode", "sandbox", "scheme", "setLoop", "setShuffleMode", "setTimePitch",
        "timePitch", "timePitchAlgorithm":
        (24, "-+.")
      case "audioLanguages", "language", "preferredAudioLanguages", "setAudioLanguages": (11, "-")
      // Such as “MPEG-1 Layer 3 (MP3)”.
      case "audioCodec", "codec", "containerFormat": (48, " -+.,/()")
      default: (0, "")
      }
    return text.utf8.count <= limit
      && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || others.utf8.contains($0) }
  }

  private static func number(of text: String) -> String {
    String(UInt32(truncatingIfNeeded: text.hashValue), radix: 16)
  }
}

extension ConfigurationSources {
  /// Returns the values that are not the default, one line each.
  ///
  /// Without names, a report has numbers, truth values and choices alone: of a text, the length, and of a list, the number
  /// of its elements. With names, it has all texts but those that may contain a password or a header.
  func lines(withNames: Bool) -> [String] {
    ConfigurationKey.all.compactMap { key in
      guard origin(of: key) != .standard else { return nil }
      return "\(key.name) = \(key.published(configuration, withNames: withNames))"
    }
  }
}

extension ConfigurationKey {
  fileprivate func published(_ configuration: Configuration, withNames: Bool) -> String {
    let value = value(in: configuration)
    switch kind {
    case .boolean, .booleanOr, .number, .percent, .choice: return value.toml
    case .text, .list: break
    }
    if withNames, !isSecret { return value.toml.withoutURISecrets }
    switch value {
    case .text(let text): return "… (a text of \(counted(text.count, "character")))\(element(of: text))"
    case .list(let texts): return "… (a list of \(counted(texts.count, "text")))"
    case .boolean, .number: return value.toml
    }
  }

  /// Whether the texts of the key may be passwords or headers: the properties of an output, the arguments of commands, and
  /// values that are sent to servers.
  private var isSecret: Bool {
    ![
      "allowed-roots", "allowed-schemes", "audio-device", "audio-languages", "books", "playlists-directory",
      "text-encoding",
    ]
    .contains(name)
  }

  /// Returns the element of GStreamer that an output begins with, if it is a usual one.
  private func element(of text: String) -> String {
    let name = text.prefix { $0.isLetter || $0.isNumber }
    let usual = [
      "alsasink", "autoaudiosink", "fakesink", "filesink", "jackaudiosink", "openalsink", "oss4sink", "osssink",
      "pipewiresink", "pulsesink", "shout2send", "tcpserversink", "udpsink",
    ]
    return self.name == "audio-sink" && usual.contains(String(name)) ? ", beginning with \(name)" : ""
  }
}
