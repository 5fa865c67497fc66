import CoreMedia
import Testing

/// A row of a table: an operation, its exact result, and the page that documents it.
struct Row: Sendable, CustomTestStringConvertible {
  var operation: String
  var result: @Sendable () -> CMTime
  var expected: CMTime
  /// Below `https://developer.apple.com/documentation/coremedia/`, or a complete address.
  var page: String

  init(_ operation: String, _ result: @autoclosure @escaping @Sendable () -> CMTime, _ expected: CMTime, _ page: String)
  {
    (self.operation, self.result, self.expected, self.page) = (operation, result, expected, page)
  }

  var testDescription: String { operation }

  /// Compares all fields, unlike `==`.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    let result = result()
    #expect(Fields(result) == Fields(expected), "\(page)", sourceLocation: sourceLocation)
  }
}

/// The fields of a time.
struct Fields: Equatable, CustomTestStringConvertible {
  var value: Int64
  var timescale: Int32
  var flags: UInt32
  var epoch: Int64

  init(_ time: CMTime) {
    (value, timescale, flags, epoch) = (time.value, time.timescale, time.flags.rawValue, time.epoch)
  }

  var testDescription: String { "\(value)/\(timescale), flags \(flags), epoch \(epoch)" }
}

/// Makes a valid time.
func time(_ value: Int64, _ timescale: Int32, epoch: Int64 = 0) -> CMTime {
  CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Makes a rounded time.
func rounded(_ value: Int64, _ timescale: Int32, epoch: Int64 = 0) -> CMTime {
  CMTime(value: value, timescale: timescale, flags: [.valid, .hasBeenRounded], epoch: epoch)
}

/// Makes a range of a start and a duration.
func range(_ start: CMTime, _ duration: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, duration: duration)
}
