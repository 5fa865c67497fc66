// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A type of media, as a code of four characters.
public typealias CMMediaType = FourCharCode

/// Audio, `soun`.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E
/// Video, `vide`.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465

/// A format of audio.
public typealias CMAudioFormatDescription = CMFormatDescription

/// A format of media; immutable.
///
/// <https://developer.apple.com/documentation/coremedia/cmformatdescription>
@safe public final class CMFormatDescription: Hashable, @unchecked Sendable {  // immutable
  /// A type of media.
  public struct MediaType: RawRepresentable, Hashable, Sendable {
    /// The code of four characters.
    public let rawValue: FourCharCode

    /// Makes a type from its code.
    public init(rawValue: FourCharCode) { self.rawValue = rawValue }

    /// Audio.
    public static let audio = MediaType(rawValue: kCMMediaType_Audio)
    /// Video.
    public static let video = MediaType(rawValue: kCMMediaType_Video)
  }

  /// A format within a type of media; for audio, an `AudioFormatID`.
  public struct MediaSubType: RawRepresentable, Hashable, Sendable {
    /// The code of four characters.
    public let rawValue: FourCharCode

    /// Makes a format from its code.
    public init(rawValue: FourCharCode) { self.rawValue = rawValue }

    /// Linear PCM.
    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
  }

  /// The type of the media.
  public let mediaType: MediaType
  /// The format of the media; 0 if it is not known.
  public var mediaSubType: MediaSubType { MediaSubType(rawValue: audioStreamBasicDescription?.mFormatID ?? 0) }
  /// The format of audio; nil for other media.
  public let audioStreamBasicDescription: AudioStreamBasicDescription?
  /// A copy for C interfaces, which lives as long as the object.
  fileprivate let pointer: UnsafeMutablePointer<AudioStreamBasicDescription>?

  /// Makes a description of audio.
  package init(_ description: AudioStreamBasicDescription) {
    mediaType = .audio
    audioStreamBasicDescription = description
    let pointer = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
    unsafe pointer.initialize(to: description)
    unsafe self.pointer = pointer
  }

  /// Makes a description of other media.
  package init(_ mediaType: MediaType) {
    self.mediaType = mediaType
    audioStreamBasicDescription = nil
    unsafe pointer = nil
  }

  deinit { unsafe pointer?.deallocate() }

  /// Whether two descriptions are of the same format.
  public static func == (one: CMFormatDescription, other: CMFormatDescription) -> Bool {
    one.mediaType == other.mediaType && one.audioStreamBasicDescription == other.audioStreamBasicDescription
  }

  /// Hashes the type and the format.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(mediaType)
    hasher.combine(mediaSubType)
  }
}

/// Returns the type of the media of a description.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaType.rawValue }

/// Returns the format of the media of a description; 0 if it is not known.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
  desc.mediaSubType.rawValue
}

/// Returns whether two descriptions are of the same format.
public func CMFormatDescriptionEqual(_ desc1: CMFormatDescription?, otherFormatDescription desc2: CMFormatDescription?)
  -> Bool
{
  desc1 == desc2
}

/// Returns the format of audio, which is valid as long as the description exists; nil for other media.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  unsafe desc.pointer.map { unsafe UnsafePointer($0) }
}
