package import Playback

/// The settings of everything in a process that opens media: the engine of a player, and inspections.
package struct MediaSettings: Codable, Equatable, Sendable {
  /// The settings of the network.
  package var network = NetworkSettings()
  /// The certificates of servers that are accepted although they cannot be verified.
  package var certificates: [AcceptedCertificate] = []
  /// The encoding of texts that are not UTF-8, a name of iconv; nil for Windows-1252.
  ///
  /// It is set before the first media are opened, and does not change afterwards.
  package var textEncoding: String?

  package init() {}
}
