import MPRISService
import TestSupport
import Testing

@testable import MediaPlayer

/// Tests of an `AVPlayer` that is served without a center.
@MainActor @Suite struct ServedPlayerTests {
  @Test("An AVPlayer is served by one line, with the name of its identity, and is retained")
  func service() {
    var player: AVPlayer? = AVPlayer()
    weak let reference = player
    let service = player.map { MPRISService(identity: "My Player", player: $0) }
    player = nil
    #expect(service?.name == "my_player" && reference != nil)
  }
}
