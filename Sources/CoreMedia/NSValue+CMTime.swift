public import Foundation

/// The type encodings of the values below.
///
/// `NSValue` of swift-corelibs-foundation traps for the encoding of a structure, `{...}`, so these are arrays of bytes.
private enum Encoding {
  static let time = encoding(of: CMTime.self)
  static let timeRange = encoding(of: CMTimeRange.self)
  static let timeMapping = encoding(of: CMTimeMapping.self)

  private static func encoding<Value>(of type: Value.Type) -> String { "[\(MemoryLayout<Value>.size)C]" }
}

extension NSValue {
  /// Makes a value that contains a time.
  public convenience init(time: CMTime) {
    self.init(of: time, encoding: Encoding.time)
  }

  /// Makes a value that contains a range of times.
  public convenience init(timeRange: CMTimeRange) {
    self.init(of: timeRange, encoding: Encoding.timeRange)
  }

  /// Makes a value that contains a mapping of times.
  public convenience init(timeMapping: CMTimeMapping) {
    self.init(of: timeMapping, encoding: Encoding.timeMapping)
  }

  /// The contained time; invalid if the value contains something else.
  public var timeValue: CMTime { content(encoding: Encoding.time, or: .invalid) }

  /// The contained range of times; invalid if the value contains something else.
  public var timeRangeValue: CMTimeRange { content(encoding: Encoding.timeRange, or: .invalid) }

  /// The contained mapping of times; invalid if the value contains something else.
  public var timeMappingValue: CMTimeMapping { content(encoding: Encoding.timeMapping, or: .invalid) }

  private convenience init<Value: BitwiseCopyable>(of value: Value, encoding: String) {
    let bytes = unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
    unsafe self.init(bytes: bytes, objCType: encoding)
  }

  private func content<Value: BitwiseCopyable>(encoding: String, or other: Value) -> Value {
    guard unsafe String(cString: objCType) == encoding else { return other }
    var value = other
    unsafe getValue(&value)
    return value
  }
}
