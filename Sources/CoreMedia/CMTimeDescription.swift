// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

extension CMTime: CustomDebugStringConvertible {
  /// The text of ``CMTimeCopyDescription(allocator:time:)``.
  public var debugDescription: String {
    if isPositiveInfinity { return "{+INFINITY}" }
    if isNegativeInfinity { return "{-INFINITY}" }
    if isIndefinite { return "{INDEFINITE}" }
    guard isNumeric else { return "{INVALID}" }
    let seconds = String(format: "%.3f", seconds)
    return
      "{\(value)/\(timescale) = \(seconds)\(epoch == 0 ? "" : ", epoch = \(epoch)")\(hasBeenRounded ? ", rounded" : "")}"
  }
}

extension CMTimeRange: CustomDebugStringConvertible {
  /// The text of ``CMTimeRangeCopyDescription(allocator:range:)``.
  public var debugDescription: String { "{\(start.debugDescription), \(duration.debugDescription)}" }
}

extension CMTimeMapping: CustomDebugStringConvertible {
  /// The text of ``CMTimeMappingCopyDescription(allocator:mapping:)``.
  public var debugDescription: String { "{\(source.debugDescription), \(target.debugDescription)}" }
}

/// Returns the text of a time, such as `{1/2 = 0.500}` or `{1/3 = 0.333, rounded}`.
///
/// Times without a value are `{INVALID}`, `{INDEFINITE}`, `{+INFINITY}` and `{-INFINITY}`. The allocator is ignored.
public func CMTimeCopyDescription(allocator: AnyObject?, time: CMTime) -> String? { time.debugDescription }

/// Returns the text of a range: its start and its duration, such as `{{0/1 = 0.000}, {5/1 = 5.000}}`; the allocator is ignored.
public func CMTimeRangeCopyDescription(allocator: AnyObject?, range: CMTimeRange) -> String? { range.debugDescription }

/// Returns the text of a mapping: its source and its target; the allocator is ignored.
public func CMTimeMappingCopyDescription(allocator: AnyObject?, mapping: CMTimeMapping) -> String? {
  mapping.debugDescription
}

/// Writes the text of a time to the standard error.
public func CMTimeShow(_ time: CMTime) { show(time.debugDescription) }

/// Writes the text of a range to the standard error.
public func CMTimeRangeShow(_ range: CMTimeRange) { show(range.debugDescription) }

/// Writes the text of a mapping to the standard error.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) { show(mapping.debugDescription) }

private func show(_ text: String) {
  // A closed standard error is not an error of the caller.
  try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
}
