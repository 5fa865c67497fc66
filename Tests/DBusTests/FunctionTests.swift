import Synchronization
import TestSupport
import Testing

@testable import DBus

/// Tests of methods that are declared with Swift types.
@Suite("Declared functions") struct FunctionTests {
  private static let add = DBusFunction<(Int32, Int32), Int64>("Add", in: ["one", "other"], out: ["sum"])
  private static let describe = DBusFunction<UInt32, (String, Double)>("Describe", in: ["id"], out: ["name", "size"])
  private static let reset = DBusFunction<Void, Void>("Reset")
  private static let name: InterfaceName = "org.example.Functions"

  private func withProxy(
    _ methods: [DBusMethod], _ body: @escaping @Sendable (DBusProxy) async throws -> Void
  ) async throws {
    try await LampTest.run { test in
      try await test.service.export(at: "/functions", [DBusInterface<Void>(Self.name, methods: methods)]) {}
      try await body(DBusProxy(Self.name, at: "/functions", of: test.service.uniqueName, on: test.client))
    }
  }

  @Test("One declaration gives the introspection, the row and the call, for any number of arguments and results")
  func calls() async throws {
    let resets = Mutex(0)
    let methods = [
      DBusMethod(Self.add) { one, other throws(DBusError) in Int64(one) + Int64(other) },
      DBusMethod(Self.describe, later: { reply, id throws(DBusError) in reply(("lamp \(id)", 0.5)) }),
      DBusMethod(Self.reset) { () throws(DBusError) in resets.withLock { $0 += 1 } },
    ]
    let xml = DBusIntrospection.xml(path: "/", interfaces: [DBusInterface<Void>(Self.name, methods: methods)])
    for line in [
      #"<method name="Add">"#, #"<arg name="other" type="i" direction="in"/>"#,
      #"<arg name="size" type="d" direction="out"/>"#, #"<method name="Reset"/>"#,
    ] { #expect(xml.contains(line)) }
    try await withProxy(methods) { proxy async throws in
      #expect(try await proxy.call(Self.add, 1, 2) == 3)
      let (name, size) = try await proxy.call(Self.describe, 7)
      #expect(name == "lamp 7" && size == 0.5)
      try await proxy.call(Self.reset)
    }
    #expect(resets.withLock(\.self) == 1)
  }

  @Test("An error of a handler reaches the client, whether the reply is sent at once or later")
  func errors() async throws {
    let queue = DBusCallQueue()
    try await withProxy([
      DBusMethod(Self.reset) { () throws(DBusError) in throw .accessDenied("no") },
      DBusMethod(Self.add, on: queue) { _ async throws(DBusError) in throw .fileExists("there") },
      DBusMethod(Self.describe, later: { _, id throws(DBusError) in throw .notSupported("\(id)") }),
    ]) { proxy async throws in
      await withTaskGroup { group in
        group.addTask { await queue.run() }
        #expect(await failure { try await proxy.call(Self.reset) } == .accessDenied("no"))
        #expect(await failure { _ = try await proxy.call(Self.add, 1, 2) } == .fileExists("there"))
        #expect(await failure { _ = try await proxy.call(Self.describe, 9) } == .notSupported("9"))
        group.cancelAll()
      }
    }
  }

  @Test("The calls on a queue wait for each other and for no other call; beyond the limit they are refused")
  func queue() async throws {
    let queue = DBusCallQueue(limit: 1)
    let begun = EventLog<Int32>()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    try await withProxy([
      DBusMethod(Self.add, on: queue) { one, other async throws(DBusError) in
        begun.append(one)
        for await _ in gate {}
        return Int64(one) + Int64(other)
      },
      DBusMethod(Self.reset) { () throws(DBusError) in },
    ]) { proxy async throws in
      try await withThrowingTaskGroup(of: Void.self) { work in
        work.addTask { await queue.run() }
        async let first = proxy.call(Self.add, 1, 2)
        try await begun.first("the first call")
        try await withThrowingTaskGroup(of: Result<Int64, DBusError>.self) { group in
          for _ in 1...2 {
            group.addTask {
              do throws(DBusError) { return .success(try await proxy.call(Self.add, 3, 4)) } catch {
                return .failure(error)
              }
            }
          }
          #expect(try await group.next() == .failure(.limitsExceeded("too many calls wait for a reply")))
          try await proxy.call(Self.reset)
          #expect(begun.elements == [1])
          opening.finish()
          #expect(try await group.next() == .success(7))
        }
        #expect(try await first == 3)
        #expect(begun.elements == [1, 3])
        work.cancelAll()
      }
    }
  }

  @Test("A reply of other types than declared is an error that names the peer and the method")
  func invalidReply() async throws {
    let other = DBusMethod("Add", in: ["one": "i", "other": "i"], out: ["sum": "s"]) { _ in [.string("three")] }
    try await withProxy([other]) { proxy async throws in
      let error = await failure { _ = try await proxy.call(Self.add, 1, 2) }
      #expect(
        error == .failed("\(proxy.owner) sent an invalid reply to Add: Add has 's', which does not fit 'x'"))
    }
  }
}
