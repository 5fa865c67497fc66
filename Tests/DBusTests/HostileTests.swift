import TestSupport
import Testing

@testable import DBus

@Suite("Hostile peers")
struct HostilePeerTests {
  @Test(
    "A standard method with invalid arguments returns an error with a short text",
    arguments: ["Get", "GetAll", "Set", "Introspect", "Ping", "GetMachineId", "Nothing"] as [MemberName])
  func invalidArguments(_ member: MemberName) async throws {
    let long = String(repeating: "ä", count: 1 << 19)
    let deep = (0..<60).reduce(DBusValue.byte(1)) { value, _ in .variant(value) }
    try await LampTest.run { test in
      let lists: [[DBusValue]] = [
        [.string(long)], [.string(long), .string(long)], [.string(long), .string(long), .variant(.string(long))],
        [deep],
        [.string("org.example.Lamp"), .string(long)], [.strings(Array(repeating: "", count: 100_000))],
        [.string("org.example.Lamp"), .string("Level"), deep], [.string("\u{FFFF}"), .string("%s%n")],
        [.string("org.example.Lamp"), .string("Level"), .variant(.strings([long]))],
      ]
      for interface: InterfaceName in [.properties, .introspectable, .peer, .lamp, "no.such.Interface"] {
        for arguments in lists {
          let error = await failure {
            try await test.call(member, arguments, interface: interface)
          }
          #expect(error?.name.hasPrefix("org.freedesktop.DBus.Error.") == true)
          #expect((error?.message.utf8.count ?? .max) < 600)
        }
      }
      let level = try await test.get("Level")
      #expect(level == .int64(5))
    }
  }

  @Test("A string of one mebibyte is echoed completely")
  func longString() async throws {
    let text = String(repeating: "x", count: 1 << 20)
    try await LampTest.run { test in
      let echo = try await test.call("Echo", [.variant(.string(text))])
      #expect(echo == [.variant(.string(text))])
    }
  }

  @Test("A value nested as deeply as D-Bus allows is echoed completely")
  func deepValue() async throws {
    let deep = (0..<64).reduce(DBusValue.byte(1)) { value, _ in .variant(value) }
    try await LampTest.run { test in
      let echo = try await test.call("Echo", [deep])
      #expect(echo == [deep])
    }
  }

  @Test("An array that would decode to gigabytes is rejected, and the next call gets its reply")
  func hugeArray() async throws {
    let bytes = DBusValue.array("y", Array(repeating: .byte(0), count: MessageReader.mostValues))
    try await LampTest.run { test in
      let error = await failure { try await test.call("Echo", [.variant(bytes)]) }
      #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
      try await test.call("Ping", interface: .peer)
    }
  }

  @Test("A peer that never reads its replies does not delay others")
  func silentPeer() async throws {
    try await LampTest.run { test in
      let silent = try await SilentPeer.connect(to: test.bus)
      defer { silent.close() }
      for number in 0..<2000 as Range<UInt32> {
        try await test.service.emit(
          "Flickered", of: .lamp, at: .lamp, [.uint32(number), .string(String(repeating: "x", count: 1000))],
          to: silent.name)
      }
      #expect(try await test.get("Level") == .int64(5))
    }
  }
}
