package import PlayerdSystem

/// One line of the output of `doctor`.
package struct Finding: Equatable, Sendable {
  package enum Level: String, Sendable {
    case ok, warning, error
    /// The conclusion of all findings.
    case verdict
  }

  package var level: Level
  var what: FindingText
  /// The remedy; empty if none is needed.
  var remedy: FindingText = ""
  /// Whether it is a cause of silence.
  var silences = false

  static func ok(_ what: FindingText) -> Finding { Finding(level: .ok, what: what) }
  static func warning(_ what: FindingText, _ remedy: FindingText) -> Finding {
    Finding(level: .warning, what: what, remedy: remedy)
  }
  static func silence(_ what: FindingText, _ remedy: FindingText) -> Finding {
    Finding(level: .warning, what: what, remedy: remedy, silences: true)
  }
  static func error(_ what: FindingText, _ remedy: FindingText) -> Finding {
    Finding(level: .error, what: what, remedy: remedy)
  }

  /// The line on a terminal.
  package var styledLine: StyledText {
    let style: StyledText.Style =
      switch level {
      case .ok: .green
      case .warning: .yellow
      case .error: .red
      case .verdict: .bold
      }
    return StyledText("\(level.rawValue): ", style) + StyledText(what.description, level == .ok ? .plain : .bold)
      + StyledText(remedy.isEmpty ? "" : " – \(remedy)")
  }

  var line: String { text.description.withoutControls }

  /// Returns the line in a report: without passwords, and without the names unless they are requested.
  package func reportLine(withNames: Bool) -> String { text.published(withNames: withNames).withoutControls }

  private var text: FindingText { "\(term: level.rawValue): \(what)" + (remedy.isEmpty ? "" : " – \(remedy)") }
}
