import EventLoop
import TestSupport
import Testing

@testable import DBus

/// Tests of properties whose setter replies later, and of properties that exist only in some states.
@Suite("Late and absent properties") struct LatePropertyTests {
  private struct State: Sendable {
    var level: Int64?
  }

  private let waiting = EventLog<(value: DBusValue, reply: DBusMethod.Reply)>()

  /// A lamp whose level is set later, and exists only if it has one.
  private var interface: DBusInterface<State> {
    let row = DBusProperty<State>("Level", "x") { .int64($0.level ?? -1) }
    return DBusInterface(
      .lamp,
      properties: [
        row.present { $0.level != nil }.writable(later: { [waiting] value, _, reply throws(DBusError) in
          guard value != .int64(-1) else { throw .invalidArguments("a level is not negative") }
          waiting.append((value, reply))
        })
      ])
  }

  @Test("Set is replied to later, and an error of its setter at once")
  func lateSetter() async throws {
    try await LampTest.run { test in
      try await test.service.export(at: "/late", [interface]) { State(level: 5) }
      let lamp = DBusProxy(.lamp, at: "/late", of: test.service.uniqueName, on: test.client)
      async let accepted: Void = lamp.setValue(of: "Level", to: .int64(6))
      let first = try await waiting.first("the first value").element
      #expect(first.value == .int64(6))
      #expect(try await lamp.getAll() == ["Level": .int64(5)])
      first.reply(.success([]))
      try await accepted
      async let refused = failure { try await lamp.setValue(of: "Level", to: .byte(7)) }
      let second = try await waiting.first("the second value", from: 1).element
      #expect(second.value == .int64(7))
      second.reply(.failure(.failed("the lamp is broken")))
      #expect(await refused == .failed("the lamp is broken"))
      #expect(
        await failure { try await lamp.setValue(of: "Level", to: .int64(-1)) }
          == .invalidArguments("a level is not negative"))
    }
  }

  @Test("An absent property is unknown, and its disappearance invalidates it")
  func absent() throws {
    let whole = interface.reading { (state: State?) in state ?? State() }
    for object in [try ServedObject([interface]) { State() }, try ServedObject([whole]) { State?.none }] {
      let all = try unsafe "org.example.Lamp".withCString { try unsafe object.getAll(of: $0) }
      #expect(all.isEmpty)
      let error = DBusError.unknownProperty("property Level does not exist at present")
      #expect(throws: error) {
        try unsafe "org.example.Lamp".withCString { interface in
          _ = try unsafe "Level".withCString { try unsafe object.get($0, of: interface) }
        }
      }
      let call = DBusCall(sender: .bus, member: "Set", arguments: [], expectsReply: true)
      #expect(throws: error) {
        try unsafe "org.example.Lamp".withCString { interface in
          _ = try unsafe "Level".withCString {
            try unsafe object.set($0, of: interface, to: .int64(1), by: call) { _ in }
          }
        }
      }
    }
    let tracker = ChangeTracker([interface], State())
    #expect(
      tracker.takeChanges(State(level: 1)) == [
        [.string("org.example.Lamp"), .dictionary([("Level", .int64(1))]), .strings([])]
      ])
    #expect(
      tracker.takeChanges(State()) == [[.string("org.example.Lamp"), .dictionary([]), .strings(["Level"])]])
    #expect(tracker.takeChanges(State()).isEmpty)
  }
}
