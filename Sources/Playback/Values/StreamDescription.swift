/// The item that a stream of the output plays, as mixers show it.
public struct StreamDescription: Codable, Equatable, Sendable {
  /// The URI of the item.
  public var uri: String
  /// The title; nil if it is unknown.
  public var title: String?
  /// The performer; nil if it is unknown.
  public var artist: String?

  init(_ item: Player.Item, _ metadata: MediaMetadata) {
    let given = item.externalMetadata
    uri = item.uri
    // The tags of a clip's media describe the whole media.
    title = item.isClip ? given?.title ?? metadata.title : metadata.title ?? given?.title
    artist = item.isClip ? given?.artist ?? metadata.artists.first : metadata.artists.first ?? given?.artist
  }
}

extension Player.Configuration {
  /// A program, as mixers show it beside the volume of its streams.
  public struct Application: Codable, Hashable, Sendable {
    /// The name for users.
    public var name: String
    /// The name of its desktop file without the extension.
    public var id: String
    /// The name of its icon in the icon theme.
    public var iconName: String

    /// Creates the description of a program.
    public init(name: String, id: String, iconName: String) {
      self.name = name
      self.id = id
      self.iconName = iconName
    }
  }
}
