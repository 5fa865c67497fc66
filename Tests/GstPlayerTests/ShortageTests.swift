import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("A shortage of resources", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ShortageTests {
  @Test(
    "Without resources an item fails with the reason, and the next items play when there are some again",
    arguments: [(UInt32(RLIMIT_NOFILE.rawValue), UInt(20)), (UInt32(RLIMIT_AS.rawValue), 1 << 20)])
  func recovery(resource: UInt32, value: UInt) async throws {
    let uri = fileURI(try await Media.sine(seconds: 0.2))
    await #expect(processExitsWith: .success) {
      [uri = uri as String, resource = resource as UInt32, value = value as UInt] in
      var normal = rlimit()
      #expect(unsafe getrlimit(__rlimit_resource_t(resource), &normal) == 0)
      var scarce = rlimit(rlim_cur: value, rlim_max: normal.rlim_max)
      #expect(unsafe setrlimit(__rlimit_resource_t(resource), &scarce) == 0)
      let failure = Shortage.failure
      #expect(unsafe setrlimit(__rlimit_resource_t(resource), &normal) == 0)
      #expect(failure?.code == .outOfResources)
      #expect(Shortage.failure == nil)
      // The libraries of the test need memory and threads.
      guard resource == UInt32(RLIMIT_NOFILE.rawValue) else { return }
      try await withPlayer([uri], sink: "fakesink", inFastTime: false) { harness in
        #expect(unsafe setrlimit(__rlimit_resource_t(resource), &scarce) == 0)
        let error = await #expect(throws: PlayerError.self) { _ = try await MediaInspector().inspect(uri) }
        #expect(error?.code == .outOfResources)
        try await harness.playToEnd()
        #expect(harness.failures.map(\.code) == [.outOfResources])
        #expect(unsafe setrlimit(__rlimit_resource_t(resource), &normal) == 0)
        try await harness.playToEnd()
        #expect(harness.failures.count == 1)
      }
    }
  }
}
