import GstPlayer
import TestSupport
import Testing

@Suite(
  "Queue edits in the hand-over, counted in samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct GaplessEditTests {
  /// Long enough that the successor is handed over a second before the end.
  private static let length = 70_001

  /// An edit of a queue of three items while the first one plays, and what is heard after the first one.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var heard: [Int]
    var apply: @Sendable (Player, [PlayerItem]) -> Void

    static let all = [
      Edit(testDescription: "insert after the current item", heard: [3, 1, 2]) { player, items in
        player.insert([items[3]], after: items[0].id)
      },
      Edit(testDescription: "remove the successor", heard: [2]) { player, items in player.remove(items[1].id) },
      Edit(testDescription: "move the successor to the end", heard: [2, 1]) { player, items in
        player.remove(items[1].id)
        player.insert([items[1]])
      },
      Edit(testDescription: "remove all that follows", heard: []) { player, items in
        player.remove(items[1].id)
        player.remove(items[2].id)
      },
      Edit(testDescription: "replace the successor", heard: [3, 2]) { player, items in
        player.remove(items[1].id)
        player.insert([items[3]], after: items[0].id)
      },
      Edit(testDescription: "insert, and remove what was inserted", heard: [1, 2]) { player, items in
        player.insert([items[3]], after: items[0].id)
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
    "An edit in the hand-over repeats and loses no sample, and what it puts next follows", arguments: Edit.all,
    [700, 1000, 1300, 1500])
  func edits(edit: Edit, milliseconds: Int) async throws {
    let (uris, samples) = try await sources()
    try await withTappedPlayer([]) { stage, tap in
      let items = uris.map(PlayerItem.init(uri:))
      stage.player.replaceQueue(with: Array(items.prefix(3)))
      let player = stage.player
      let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(milliseconds)]) { crossing in
        if crossing.item == items[0] { edit.apply(player, items) }
      }
      try await stage.playOut()
      observation.cancel()
      let expected = ([0] + edit.heard).flatMap { samples[$0] }
      #expect(difference(try tap.heard(), expected) == nil)
      let ended = stage.events.elements.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
      #expect(ended == ([0] + edit.heard).map { items[$0] })
    }
  }
}
