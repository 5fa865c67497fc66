import DBus
import Testing

@testable import MPRISService

@Suite("State of another player") struct RemoteStateTests {
  @Test("The published position is not a part of the state")
  func position() {
    let player = ["Volume": DBusValue.double(0.5)]
    let positioned = player.merging(["Position": .int64(1)]) { own, _ in own }
    let state = MPRISRemotePlayerState(root: [:], player: player)
    #expect(MPRISRemotePlayerState(root: [:], player: positioned) == state)
    #expect(state.volume == 0.5)
  }

  @Test("A new snapshot permits no rate but the normal one, and no amplification")
  func limits() {
    let snapshot = MPRISSnapshot()
    #expect((snapshot.minimumRate, snapshot.rate, snapshot.maximumRate) == (1, 1, 1))
    #expect((snapshot.volume, snapshot.maximumVolume) == (1, 1))
  }
}
