/// The type of a track.
///
/// <https://developer.apple.com/documentation/avfoundation/avmediatype>
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a type from its name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Audio.
  public static let audio = Self("soun")
  /// Video.
  public static let video = Self("vide")
  /// Text.
  public static let text = Self("text")
  /// Closed captions.
  public static let closedCaption = Self("clcp")
  /// Subtitles.
  public static let subtitle = Self("sbtl")
  /// Time codes.
  public static let timecode = Self("tmcd")
  /// Timed metadata.
  public static let metadata = Self("meta")
  /// Several types in one track.
  public static let muxed = Self("muxx")
}

/// A property of the media of a track.
///
/// <https://developer.apple.com/documentation/avfoundation/avmediacharacteristic>
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a characteristic from its name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The media is audible.
  public static let audible = Self("AVMediaCharacteristicAudible")
  /// The media is visible.
  public static let visual = Self("AVMediaCharacteristicVisual")
  /// The media is text.
  public static let legible = Self("AVMediaCharacteristicLegible")
}
