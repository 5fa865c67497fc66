// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The mapping of a range of one timeline, the source, to a range of another one, the target.
///
/// <https://developer.apple.com/documentation/coremedia/cmtimemapping>
public struct CMTimeMapping: BitwiseCopyable, Hashable, Sendable {
  /// The range in the source, such as the media; its start is invalid for an empty mapping.
  public var source: CMTimeRange
  /// The range in the target, such as a track.
  public var target: CMTimeRange

  /// Makes a mapping with the given fields, without a check.
  public init(source: CMTimeRange, target: CMTimeRange) { (self.source, self.target) = (source, target) }

  /// Makes an invalid mapping: all fields are 0.
  public init() { self.init(source: .invalid, target: .invalid) }

  /// An invalid mapping.
  public static let invalid = Self()

  /// Whether the target is valid.
  public var isValid: Bool { target.isValid }

  /// Whether the target is valid, and nothing is mapped to it.
  public var isEmpty: Bool { !source.start.isNumeric && target.isValid }
}

/// An invalid mapping; ``CMTimeMapping/invalid``.
public let kCMTimeMappingInvalid = CMTimeMapping.invalid

/// Makes a mapping; invalid if the epoch of a duration is not 0.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
  guard source.duration.epoch == 0, target.duration.epoch == 0 else { return .invalid }
  return CMTimeMapping(source: source, target: target)
}

/// Makes a mapping without a source; invalid if the epoch of the duration is not 0.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
  CMTimeMappingMake(source: .invalid, target: target)
}

/// Whether a mapping is valid.
public func CMTIMEMAPPING_IS_VALID(_ mapping: CMTimeMapping) -> Bool { mapping.isValid }

/// Whether a mapping is invalid.
public func CMTIMEMAPPING_IS_INVALID(_ mapping: CMTimeMapping) -> Bool { !mapping.isValid }

/// Whether a mapping is valid, and nothing is mapped to its target.
public func CMTIMEMAPPING_IS_EMPTY(_ mapping: CMTimeMapping) -> Bool { mapping.isEmpty }
