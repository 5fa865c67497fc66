/// The version of the media framework, whether its element that plays media is installed, and the common formats.
package struct FrameworkSupport: Codable, Equatable, Sendable {
  /// A format that users expect to play.
  package struct Format: Codable, Equatable, Sendable {
    /// The name for users.
    package var name: String
    /// The streams and schemes that no installed plug-in supports.
    package var missing: [String]

    package init(name: String, missing: [String]) {
      self.name = name
      self.missing = missing
    }
  }

  package var version: String
  package var hasPlayback: Bool
  package var formats: [Format]

  package init(version: String, hasPlayback: Bool, formats: [Format]) {
    self.version = version
    self.hasPlayback = hasPlayback
    self.formats = formats
  }
}
