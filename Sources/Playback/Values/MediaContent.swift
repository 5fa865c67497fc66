/// The complete bytes behind a URI.
package struct MediaContent: Codable, Equatable, Sendable {
  /// The URI after redirects.
  package var uri: String
  /// The media type that the server sent; nil if it sent none.
  package var mediaType: String?
  package var bytes: [UInt8]

  package init(uri: String, mediaType: String?, bytes: [UInt8]) {
    self.uri = uri
    self.mediaType = mediaType
    self.bytes = bytes
  }
}
