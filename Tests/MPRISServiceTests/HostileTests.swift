import DBus
import MPRISService
import TestSupport
import Testing

/// Tests of calls that no regular client makes: each gets a reply, and the service continues.
@Suite struct HostileTests {
  @Test("Every method and property replies to any arguments, with an error that names the fault")
  func anyArguments() async throws {
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
