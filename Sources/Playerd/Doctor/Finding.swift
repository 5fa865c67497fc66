/// One line of the output of `doctor`.
struct Finding: Equatable, Sendable {
  enum Level: String, Sendable {
    case ok, warning, error
  }

  var level: Level
  var what: String
  /// The remedy; empty if none is needed.
  var remedy = ""

  static func ok(_ what: String) -> Finding { Finding(level: .ok, what: what) }
  static func warning(_ what: String, _ remedy: String) -> Finding {
    Finding(level: .warning, what: what, remedy: remedy)
  }
  static func error(_ what: String, _ remedy: String) -> Finding { Finding(level: .error, what: what, remedy: remedy) }

  var line: String {
    (remedy.isEmpty ? "\(level.rawValue): \(what)" : "\(level.rawValue): \(what) – \(remedy)").withoutControls
  }
}
