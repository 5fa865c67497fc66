import DBus
import Testing

@testable import PlayerdService

@Suite("Registration at Bluetooth adapters")
struct BluetoothRegistrationTests {
  private func steps(_ events: [BluetoothRegistration.Event]) -> [BluetoothRegistration.Step] {
    var registration = BluetoothRegistration()
    return events.flatMap { registration.steps(for: $0) }
  }

  @Test("The player is registered once at each adapter, also before it plays, and again after an adapter has returned")
  func adapters() {
    #expect(
      steps([.added("/a"), .added("/b"), .added("/a"), .playing(true), .removed("/a"), .added("/a")])
        == [.register("/a"), .register("/b"), .register("/a")])
  }

  @Test("Another player that starts to play has the buttons, until this one starts to play")
  func others() {
    #expect(
      steps([
        .added("/b"), .added("/a"), .playing(true), .otherPlays, .otherPlays, .playing(true), .playing(false),
        .playing(true),
      ]) == [
        .register("/b"), .register("/a"), .unregister("/a"), .unregister("/b"), .register("/a"), .register("/b"),
      ])
  }

  @Test("An adapter that appears while another player has the buttons is used when this one starts to play")
  func later() {
    #expect(steps([.otherPlays, .added("/a"), .removed("/a"), .added("/b")]).isEmpty)
    #expect(steps([.otherPlays, .added("/a"), .removed("/a"), .added("/b"), .playing(true)]) == [.register("/b")])
  }
}
