import GstPlayer
import TestSupport
import Testing

/// Many callers at once: nothing hangs, and the player is as good as new afterwards.
@Suite("Many callers")
struct StressTests {
  @Test("Ten thousand random calls from eight tasks, and then a file plays to its end")
  func randomCalls() async throws {
    let long = try await Media.sine(seconds: 5, format: .flac)
    let short = try await Media.sine(seconds: 1, format: .ogg)
    let uris = ["file://\(long)", "file://\(short)", "file://\(Media.missing)"]
    let player = Player(configuration: PlayerConfiguration(audioSink: "fakesink sync=true"))
    try await deadline(120, "the calls return") {
      await withTaskGroup(of: Void.self) { group in
        for seed in 1...8 {
          group.addTask {
            var random = Randomness(state: UInt64(seed))
            var observations: [PlayerObservation] = []
            for _ in 0..<1250 { Self.call(player, uris, &random, &observations) }
          }
        }
      }
    }
    let last = PlayerItem(uri: "file://\(short)")
    let events = player.events()
    player.setRate(1)
    player.setLoop(.none)
    player.stop()
    player.replaceQueue(with: [last])
    player.play()
    try await deadline(60, "the last file plays to its end") {
      for await event in events where event == .itemDidPlayToEnd(last) { return }
    }
    await player.close()
  }

  private static func call(
    _ player: Player, _ uris: [String], _ random: inout Randomness, _ observations: inout [PlayerObservation]
  ) {
    let item = PlayerItem(uri: uris[Int(random.next(below: 3))])
    switch random.next(below: 18) {
    case 0: player.play()
    case 1: player.pause()
    case 2: if random.next(below: 10) == 0 { player.stop() }
    case 3: player.next()
    case 4: player.previous()
    case 5, 6: player.seek(to: .milliseconds(Int(random.next(below: 6000))))
    case 7: player.setRate(random.next(below: 2) == 0 ? 1 : 1.5)
    case 8: player.setVolume(Double(random.next(below: 100)) / 100)
    case 9: player.setLoop(LoopMode.allCases[Int(random.next(below: 3))])
    case 10: player.setShuffled(random.next(below: 2) == 0)
    case 11: if player.snapshot.itemCount < 50 { player.insert([item]) }
    case 12: if let current = player.snapshot.currentItem { player.remove(current.id) }
    case 13: if let current = player.snapshot.currentItem { player.insert([item], after: current.id) }
    case 14: player.replaceQueue(with: [item, PlayerItem(uri: uris[0])])
    case 15:
      if let observation = try? player.addPeriodicTimeObserver(forInterval: .milliseconds(20), using: { _ in }) {
        observations.append(observation)
      }
    case 16: if !observations.isEmpty { observations.removeLast() }
    default: #expect(player.snapshot.position >= .zero)
    }
  }
}

/// A sequence that is the same in every run (xorshift).
private struct Randomness {
  var state: UInt64

  mutating func next(below limit: UInt64) -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state % limit
  }
}
