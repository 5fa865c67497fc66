import Benchmark

@testable import Playback

/// The edits and look-ups of a queue.
func measureQueue(of count: Int) {
  var machine = PlaybackMachine.playing(of: count)
  let items = machine.queue.items
  let now = MonotonicTime(nanoseconds: 1)
  Benchmark("queue of \(count): insert and remove an item") { benchmark in
    for _ in benchmark.scaledIterations {
      let item = Player.Item(uri: "file:///new")
      machine.decide(.insert(ItemList([item]), after: items[count / 2].id), now: now)
      machine.decide(.remove([item.id]), now: now)
      blackHole(machine.takeEffects())
    }
  }
  Benchmark("queue of \(count): find an item by its identifier") { benchmark in
    for iteration in benchmark.scaledIterations {
      blackHole(machine.queue.index(of: items[iteration &* 7919 % count].id))
    }
  }
  Benchmark("queue of \(count): next and previous item") { benchmark in
    for _ in benchmark.scaledIterations {
      machine.decide(.advance(by: 1), now: now)
      machine.decide(.advance(by: -1), now: now)
      blackHole(machine.takeEffects())
    }
  }
}

extension PlaybackMachine {
  /// A machine that plays the first of some items.
  static func playing(of count: Int) -> PlaybackMachine {
    var machine = PlaybackMachine(configuration: Player.Configuration())
    let now = MonotonicTime(nanoseconds: 0)
    let items = (0..<count).map { Player.Item(uri: "file:///\($0)") }
    machine.decide(.replaceQueue(ItemList(items), startingAt: 0, playOrder: nil), now: now)
    machine.decide(.play, now: now)
    let facts = StreamFacts(
      duration: .seconds(240), isSeekable: true, isLive: false, progress: machine.loaded.buffer.progress)
    machine.decide(.event(.settled(machine.token, facts)), now: now)
    machine.decide(.event(.audible(machine.token, at: .zero)), now: now)
    _ = machine.takeEffects()
    return machine
  }
}
