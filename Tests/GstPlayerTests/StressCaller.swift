import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Calls a player at random, and keeps what it gets.
struct StressCaller {
  private let player: Player
  private let uris: [String]
  private var random: SeededGenerator
  private var observations: [PlayerObservation] = []
  private var streams: [AsyncStream<PlayerEvent>] = []

  init(_ player: Player, _ uris: [String], seed: UInt64) {
    self.player = player
    self.uris = uris
    random = SeededGenerator(seed: seed)
  }

  /// One call of any kind.
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

  /// An item as it is, with hints, or a part of its media.
  private mutating func item() -> PlayerItem {
    let uri = uris[Int(random.next(below: UInt64(uris.count)))]
    switch random.next(below: 4) {
    case 0:
      var hints = ItemHints()
      hints.title = "A hint"
      hints.duration = milliseconds(below: 6000)
      return PlayerItem(uri: uri, hints: hints)
    case 1:
      let start = milliseconds(below: 3000)
      let end = isOne(in: 2) ? start + milliseconds(below: 2000) : nil
      return PlayerItem(uri: uri, hints: nil, start: start, end: end)
    default: return PlayerItem(uri: uri)
    }
  }

  private mutating func transport() {
    switch random.next(below: 9) {
    case 0, 1: player.play()
    case 2: if isOne(in: 2) { player.pause() } else { player.pauseAtOnce() }
    case 3: if isOne(in: 10) { player.stop() }
    case 4: player.next()
    case 5: player.previous()
    case 6: player.playImmediately(atRate: isOne(in: 2) ? 1 : 2)
    case 7: player.prepare()
    default: if let item = player.items.first { player.play(item.id) }
    }
  }

  private mutating func seek() async {
    let target = milliseconds(below: 6000)
    switch random.next(below: 6) {
    case 0: player.cancelPendingSeeks()
    case 1: await player.seek(to: target, within: .infinity)
    case 2: await player.seek(to: target)
    default: seekUnawaited(target)
    }
  }

  private func seekUnawaited(_ target: Duration) { player.seek(to: target) }

  private mutating func edit() {
    let item = item()
    let (items, index) = player.queue
    let current = index.map { items[$0].id }
    switch random.next(below: 8) {
    case 0, 1: if items.count < 50 { player.insert([item], after: isOne(in: 2) ? current : nil) }
    case 2: if items.count < 50 { player.insertAtStart([item]) }
    case 3: if let current { player.remove(current) }
    case 4: if let last = items.last { player.remove(last.id) }
    case 5: player.replaceQueue(with: [item, PlayerItem(uri: uris[0])], startingAt: 1, playOrder: [1, 0])
    case 6: player.replaceQueue(with: parts(of: item.uri))
    default: player.replaceQueue(with: items.reversed(), playOrder: player.playOrder)
    }
  }

  /// Parts that meet.
  private func parts(of uri: String) -> [PlayerItem] {
    let bounds: [Duration] = [.zero, .milliseconds(200), .milliseconds(900)]
    return bounds.indices.map { index in
      let end = index + 1 < bounds.count ? bounds[index + 1] : nil
      return PlayerItem(uri: uri, hints: nil, start: bounds[index], end: end)
    }
  }

  private mutating func set() {
    switch random.next(below: 9) {
    case 0: player.setRate(isOne(in: 2) ? 1 : 1.5)
    case 1: player.setDefaultRate(isOne(in: 2) ? nil : 2)
    case 2: player.setVolume(Double(random.next(below: 100)) / 100)
    case 3: player.setMuted(isOne(in: 2))
    case 4: player.setAutomaticallyWaitsToMinimizeStalling(isOne(in: 2))
    case 5: player.setPreferredForwardBufferDuration(isOne(in: 2) ? nil : .seconds(1))
    case 6: player.setNetworkTimeout(.seconds(isOne(in: 2) ? 1 : 60))
    case 7: player.setLoop(LoopMode.allCases[Int(random.next(below: 3))])
    default: player.setShuffled(isOne(in: 2))
    }
  }

  private mutating func choose() {
    switch random.next(below: 6) {
    case 0: player.setPreferredAudioLanguages(isOne(in: 2) ? [] : ["de", "en"])
    case 1, 2: player.selectAudioTrack(at: Int(random.next(below: 3)))
    case 3, 4:
      let actions = Player.ActionAtItemEnd.allCases
      player.setActionAtItemEnd(actions[Int(random.next(below: UInt64(actions.count)))])
    default:
      // Another output is another pipeline.
      guard isOne(in: 8) else { return }
      let other = AudioOutput(id: "other", name: "Other", isDefault: false, sinkDescription: "fakesink sync=true")
      player.setAudioOutput(isOne(in: 2) ? nil : other)
    }
  }

  private mutating func observe() {
    let player = player
    switch random.next(below: 9) {
    case 0: keep(try? player.addPeriodicTimeObserver(forInterval: .milliseconds(20)) { _ in _ = player.snapshot })
    case 1: keep(try? player.addBoundaryTimeObserver(forTimes: [.zero, .milliseconds(300)]) { _ in })
    case 2: keep(try? player.addBoundaryTimeObserver(forFractions: [0, 0.5, 1]) { _ in player.setMuted(false) })
    case 3: keep(try? player.addBoundaryTimeObserver(forTimeRemaining: .milliseconds(500)) { _ in })
    case 4: keep(player.addEventObserver { _ in _ = player.snapshot })
    case 5: if streams.count < 5 { streams.append(player.events()) } else { streams.removeFirst() }
    case 6: observations.last?.cancel()
    default: if !observations.isEmpty { observations.removeFirst() }
    }
  }

  private mutating func keep(_ observation: PlayerObservation?) {
    guard let observation else { return }
    observations.append(observation)
  }

  /// What is read of one moment agrees with itself.
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

  @PlayerActor private func readState() {
    let state = player.state
    #expect(state.reasonForWaitingToPlay == nil || state.timeControlStatus != .playing)
    #expect(state.chapters.count <= 3)
  }
}
