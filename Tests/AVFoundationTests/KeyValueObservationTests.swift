import AVFoundation
import TestSupport
import Testing

/// Tests of key-value observation with a property that changes at once.
@MainActor
struct KeyValueObservationTests {
  private let log = EventLog<String>()

  private func observe(
    _ player: AVPlayer, _ options: NSKeyValueObservingOptions
  ) -> NSKeyValueObservation {
    player.observe(\.isMuted, options: options) { [log] player, change in
      let (old, new) = (change.oldValue.map { "\($0)" } ?? "-", change.newValue.map { "\($0)" } ?? "-")
      log.append("\(change.isPrior ? "prior " : "")\(old) \(new) \(player.isMuted)")
    }
  }

  /// The options, and the expected calls when `isMuted` becomes true.
  nonisolated private static let optionRows: [(NSKeyValueObservingOptions, [String])] = [
    ([], ["- - true"]), ([.new], ["- true true"]), ([.old], ["false - true"]), ([.old, .new], ["false true true"]),
    ([.initial], ["- - false", "- - true"]), ([.initial, .new, .old], ["- false false", "false true true"]),
    ([.prior, .new, .old], ["prior false - true", "false true true"]),
  ]

  @Test("The options of an observation decide its calls and their values", arguments: optionRows)
  func options(options: NSKeyValueObservingOptions, expected: [String]) {
    let player = AVPlayer()
    let observation = observe(player, options)
    player.isMuted = true
    #expect(log.elements == expected)
    observation.invalidate()
  }

  @Test("Setting an equal value is not reported")
  func equalValue() {
    let player = AVPlayer()
    let observation = observe(player, [.new])
    player.isMuted = false
    #expect(log.elements.isEmpty)
    observation.invalidate()
  }

  @Test("An observation ends when it is invalidated or released")
  func end() {
    let player = AVPlayer()
    let first = observe(player, [.new])
    var second: NSKeyValueObservation? = observe(player, [.old])
    first.invalidate()
    player.isMuted = true
    #expect(log.elements == ["false - true"])
    withExtendedLifetime(second) {}
    second = nil
    player.isMuted = false
    #expect(log.elements.count == 1)
  }

  @Test("An observer that sets a property in its call receives the next change after the present one")
  func nestedChange() {
    let player = AVPlayer()
    let setter = player.observe(\.isMuted) { player, _ in player.isMuted = false }
    let observation = observe(player, [.old, .new])
    player.isMuted = true
    // The second observer reads the property after the first has reset it, so both changes cancel out.
    #expect(log.elements.isEmpty)
    #expect(!player.isMuted)
    setter.invalidate()
    observation.invalidate()
  }

  @Test("A change by another thread is reported on the main queue")
  func otherThread() async throws {
    let player = AVPlayer()
    let log = log
    let observation = player.observe(\.volume, options: [.new]) { _, change in
      MainActor.assertIsolated()
      log.append("\(change.newValue ?? -1)")
    }
    await Task.detached { player.volume = 0.5 }.value
    try await log.first("the volume", within: 10) { $0 == "0.5" }
    observation.invalidate()
  }

  @Test("An optional object, an optional error and a key path through an optional are compared")
  func optionals() async throws {
    try await withSilentPlayers {
      let player = AVPlayer()
      let log = log
      let observations = [
        player.observe(\.currentItem) { player, _ in log.append(player.currentItem == nil ? "no item" : "item") },
        player.observe(\.error) { _, _ in log.append("error") },
        player.observe(\.currentItem?.forwardPlaybackEndTime) { _, _ in log.append("end") },
      ]
      player.replaceCurrentItem(with: AVPlayerItem(url: try await sine(1)))
      player.volume = 0.5
      #expect(log.elements == ["item", "end"])
      player.replaceCurrentItem(with: nil)
      #expect(log.elements == ["item", "end", "no item", "end"])
      for observation in observations { observation.invalidate() }
    }
  }

  @Test("Observation announces a change of a property that was read, if it was enabled before the player was created")
  func observation() {
    func changes(_ player: AVPlayer) -> Int {
      let log = EventLog<Bool>()
      withObservationTracking {
        _ = player.isMuted
      } onChange: {
        log.append(true)
      }
      player.volume = 0.5
      #expect(log.count == 0)
      player.isMuted = true
      return log.count
    }
    let before = AVPlayer()
    AVPlayer.isObservationEnabled = true
    defer { AVPlayer.isObservationEnabled = false }
    #expect(changes(AVPlayer()) == 1)
    #expect(changes(before) == 0)
  }
}
