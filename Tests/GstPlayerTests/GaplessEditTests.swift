import GstPlayer
import TestSupport
import Testing

@Suite(
  "Queue edits after prerolling, by their samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct GaplessEditTests {
  /// The length in samples; the successor is prerolled about 1 s before the end.
  private static let length = 70_001

  /// An edit of a queue of three items during the first one, and the items expected after the first one.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var recorded: [Int]
    var apply: @Sendable (Player, [Player.Item]) -> Void

    static let all = [
      Edit(testDescription: "insert after the current item", recorded: [3, 1, 2]) { player, items in
        player.insert(contentsOf: [items[3]], after: items[0].id)
      },
      Edit(testDescription: "remove the successor", recorded: [2]) { player, items in player.remove(items[1].id) },
      Edit(testDescription: "move the successor to the end", recorded: [2, 1]) { player, items in
        player.remove(items[1].id)
        player.append(contentsOf: [items[1]])
      },
      Edit(testDescription: "remove all that follows", recorded: []) { player, items in
        player.remove(items[1].id)
        player.remove(items[2].id)
      },
      Edit(testDescription: "replace the successor", recorded: [3, 2]) { player, items in
        player.remove(items[1].id)
        player.insert(contentsOf: [items[3]], after: items[0].id)
      },
      Edit(testDescription: "insert, and remove what was inserted", recorded: [1, 2]) { player, items in
        player.insert(contentsOf: [items[3]], after: items[0].id)
        player.remove(items[3].id)
      },
    ]
  }

  private func sources() async throws -> (uris: [String], samples: [[Int16]]) {
    let paths = try await Media.continuousSine(parts: 4, samplesPerPart: Self.length)
    let samples = try await Media.continuousSine(parts: 4, samplesPerPart: Self.length, format: .wav)
    return (paths.map(fileURI), try samples.map { try GstPlayerTests.samples(ofWAV: $0) })
  }

  @Test(
    "An edit after prerolling repeats and loses no sample, and the new next item follows", arguments: Edit.all,
    [700, 1200])
  func edits(edit: Edit, milliseconds: Int) async throws {
    let (uris, samples) = try await sources()
    try await withTappedPlayer([]) { harness, tap in
      let items = uris.map(Player.Item.init(uri:))
      harness.player.replaceQueue(with: Array(items.prefix(3)))
      let player = harness.player
      let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(milliseconds)]) { crossing in
        if crossing.item == items[0] { edit.apply(player, items) }
      }
      try await harness.playToEnd()
      observation.cancel()
      let expected = ([0] + edit.recorded).flatMap { samples[$0] }
      expectSamples(try tap.recorded(), expected)
      let ended = harness.events.elements.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
      #expect(ended == ([0] + edit.recorded).map { items[$0] })
    }
  }
}
