import TestSupport
import Testing

@testable import DBus

/// Tests of calls and signals with Swift types.
@Suite("Typed calls") struct TypedCallTests {
  private static let add = DBusMethodDeclaration("Add", in: ["one": "i", "other": "i"], out: ["sum": "x"])
  private static let describe = DBusMethodDeclaration("Describe", in: ["id": "u"], out: ["name": "s", "size": "d"])
  private static let refuse = DBusMethodDeclaration("Refuse", in: ["why": "s"])

  private static let rows = DBusInterface<Void>(
    "org.example.Typed",
    methods: [
      DBusMethod(add, calling: { (one: Int32, other: Int32) in Int64(one) + Int64(other) }),
      DBusMethod(describe, calling: { (id: UInt32) in ("lamp \(id)", 0.5) }),
      DBusMethod(refuse, calling: { (why: String) throws(DBusError) in throw .accessDenied(why) }),
    ])

  private func withProxy(_ body: @escaping @Sendable (DBusProxy) async throws -> Void) async throws {
    try await LampTest.run { test in
      try await test.service.export(at: "/typed", [Self.rows]) {}
      try await body(DBusProxy(Self.rows.name, at: "/typed", of: test.service.uniqueName, on: test.client))
    }
  }

  @Test("A function of Swift types serves a method, and a client calls it with Swift types")
  func calls() async throws {
    try await withProxy { proxy async throws in
      let sum: Int64 = try await proxy.call(Self.add, Int32(1), Int32(2))
      #expect(sum == 3)
      let (name, size): (String, Double) = try await proxy.call(Self.describe, UInt32(7))
      #expect(name == "lamp 7" && size == 0.5)
      #expect(await failure { try await proxy.perform(Self.refuse, "no") } == .accessDenied("no"))
    }
  }

  @Test("Arguments and results of other types than declared are errors")
  func mismatches() async throws {
    try await withProxy { proxy async throws in
      let arguments = await failure { let _: Int64 = try await proxy.call(Self.add, Int32(1), "2") }
      #expect(arguments == .invalidArguments("method Add takes 'ii', not 'is'"))
      let result = await failure { let _: String = try await proxy.call(Self.add, Int32(1), Int32(2)) }
      #expect(result == .invalidArguments("Add has 'x', which does not fit 's'"))
      let missing = await failure { let _: (Int64, Bool) = try await proxy.call(Self.add, Int32(1), Int32(2)) }
      #expect(missing == .invalidArguments("Add has 'x', which does not fit 'b'"))
    }
  }

  @Test("The arguments of a signal are read with Swift types")
  func signals() async throws {
    try await LampTest.run { test async throws in
      let lamp = DBusProxy(.lamp, at: .lamp, of: test.service.uniqueName, on: test.client)
      var signals = try await lamp.signals(DBusSignal("Flickered", ["times": "u", "why": "s"])).makeAsyncIterator()
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(3), .string("wind")])
      let signal = try #require(await signals.next())
      let (times, why): (UInt32, String) = try signal.contents()
      #expect(times == 3 && why == "wind")
      #expect(throws: DBusError.self) { let _: (String, String) = try signal.contents() }
    }
  }
}

extension TypedCallTests {
  @Test("The objects of an object manager are read with their properties")
  func managedObjects() async throws {
    try await LampTest.run { test async throws in
      let objects: DBusValue = .array(
        "{oa{sa{sv}}}",
        [
          .dictionaryEntry(
            .objectPath("/a"),
            .array("{sa{sv}}", [.dictionaryEntry(.string("org.example.A"), .dictionary([("B", .int32(1))]))]))
        ])
      let get = DBusMethod("GetManagedObjects", out: ["objects": "a{oa{sa{sv}}}"]) { _ in [objects] }
      try await test.service.export(at: "/", [DBusInterface<Void>(.objectManager, methods: [get])]) {}
      let managed = try await test.client.managedObjects(of: test.service.uniqueName, at: "/")
      #expect(managed == ["/a": ["org.example.A": ["B": .int32(1)]]])
      let error = await failure { _ = try await test.client.managedObjects(of: test.service.uniqueName, at: .lamp) }
      #expect(error?.name == "org.freedesktop.DBus.Error.UnknownInterface")
    }
  }
}

/// Tests of the conversions between Swift types and values.
@Suite("Conversions") struct ConvertibleTests {
  private enum Mode: String, DBusConvertible { case off, on }

  private func check<Content: DBusConvertible & Equatable>(_ content: Content, _ type: DBusSignature) throws {
    #expect(Content.dbusType == type)
    #expect(try content.dbusValue.encodedSize(as: type) > 0)
    #expect(Content(dbusValue: content.dbusValue) == content)
  }

  @Test("Each type maps to its signature and back")
  func types() throws {
    try check(UInt8(1), "y")
    try check(true, "b")
    try check(Int16(-1), "n")
    try check(UInt16(1), "q")
    try check(Int32(-1), "i")
    try check(UInt32(1), "u")
    try check(Int64(-1), "x")
    try check(UInt64.max, "t")
    try check(0.5, "d")
    try check("text", "s")
    try check(ObjectPath.lamp, "o")
    try check(DBusSignature("as"), "g")
    try check(Mode.on, "s")
    try check(["a", "b"], "as")
    try check([String](), "as")
    try check(["a": DBusValue.int32(1)], "a{sv}")
    try check([ObjectPath.lamp: ["org.example.A": ["B": DBusValue.boolean(true)]]], "a{oa{sa{sv}}}")
  }

  @Test("A number of another type is converted only if it fits")
  func numbers() {
    #expect(Int64(dbusValue: .uint32(5)) == 5)
    #expect(UInt8(dbusValue: .int64(256)) == nil)
    #expect(Double(dbusValue: .int32(2)) == 2)
    #expect(Int32(dbusValue: .string("2")) == nil)
    #expect(Mode(dbusValue: .string("dim")) == nil)
    #expect([Int32](dbusValue: .array("v", [.variant(.int32(1))])) == nil)
  }
}
