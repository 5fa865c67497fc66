import DBus
import MPRISService
import TestSupport
import Testing

/// Calls that no decent client makes: each is answered, and the service goes on.
@Suite struct HostileTests {
  @Test func `Every method and property survives whatever it is called with, and says what is wrong`() async throws {
    let fake = FakePlayer()
    try await withServedPlayer(fake, as: FakeJukebox(fake)) { served in
      let object = try await Introspected(ServedPlayer.name, MPRISService.path, over: served.client)
      #expect(object.interfaces.count == 7 && object.methods.count > 20 && object.properties.count == 27)
      let calls = HostileCall.all(for: object, sparing: [])
      let faults = await hostileAnswers(calls, to: ServedPlayer.name, MPRISService.path, over: served.client)
      #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      #expect(try await served.getAll().count == 15)
      for command in fake.commands {
        if case .open(let text) = command { #expect(text.utf8.count < 1 << 16) }
      }
    }
  }
}
