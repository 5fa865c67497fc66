import TestSupport
import Testing

@testable import GstPlayer

/// Random commands to a player with short items, and waits for natural changes between them.
struct ShortItemStorm {
  private let harness: PlayerHarness
  private let uris: [String]
  private var random: SeededGenerator
  /// The number of events that were checked.
  private var checked = 0

  init(_ harness: PlayerHarness, _ uris: [String], seed: UInt64) {
    self.harness = harness
    self.uris = uris
    random = SeededGenerator(seed: seed)
  }

  /// Makes random calls, and expects that no item fails and that the player reports no warning.
  mutating func run(_ count: Int) async throws {
    harness.player.loop = .playlist
    for _ in 0..<count {
      command()
      switch random.next(below: 8) {
      case 0: try await change()
      case 1, 2: try await event()
      case 3: await Task.yield()
      default: break
      }
    }
    check()
  }

  /// Expects that the player plays its items in their order.
  mutating func playsOn() async throws {
    let player = harness.player
    player.rate = 1
    player.replaceQueue(with: harness.items)
    for _ in 0..<3 { try await change() }
    check()
  }

  private mutating func check() {
    let unexpected = harness.events.elements.dropFirst(checked).filter {
      switch $0 {
      case .warning, .itemFailed, .outputFailed: true
      default: false
      }
    }
    checked = harness.events.count
    // The issue has a text, because an exit test reports nothing else of its expectations.
    if !unexpected.isEmpty { Issue.record("the player reported \(unexpected)") }
  }

  /// Plays to the next change of the current item.
  private func change() async throws {
    let place = harness.events.count
    harness.player.play()
    try await harness.events.first("a change", from: place, within: 30) {
      switch $0 {
      case .currentItemChanged, .itemRepeated: true
      default: false
      }
    }
  }

  /// Plays to the next event.
  private func event() async throws {
    let place = harness.events.count
    harness.player.play()
    try await harness.events.first("an event", from: place, within: 30) { _ in true }
  }

  private mutating func command() {
    let player = harness.player
    switch random.next(below: 20) {
    case 0...6: player.advanceToNextItem()
    case 7, 8: player.returnToPreviousItem()
    case 9...11: player.seek(to: .milliseconds(Int(random.next(below: 250))))
    case 12: player.pause()
    case 13, 14: player.play()
    case 15: player.rate = [0.5, 1, 1.5, 2, 4][Int(random.next(below: 5))]
    case 16:
      player.stop()
      player.play()
    default: edit()
    }
  }

  private mutating func edit() {
    let player = harness.player
    let (items, index) = player.queue
    let item = Player.Item(uri: uris[Int(random.next(below: UInt64(uris.count)))])
    switch random.next(below: 5) {
    case 0, 1: if items.count < 50 { player.insert(contentsOf: [item], after: index.map { items[$0].id }) }
    case 2: if items.count > 3, let last = items.last { player.remove(last.id) }
    case 3: if items.count > 3, let index { player.remove(items[index].id) }
    default: player.replaceQueue(with: harness.items.shuffled(using: &random))
    }
  }
}
