import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// A caller that makes random calls to a player, and retains the observations and streams it gets.
struct StressCaller {
  private let player: Player
  private let uris: [String]
  private var random: SeededGenerator
  private var observations: [Player.Observer] = []
  private var streams: [AsyncStream<Player.Event>] = []

  init(_ player: Player, _ uris: [String], seed: UInt64) {
    self.player = player
    self.uris = uris
    random = SeededGenerator(seed: seed)
  }

  /// Makes one random call.
  mutating func callOnce() async {
    switch random.next(below: 10) {
    case 0...2: transport()
    case 3: await seek()
    case 4, 5: edit()
    case 6: set()
    case 7: choose()
    case 8: observe()
    default: await read()
    }
  }

  private mutating func isOne(in count: UInt64) -> Bool { random.next(below: count) == 0 }

  private mutating func milliseconds(below limit: UInt64) -> Duration {
    .milliseconds(Int(random.next(below: limit)))
  }

  /// Returns a plain item, an item with external metadata, or an item with a range of its media.
  private mutating func item() -> Player.Item {
    let uri = uris[Int(random.next(below: UInt64(uris.count)))]
    switch random.next(below: 4) {
    case 0:
      var externalMetadata = Player.Item.ExternalMetadata()
      externalMetadata.title = "A hint"
      externalMetadata.duration = milliseconds(below: 6000)
      return Player.Item(uri: uri, externalMetadata: externalMetadata)
    case 1:
      let start = milliseconds(below: 3000)
      let end = isOne(in: 2) ? start + milliseconds(below: 2000) : nil
      return Player.Item(uri: uri, externalMetadata: nil, start: start, end: end)
    default: return Player.Item(uri: uri)
    }
  }

  private mutating func transport() {
    switch random.next(below: 9) {
    case 0, 1: player.play()
    case 2: player.pause(fading: isOne(in: 2))
    case 3: if isOne(in: 10) { player.stop() }
    case 4: player.advanceToNextItem()
    case 5: player.returnToPreviousItem()
    case 6: player.playImmediately(atRate: isOne(in: 2) ? 1 : 2)
    case 7: player.load()
    default: if let item = player.items.first { player.play(item: item.id) }
    }
  }

  private mutating func seek() async {
    let target = milliseconds(below: 6000)
    switch random.next(below: 6) {
    case 0: player.cancelPendingSeeks()
    case 1: _ = await player.seek(to: target, within: .infinity).isCompleted
    case 2: _ = await player.seek(to: target).isCompleted
    default: player.seek(to: target)
    }
  }

  private mutating func edit() {
    let item = item()
    let (items, index) = player.queue
    let current = index.map { items[$0].id }
    switch random.next(below: 8) {
    case 0, 1: if items.count < 50 { player.insert(contentsOf: [item], after: isOne(in: 2) ? current : nil) }
    case 2: if items.count < 50 { player.prepend(contentsOf: [item]) }
    case 3: if let current { player.remove(current) }
    case 4: if let last = items.last { player.remove(last.id) }
    case 5: player.replaceQueue(with: [item, Player.Item(uri: uris[0])], startingAt: 1, playOrder: [1, 0])
    case 6: player.replaceQueue(with: parts(of: item.uri))
    default: player.replaceQueue(with: items.reversed(), playOrder: player.playOrder)
    }
  }

  /// Returns items that play adjacent ranges.
  private func parts(of uri: String) -> [Player.Item] {
    let bounds: [Duration] = [.zero, .milliseconds(200), .milliseconds(900)]
    return bounds.indices.map { index in
      let end = index + 1 < bounds.count ? bounds[index + 1] : nil
      return Player.Item(uri: uri, externalMetadata: nil, start: bounds[index], end: end)
    }
  }

  private mutating func set() {
    switch random.next(below: 9) {
    case 0: player.rate = isOne(in: 2) ? 1 : 1.5
    case 1: player.defaultRate = isOne(in: 2) ? nil : 2
    case 2: player.volume = Double(random.next(below: 100)) / 100
    case 3: player.isMuted = isOne(in: 2)
    case 4: player.automaticallyWaitsToMinimizeStalling = isOne(in: 2)
    case 5: player.preferredForwardBufferDuration = isOne(in: 2) ? nil : .seconds(1)
    case 6: player.networkTimeout = .seconds(isOne(in: 2) ? 1 : 60)
    case 7: player.loop = Player.LoopMode.allCases[Int(random.next(below: 3))]
    default: player.isShuffled = isOne(in: 2)
    }
  }

  private mutating func choose() {
    switch random.next(below: 6) {
    case 0: player.preferredAudioLanguages = isOne(in: 2) ? [] : ["de", "en"]
    case 1, 2: player.selectAudioTrack(at: Int(random.next(below: 3)))
    case 3, 4:
      let actions = Player.ActionAtItemEnd.allCases
      player.actionAtItemEnd = actions[Int(random.next(below: UInt64(actions.count)))]
    default:
      // Another output requires another pipeline.
      guard isOne(in: 8) else { return }
      let other = AudioOutput(id: "other", name: "Other", isDefault: false, sinkDescription: "fakesink sync=true")
      player.audioOutput = isOne(in: 2) ? nil : other
    }
  }

  private mutating func observe() {
    let player = player
    switch random.next(below: 9) {
    case 0: keep(try? player.addPeriodicTimeObserver(forInterval: .milliseconds(20)) { _ in _ = player.snapshot })
    case 1: keep(try? player.addBoundaryTimeObserver(forTimes: [.zero, .milliseconds(300)]) { _ in })
    case 2: keep(try? player.addBoundaryTimeObserver(forFractions: [0, 0.5, 1]) { _ in player.isMuted = false })
    case 3: keep(try? player.addBoundaryTimeObserver(forTimeRemaining: .milliseconds(500)) { _ in })
    case 4: keep(player.addEventObserver { _, _ in _ = player.snapshot })
    case 5: if streams.count < 5 { streams.append(player.events()) } else { streams.removeFirst() }
    case 6: observations.last?.cancel()
    default: if !observations.isEmpty { observations.removeFirst() }
    }
  }

  private mutating func keep(_ observation: Player.Observer?) {
    guard let observation else { return }
    observations.append(observation)
  }

  /// Reads one snapshot and checks that its values are consistent.
  private mutating func read() async {
    guard !isOne(in: 10) else { return await readState() }
    let seen = player.snapshot
    #expect(seen.position >= .zero)
    if let duration = seen.duration { #expect(seen.position <= duration) }
    #expect((seen.currentItem == nil) == (seen.itemCount == 0))
    #expect(seen.currentIndex.map { (0..<seen.itemCount).contains($0) } ?? true)
    #expect(seen.currentChapterIndex.map { seen.chapters.indices.contains($0) } ?? true)
    #expect(seen.transport == .playing || seen.timeControlStatus == .paused)
    #expect(seen.isPlaybackBufferFull == seen.isPlaybackLikelyToKeepUp)
    #expect(seen.loadedTimeRanges.count <= 1 && seen.seekableTimeRanges.count <= 1)
    #expect(seen.volume <= 1 && Player.rateRange.contains(seen.rate))
  }

  @Player.StateActor private func readState() {
    let state = player.state
    #expect(state.reasonForWaitingToPlay == nil || state.timeControlStatus != .playing)
    #expect(state.chapters.count <= 3)
  }
}
