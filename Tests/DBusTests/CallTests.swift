import TestSupport
import Testing

@testable import DBus

@Suite struct `Method calls` {
  @Test func `a method is called with its arguments and returns its values`() async throws {
    try await LampTest.run { test in
      let sum = try await test.call("Add", [.int32(2), .int32(3)])
      #expect(sum == [.int64(5)])
      #expect(try await test.call("Echo", [.variant(.strings(["a"]))]) == [.variant(.strings(["a"]))])
      #expect(test.calls.elements.first?.sender == test.client.uniqueName)
    }
  }

  @Test(arguments: [
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
  func `an error has its standard name and a text`(
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

  @Test func `a wrong signature is told with both signatures`() async throws {
    try await LampTest.run { test in
      let error = await failure { try await test.call("Add", [.string("1"), .double(2)]) }
      #expect(error == .invalidArguments("method Add takes 'ii', not 'sd'"))
    }
  }

  @Test func `a call that asks for no reply gets none, and no error`() async throws {
    try await LampTest.run { test in
      var server = ObjectServer()
      try server.export(ServedObject(test.interfaces) { Lamp() }, at: .lamp)
      for member: MemberName in ["Echo", "Break", "Nothing"] {
        let arguments: [Value] = member == "Echo" ? [.variant(.byte(1))] : []
        let call = try Message.methodCall(to: test.service.uniqueName, at: .lamp, of: .lamp, member, arguments)
          .withoutReply()
          .numbered(1)
        let isAnswered = server.reply(to: call).isSome
        #expect(!isAnswered)
      }
      #expect(test.calls.elements.map(\.expectsReply) == [false, false])
    }
  }

  @Test func `a call may be answered later, from any thread, and others are answered before`() async throws {
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

  @Test func `a late reply of other types than declared is an error, and one to a call that wants none is not sent`()
    async throws
  {
    try await LampTest.run { test in
      async let error = failure { try await test.call("Wait", [.variant(.byte(1))]) }
      try await test.waiting.first("a call").element.reply(.success([.int32(1)]))
      #expect(await error?.message.contains(" ") == true)
      let ticket = ReplyTicket(serial: 1, caller: test.client.uniqueName, expectsReply: false, signature: "v")
      await test.service.answer(ticket, .success([.variant(.byte(1))]))
      #expect(try await test.call("Add", [.int32(2), .int32(3)]) == [.int64(5)])
    }
  }

  @Test func `a call without an interface finds the member on any`() async throws {
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

  @Test func `pipelined calls are answered in their order`() async throws {
    try await LampTest.run { test in
      for number in 0..<500 as Range<Int32> {
        try await test.client.send(
          on: test.service.uniqueName, at: .lamp, of: .lamp, "Echo", [.variant(.int32(number))])
      }
      try await test.call("Ping", interface: .peer)
      #expect(test.calls.elements.map(\.arguments) == (0..<500).map { [.variant(.int32($0))] })
    }
  }

  @Test func `a flood of ten thousand calls is answered whole`() async throws {
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

  @Test func `a call that nobody answers ends with its time-out`() async throws {
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

  @Test func `a cancelled call ends at once`() async throws {
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

  @Test func `outstanding calls are bounded`() async throws {
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
  /// Calls as only a foreign program does.
  fileprivate func callWithoutInterface(
    _ member: MemberName, _ arguments: [Value] = []
  ) async throws -> [Value] {
    try await client.callWithoutInterface(service.uniqueName, .lamp, member, arguments)
  }
}

extension Connection {
  fileprivate func callWithoutInterface(
    _ destination: BusName, _ path: ObjectPath, _ member: MemberName, _ arguments: [Value]
  ) async throws -> [Value] {
    let serial = try transmit(.methodCall(to: destination, at: path, of: nil, member, arguments))
    calls.expect(serial) {}
    return try await withCheckedContinuation { calls.wait(for: serial, $0) }.get()
  }
}
