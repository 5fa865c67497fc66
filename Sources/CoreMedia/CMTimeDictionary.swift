// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The key of the value of a time in a dictionary.
public let kCMTimeValueKey = "value"
/// The key of the timescale of a time in a dictionary.
public let kCMTimeScaleKey = "timescale"
/// The key of the epoch of a time in a dictionary.
public let kCMTimeEpochKey = "epoch"
/// The key of the flags of a time in a dictionary.
public let kCMTimeFlagsKey = "flags"
/// The key of the start of a range in a dictionary.
public let kCMTimeRangeStartKey = "start"
/// The key of the duration of a range in a dictionary.
public let kCMTimeRangeDurationKey = "duration"
/// The key of the source of a mapping in a dictionary.
public let kCMTimeMappingSourceKey = "source"
/// The key of the target of a mapping in a dictionary.
public let kCMTimeMappingTargetKey = "target"

/// Returns a dictionary of the fields of a time; the allocator is ignored.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: AnyObject?) -> NSDictionary? { time.dictionary }

/// Returns the time of a dictionary; invalid if a field is missing or not a number.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: NSDictionary?) -> CMTime {
  guard let dictionaryRepresentation,
    let value = dictionaryRepresentation[kCMTimeValueKey] as? NSNumber,
    let timescale = dictionaryRepresentation[kCMTimeScaleKey] as? NSNumber,
    let flags = dictionaryRepresentation[kCMTimeFlagsKey] as? NSNumber,
    let epoch = dictionaryRepresentation[kCMTimeEpochKey] as? NSNumber
  else { return .invalid }
  return CMTime(
    value: value.int64Value, timescale: timescale.int32Value, flags: CMTimeFlags(rawValue: flags.uint32Value),
    epoch: epoch.int64Value)
}

/// Returns a dictionary of the fields of a range; the allocator is ignored.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: AnyObject?) -> NSDictionary? {
  range.dictionary
}

/// Returns the range of a dictionary; invalid if a field is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: NSDictionary) -> CMTimeRange {
  guard let start = dictionaryRepresentation[kCMTimeRangeStartKey] as? NSDictionary,
    let duration = dictionaryRepresentation[kCMTimeRangeDurationKey] as? NSDictionary
  else { return .invalid }
  return CMTimeRange(start: CMTimeMakeFromDictionary(start), duration: CMTimeMakeFromDictionary(duration))
}

/// Returns a dictionary of the fields of a mapping; the allocator is ignored.
public func CMTimeMappingCopyAsDictionary(_ mapping: CMTimeMapping, allocator: AnyObject?) -> NSDictionary? {
  [kCMTimeMappingSourceKey: mapping.source.dictionary, kCMTimeMappingTargetKey: mapping.target.dictionary]
}

/// Returns the mapping of a dictionary; invalid if a field is missing.
public func CMTimeMappingMakeFromDictionary(_ dictionaryRepresentation: NSDictionary) -> CMTimeMapping {
  guard let source = dictionaryRepresentation[kCMTimeMappingSourceKey] as? NSDictionary,
    let target = dictionaryRepresentation[kCMTimeMappingTargetKey] as? NSDictionary
  else { return .invalid }
  return CMTimeMapping(
    source: CMTimeRangeMakeFromDictionary(source), target: CMTimeRangeMakeFromDictionary(target))
}

extension CMTime {
  fileprivate var dictionary: NSDictionary {
    [
      kCMTimeValueKey: NSNumber(value: value), kCMTimeScaleKey: NSNumber(value: timescale),
      kCMTimeFlagsKey: NSNumber(value: flags.rawValue), kCMTimeEpochKey: NSNumber(value: epoch),
    ]
  }
}

extension CMTimeRange {
  fileprivate var dictionary: NSDictionary {
    [kCMTimeRangeStartKey: start.dictionary, kCMTimeRangeDurationKey: duration.dictionary]
  }
}
