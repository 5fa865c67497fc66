public import Foundation

extension NSValue {
  /// Makes a value that contains a time.
  public convenience init(time: CMTime) { self.init(of: time) }

  /// Makes a value that contains a range of times.
  public convenience init(timeRange: CMTimeRange) { self.init(of: timeRange) }

  /// Makes a value that contains a mapping of times.
  public convenience init(timeMapping: CMTimeMapping) { self.init(of: timeMapping) }

  /// The contained time; invalid if the value contains something else.
  public var timeValue: CMTime { content(or: .invalid) }

  /// The contained range of times; invalid if the value contains something else.
  public var timeRangeValue: CMTimeRange { content(or: .invalid) }

  /// The contained mapping of times; invalid if the value contains something else.
  public var timeMappingValue: CMTimeMapping { content(or: .invalid) }

  private convenience init<Value: BitwiseCopyable>(of value: Value) {
    let bytes = unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
    unsafe self.init(bytes: bytes, objCType: Self.encoding(of: Value.self))
  }

  private func content<Value: BitwiseCopyable>(or other: Value) -> Value {
    guard unsafe String(cString: objCType) == Self.encoding(of: Value.self) else { return other }
    var value = other
    unsafe getValue(&value)
    return value
  }

  /// Returns the type encoding of a value.
  ///
  /// `NSValue` of swift-corelibs-foundation traps for the encoding of a structure, `{...}`, so it is an array of bytes.
  private static func encoding<Value>(of type: Value.Type) -> String { "[\(MemoryLayout<Value>.size)C]" }
}
