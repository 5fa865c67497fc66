import TestSupport
import Testing

@testable import DBus

@Suite("Method calls")
struct MethodCallTests {
  @Test("A method is called with its arguments and returns its values")
  func values() async throws {
    try await LampTest.run { test in
      let sum = try await test.call("Add", [.int32(2), .int32(3)])
      #expect(sum == [.int64(5)])
      #expect(try await test.call("Echo", [.variant(.strings(["a"]))]) == [.variant(.strings(["a"]))])
      #expect(test.calls.elements.first?.sender == test.client.uniqueName)
    }
  }

  @Test(
    "An error has its standard name and a text",
    arguments: [
      ("/org/example/Lamp", "org.example.Lamp", "Nothing", "UnknownMethod"),
      ("/org/example/Lamp", "org.example.Other", "Add", "UnknownInterface"),
      ("/org/example/Other", "org.example.Lamp", "Add", "UnknownObject"),
      ("/org/example", "org.example.Lamp", "Add", "UnknownObject"),
      ("/org/example/Lamp", "org.freedesktop.DBus.Properties", "Nothing", "UnknownMethod"),
      ("/org/example/Other", "org.freedesktop.DBus.Introspectable", "Introspect", "UnknownObject"),
      ("/org/example", "org.freedesktop.DBus.Properties", "GetAll", "InvalidArgs"),
      ("/org/example/Lamp", "org.example.Lamp", "Add", "InvalidArgs"),
      ("/org/example/Lamp", "org.example.Lamp", "Break", "NotSupported"),
      ("/org/example/Lamp", "org.example.Lamp", "Lie", "Failed"),
    ])
  func standardErrors(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ name: String
  ) async throws {
    try await LampTest.run { test in
      let error = await failure {
        try await test.call(member, interface: interface, path: path)
      }
      #expect(error?.name == "org.freedesktop.DBus.Error.\(name)")
      #expect(error?.message.contains(" ") == true)
    }
  }

  @Test("The error for a wrong signature contains both signatures")
  func wrongSignature() async throws {
    try await LampTest.run { test in
      let error = await failure { try await test.call("Add", [.string("1"), .double(2)]) }
      #expect(error == .invalidArguments("method Add takes 'ii', not 'sd'"))
    }
  }

  @Test("A call that expects no reply gets neither a reply nor an error")
  func withoutReply() async throws {
    try await LampTest.run { test in
      var server = ObjectServer()
      try server.export(ServedObject(test.interfaces) { Lamp() }, at: .lamp)
      for member: MemberName in ["Echo", "Break", "Nothing"] {
        let arguments: [DBusValue] = member == "Echo" ? [.variant(.byte(1))] : []
        let call = try Message.methodCall(to: test.service.uniqueName, at: .lamp, of: .lamp, member, arguments)
          .withoutReply()
          .numbered(1)
        let isAnswered = server.reply(to: call).isSome
        #expect(!isAnswered)
      }
      #expect(test.calls.elements.map(\.expectsReply) == [false, false])
    }
  }

  @Test("A call may be replied to later, from any thread, and other calls get their replies before")
  func laterReply() async throws {
    try await LampTest.run { test in
      async let first = test.call("Wait", [.variant(.string("a"))])
      async let second = failure { try await test.call("Wait", [.variant(.string("b"))]) }
      let waiting = try await [
        test.waiting.first("one call") { $0.arguments == [.variant(.string("a"))] },
        test.waiting.first("the other") { $0.arguments == [.variant(.string("b"))] },
      ].map(\.element)
      #expect(try await test.call("Add", [.int32(2), .int32(3)]) == [.int64(5)])
      waiting[1].reply(.failure(.limitsExceeded("too late for that")))
      #expect(await second == .limitsExceeded("too late for that"))
      waiting[0].reply(.success([.variant(.int32(1))]))
      #expect(try await first == [.variant(.int32(1))])
      let error = await failure { try await test.call("Refuse") }
      #expect(error == .accessDenied("no waiting here"))
    }
  }

  @Test("A late reply of undeclared types is an error, and no reply is sent to a call that expects none")
  func lateReply()
    async throws
  {
    try await LampTest.run { test in
      async let error = failure { try await test.call("Wait", [.variant(.byte(1))]) }
      try await test.waiting.first("a call").element.reply(.success([.int32(1)]))
      #expect(await error?.message.contains(" ") == true)
      try await test.client.send(on: test.service.uniqueName, at: .lamp, of: .lamp, "Wait", [.variant(.byte(2))])
      let silent = try await test.waiting.first("a call that expects no reply") {
        $0.arguments == [.variant(.byte(2))]
      }.element
      silent.reply(.success([.variant(.byte(2))]))
      #expect(try await test.call("Add", [.int32(2), .int32(3)]) == [.int64(5)])
    }
  }

  @Test("A call without an interface finds the member on any interface")
  func withoutInterface() async throws {
    try await LampTest.run { test in
      #expect(try await test.callWithoutInterface("Add", [.int32(1), .int32(2)]) == [.int64(3)])
      let name = try await test.callWithoutInterface("Get", [.string("org.example.Lamp"), .string("Name")])
      #expect(name == [.variant(.string("desk"))])
      #expect(try await test.callWithoutInterface("Introspect").first?.asString?.contains("Flickered") == true)
      #expect(try await test.callWithoutInterface("Ping") == [])
      let error = await failure { _ = try await test.callWithoutInterface("Nothing") }
      #expect(error == .unknownMethod("no method 'Nothing' on any interface of this object"))
    }
  }

  @Test("Replies to pipelined calls keep the order of the calls")
  func pipelining() async throws {
    try await LampTest.run { test in
      for number in 0..<500 as Range<Int32> {
        try await test.client.send(
          on: test.service.uniqueName, at: .lamp, of: .lamp, "Echo", [.variant(.int32(number))])
      }
      try await test.call("Ping", interface: .peer)
      #expect(test.calls.elements.map(\.arguments) == (0..<500).map { [.variant(.int32($0))] })
    }
  }

  @Test("Ten thousand concurrent calls all get their replies")
  func flood() async throws {
    try await LampTest.run { test in
      try await withThrowingTaskGroup(of: Int64?.self) { group in
        for sender in 0..<100 as Range<Int32> {
          group.addTask {
            var sum: Int64 = 0
            for number in 0..<100 as Range<Int32> {
              sum += try await test.call("Add", [.int32(sender), .int32(number)]).first?.asInt64 ?? 0
            }
            return sum
          }
        }
        let total = try await group.reduce(0) { $0 + ($1 ?? 0) }
        #expect(total == 2 * 100 * 4950)
      }
    }
  }

  @Test("A call without a reply times out")
  func timeout() async throws {
    try await LampTest.run { test in
      let silent = try await SilentPeer.connect(to: test.bus)
      defer { silent.close() }
      let error = await failure {
        _ = try await test.client.call(on: silent.name, at: "/", of: .lamp, "Wait", timeout: .milliseconds(20))
      }
      #expect(error?.name == "org.freedesktop.DBus.Error.NoReply")
      #expect(error?.message.contains("no reply within") == true)
    }
  }

  @Test("A cancelled call ends at once")
  func cancellation() async throws {
    try await LampTest.run { test in
      let silent = try await SilentPeer.connect(to: test.bus)
      defer { silent.close() }
      let call = Task { [name = silent.name] in
        await failure { _ = try await test.client.call(on: name, at: "/", of: .lamp, "Wait") }
      }
      call.cancel()
      #expect(await call.value?.message.contains("cancelled") == true)
    }
  }

  @Test("Outstanding calls are limited")
  func limit() async throws {
    try await LampTest.run { test in
      let silent = try await SilentPeer.connect(to: test.bus)
      defer { silent.close() }
      let errors = await withTaskGroup(of: DBusError?.self) { [name = silent.name] group in
        for _ in 0..<1100 {
          group.addTask {
            await failure { _ = try await test.client.call(on: name, at: "/", of: .lamp, "Wait") }
          }
        }
        var refused = 0
        while let error = await group.next() {
          #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
          refused += 1
          if refused == 1100 - 1024 { break }
        }
        group.cancelAll()
        return refused
      }
      #expect(errors == 1100 - 1024)
    }
  }
}

extension LampTest {
  /// Calls a method without an interface, which only foreign programs do.
  fileprivate func callWithoutInterface(
    _ member: MemberName, _ arguments: [DBusValue] = []
  ) async throws -> [DBusValue] {
    try await client.callWithoutInterface(service.uniqueName, .lamp, member, arguments)
  }
}

extension DBusConnection {
  fileprivate func callWithoutInterface(
    _ destination: BusName, _ path: ObjectPath, _ member: MemberName, _ arguments: [DBusValue]
  ) async throws -> [DBusValue] {
    try await outcome(on: destination, at: path, of: nil, member, arguments).result.get()
  }
}
