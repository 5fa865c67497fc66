import EventLoop
import TestSupport
import Testing

@testable import DBus

/// Tests of the streams of a name's owner.
@Suite("Owners of names") struct OwnerTests {
  private static let name: BusName = "org.example.Owned"

  @Test("A stream of owners begins with the present one and reports each change once")
  func owners() async throws {
    try await LampTest.run { test in
      var before = try await test.client.owners(of: Self.name).makeAsyncIterator()
      #expect(await before.next() == .some(nil))
      #expect(try await test.service.requestName(Self.name))
      #expect(await before.next() == .some(test.service.uniqueName))
      var after = try await test.client.owners(of: Self.name).makeAsyncIterator()
      #expect(await after.next() == .some(test.service.uniqueName))
      try await test.service.releaseName(Self.name)
      #expect(try await test.client.requestName(Self.name))
      for owner in [nil, test.client.uniqueName] {
        #expect(await before.next() == .some(owner))
        #expect(await after.next() == .some(owner))
      }
      await test.client.close()
      #expect(await before.next() == .none)
    }
  }

  @Test("Waiting for the end of a name returns when it is released, and at once if it is unowned")
  func gone() async throws {
    try await LampTest.run { test in
      await test.client.untilGone(Self.name)
      #expect(try await test.service.requestName(Self.name))
      let waiting = Task { await test.client.untilGone(Self.name) }
      try await test.service.releaseName(Self.name)
      await waiting.value
    }
  }

  @Test("A stream from a unique name finishes when this connection leaves the bus")
  func finishes() async throws {
    try await LampTest.run { test in
      let name = test.service.uniqueName
      let signals = try await test.client.signals(from: name, interface: .lamp)
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(1), .string("last")])
      await test.service.close()
      #expect(await signals.reduce(0) { count, _ in count + 1 } == 1)
      let late = try await test.client.signals(from: name, interface: .lamp)
      #expect(await late.reduce(0) { count, _ in count + 1 } == 0)
    }
  }
}
