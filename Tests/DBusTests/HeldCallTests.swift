import Synchronization
import TestSupport
import Testing

@testable import DBus

/// Tests of the calls that arrive before the objects are exported.
@Suite("Calls before the objects exist") struct HeldCallTests {
  private static let note = DBusFunction<Int32, Void>("Note", in: ["number"])
  private static let name: InterfaceName = "org.example.Late"

  @Test("Held calls are handled in their order once the objects exist, and later ones after them")
  func order() async throws {
    try await LampTest.run { test async throws in
      let notes = EventLog<Int32>()
      let proxy = DBusProxy(Self.name, at: "/late", of: test.service.uniqueName, on: test.client)
      await test.service.holdCalls(limit: 2)
      for number in 1...2 as ClosedRange<Int32> {
        try await test.client.send(on: proxy.owner, at: proxy.path, of: Self.name, "Note", [.int32(number)])
      }
      // Its refusal also shows that the earlier calls have arrived.
      let refusal = await failure { try await proxy.call(Self.note, 3) }
      #expect(refusal == .limitsExceeded("2 calls already wait for the start of the service"))
      let method = DBusMethod(Self.note) { number throws(DBusError) in notes.append(number) }
      try await test.service.export(at: "/late", [DBusInterface<Void>(Self.name, methods: [method])]) {}
      #expect(notes.count == 0)
      await test.service.handleHeldCalls()
      #expect(notes.elements == [1, 2])
      try await proxy.call(Self.note, 4)
      #expect(notes.elements == [1, 2, 4])
    }
  }

  @Test("A held read returns the state at the time when it is handled")
  func reads() async throws {
    try await LampTest.run { test async throws in
      await test.service.holdCalls(limit: 1)
      try await withThrowingTaskGroup(of: Result<DBusValue?, DBusError>.self) { group in
        for _ in 1...2 {
          group.addTask {
            do { return .success(try await test.get("Level")) } catch let error as DBusError { return .failure(error) }
          }
        }
        // The other one is held.
        let refused = try await group.next()
        #expect(throws: DBusError.limitsExceeded("1 calls already wait for the start of the service")) {
          try refused?.get()
        }
        test.lamp.withLock { $0.level = 9 }
        await test.service.handleHeldCalls()
        #expect(try await group.next()?.get() == .int64(9))
      }
    }
  }

  @Test("A call that is held when the connection closes gets an error from the bus")
  func closing() async throws {
    try await LampTest.run { test async throws in
      await test.service.holdCalls(limit: 1)
      try await withThrowingTaskGroup(of: DBusError?.self) { group in
        for _ in 1...2 { group.addTask { await failure { _ = try await test.get("Level") } } }
        #expect(try await group.next() == .limitsExceeded("1 calls already wait for the start of the service"))
        await test.service.close()
        let error = try await group.next() ?? nil
        #expect(error?.name == "org.freedesktop.DBus.Error.NoReply")
      }
    }
  }
}
