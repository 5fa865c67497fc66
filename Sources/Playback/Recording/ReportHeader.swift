/// The first line of a report file: the program and its surroundings.
///
/// The second line is a ``RecordedState``, and each line after it a ``RecordedInput``. A report without a recording ends
/// after the first line.
package struct ReportHeader: Codable, Equatable, Sendable {
  /// The version of the format.
  package var report = Self.format
  /// The version of the program.
  package var version: String
  /// The lines of the configuration file.
  package var configuration: [String]
  /// The lines of `doctor`.
  package var doctor: [String]
  /// The URIs of the items by number; empty unless they were requested.
  package var names: [String: String]

  package static let format = 6

  package init(version: String, configuration: [String], doctor: [String], names: [String: String] = [:]) {
    self.version = version
    self.configuration = configuration
    self.doctor = doctor
    self.names = names
  }
}
