/// The size of video in a layer.
///
/// A name alone: video is not shown.
///
/// <https://developer.apple.com/documentation/avfoundation/avlayervideogravity>
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The video is stretched to the layer.
  public static let resize = Self(rawValue: "AVLayerVideoGravityResize")
  /// The whole video fits into the layer.
  public static let resizeAspect = Self(rawValue: "AVLayerVideoGravityResizeAspect")
  /// The video fills the layer, and its edges may be cut off.
  public static let resizeAspectFill = Self(rawValue: "AVLayerVideoGravityResizeAspectFill")
}
