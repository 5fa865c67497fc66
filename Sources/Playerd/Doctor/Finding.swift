import TextCoding

/// One line of the output of `doctor`.
struct Finding: Equatable, Sendable {
  enum Level: String, Sendable {
    case ok, warning, error
    /// The conclusion of all findings.
    case verdict
  }

  var level: Level
  var what: String
  /// The remedy; empty if none is needed.
  var remedy = ""
  /// The names and other texts of the user in this finding, which a report omits.
  var names: [String] = []
  /// Whether it is a cause of silence.
  var silences = false

  static func ok(_ what: String) -> Finding { Finding(level: .ok, what: what) }
  static func warning(_ what: String, _ remedy: String) -> Finding {
    Finding(level: .warning, what: what, remedy: remedy)
  }
  static func silence(_ what: String, _ remedy: String) -> Finding {
    Finding(level: .warning, what: what, remedy: remedy, silences: true)
  }
  static func error(_ what: String, _ remedy: String) -> Finding { Finding(level: .error, what: what, remedy: remedy) }

  /// The line on a terminal.
  var styledLine: StyledText {
    let style: StyledText.Style =
      switch level {
      case .ok: .green
      case .warning: .yellow
      case .error: .red
      case .verdict: .bold
      }
    return StyledText("\(level.rawValue): ", style) + StyledText(what, level == .ok ? .plain : .bold)
      + StyledText(remedy.isEmpty ? "" : " – \(remedy)")
  }

  var line: String {
    (remedy.isEmpty ? "\(level.rawValue): \(what)" : "\(level.rawValue): \(what) – \(remedy)").withoutControls
  }

  /// Returns the line in a report: without passwords, and without the names unless they are requested.
  ///
  /// A text with “=”, such as the description of an output, may contain a password.
  func reportLine(withNames: Bool) -> String {
    var line = line
    // A name may be part of another one.
    for name in names.sorted(by: { $0.count > $1.count }) where !name.isEmpty && (!withNames || name.contains("=")) {
      line = line.replacing(name.withoutControls, with: "…")
    }
    return line.withoutURISecrets
  }
}
