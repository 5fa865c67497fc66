/// The settings of all network sources of a process.
package struct NetworkSettings: Codable, Equatable, Sendable {
  /// The schemes that the content of a server may name, in lower case.
  package var serverSchemes: Set<String>
  /// The user agent of requests that do not name one; nil for the engine's user agent.
  package var userAgent: String?

  package init(serverSchemes: Set<String> = ["http", "https"], userAgent: String? = nil) {
    self.serverSchemes = serverSchemes
    self.userAgent = userAgent
  }
}
