/// The header fields and the user agent that are sent with the HTTP requests for an item.
///
/// They are sent with each request for the media: for the playlists, keys and segments of an adaptive stream, too. Each
/// of these requests goes to the server of the item, or to another one that a playlist or a redirect names. Another
/// server does not receive the credentials: the fields `Authorization` and `Cookie`. A server is another one if its
/// scheme, host or port differs.
///
/// An item with a `Cookie` field does not follow redirects, because libsoup would send the cookies to any server.
///
/// The counterpart of the options `AVURLAssetHTTPHeaderFieldsKey` and `AVURLAssetHTTPUserAgentKey` of `AVURLAsset`.
public struct HTTPRequestHeaders: Codable, Hashable, Sendable {
  /// The fields by their names; a name occurs once, regardless of upper and lower case.
  public let fields: [String: String]
  /// The value of the field `User-Agent`; nil for the engine's own.
  public let userAgent: String?

  /// Creates headers, and checks each of them.
  ///
  /// - Parameters:
  ///   - fields: The values by the names of the fields. A name is a token, and a value consists of visible characters,
  ///     spaces and tabs, without a space at either end, as in RFC 9110.
  ///   - userAgent: A value of the same form; nil for the engine's own.
  /// - Throws: ``PlayerError`` with the code `invalid-argument`, whose message contains the name of the field: if its
  ///   name or value is malformed, if the name occurs twice, or if the player sets the field itself, such as `Range`.
  public init(_ fields: [String: String], userAgent: String? = nil) throws(PlayerError) {
    var seen: Set<String> = []
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard Self.isToken(name) else { throw Self.error(name, "the name is not a token of RFC 9110") }
      guard seen.insert(name.lowercased()).inserted else { throw Self.error(name, "the name occurs twice") }
      guard !Self.reserved.contains(name.lowercased()) else { throw Self.error(name, "the player sets this field") }
      try Self.check(value, of: name)
    }
    if let userAgent { try Self.check(userAgent, of: "User-Agent") }
    self.fields = fields
    self.userAgent = userAgent
  }

  private enum CodingKeys: CodingKey { case fields, userAgent }

  /// Decodes headers, and checks each of them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      container.decode([String: String].self, forKey: .fields),
      userAgent: container.decodeIfPresent(String.self, forKey: .userAgent))
  }

  /// Whether a field contains credentials, which only the server of the item receives.
  package static func isCredential(_ name: String) -> Bool { credentials.contains(name.lowercased()) }

  private static let credentials: Set<String> = ["authorization", "cookie"]

  /// The fields that control the connection or the part of the media that is requested.
  private static let reserved: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "icy-metadata", "keep-alive",
    "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
  ]

  private static func check(_ value: String, of name: String) throws(PlayerError) {
    guard value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
      throw error(name, "the value contains a control character")
    }
    let blanks: [UInt8?] = [0x09, 0x20]
    guard !blanks.contains(value.utf8.first), !blanks.contains(value.utf8.last) else {
      throw error(name, "the value begins or ends with a space")
    }
  }

  /// Whether a name is a token.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2>
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }
  }

  /// Returns the error of a header; its name is in quotation marks, with its control characters escaped.
  private static func error(_ name: String, _ reason: String) -> PlayerError {
    PlayerError(code: .invalidArgument, message: "header \(String(reflecting: name)): \(reason)")
  }
}
