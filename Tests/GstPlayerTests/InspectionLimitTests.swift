import GstPlayer
import TestSupport
import Testing

@Suite("Limits of inspections and URI reads") struct InspectionLimitTests {
  static let durations: [Duration] = [
    Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .seconds(Int64.min),
    .nanoseconds(Int64.max), .nanoseconds(Int64.min), .seconds(-1), .zero,
  ]

  @Test("Inspections and reads return with any limit", arguments: durations)
  func inspection(duration: Duration) async {
    let inspector = MediaInspector(concurrencyLimit: duration < .zero ? .min : .max, timeout: duration)
    let reader = URIReader(byteLimit: .min, timeout: duration)
    await #expect(throws: PlayerError.self) { try await inspector.inspect("file://\(TemporaryDirectory.missing)") }
    await #expect(throws: PlayerError.self) { try await reader.read("file://\(TemporaryDirectory.missing)") }
  }
}
