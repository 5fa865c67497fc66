import Playback
import Synchronization
import TestSupport
import Testing

@testable import AVFoundation

/// Tests of the queue player and the looper.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct QueueTests {
  private let record = Record()

  private func item(_ seconds: Double) async throws -> AVPlayerItem { AVPlayerItem(url: try await sine(seconds)) }

  @Test("Items leave the queue as they are played, and an item that is inserted after the last plays at once")
  func queue() async throws {
    try await withSilentPlayers {
      let items = [try await item(0.5), try await item(0.6)]
      let player = AVQueuePlayer(items: items)
      let log = record.log
      let observation = player.observe(\.currentItem, options: [.old, .new]) { player, change in
        log.append("\(player.items().count) items")
      }
      let tokens = items.map { record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: $0, as: "end") }
      #expect(player.items() == items && player.actionAtItemEnd == .advance)
      player.play()
      try await record.first("0 items")
      // The notification of an end and the change that follows it arrive in any order.
      try await record.first("end", from: record.first("end") + 1)
      #expect(player.currentItem == nil && player.rate == 1 && player.reasonForWaitingToPlay == .noItemToPlay)
      #expect(items.allSatisfy { $0.status == .readyToPlay && $0.currentTime() == $0.duration })
      let last = try await item(20)
      #expect(player.canInsert(last, after: nil) && !player.canInsert(last, after: items[0]))
      player.insert(last, after: nil)
      #expect(!player.canInsert(last, after: nil))
      try await player.reaches(\.timeControlStatus, "playing") { $0.timeControlStatus == .playing }
      #expect(player.currentItem === last)
      observation.invalidate()
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }

  @Test("In a crossfade, the next item is current before the end of the previous one is posted")
  func crossfade() async throws {
    try await withSilentPlayers {
      let items = [try await item(4), try await item(30)]
      let player = AVQueuePlayer()
      player.crossfadeDuration = 99
      #expect(player.crossfadeDuration == 15)
      player.crossfadeDuration = 1.5
      for item in items { player.insert(item, after: nil) }
      let log = record.log
      let observation = player.observe(\.currentItem) { player, _ in
        if player.currentItem === items[1] { log.append("next") }
      }
      let token = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: items[0], as: "end")
      player.play()
      try await record.first("end")
      #expect(record.texts == ["next", "end"])
      #expect(player.items() == [items[1]] && player.currentTime().seconds > 1)
      observation.invalidate()
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("Items are inserted, removed, replaced and skipped in the order of the queue")
  func edits() async throws {
    try await withSilentPlayers {
      let items = [try await item(20), try await item(20), try await item(20), try await item(20)]
      let player = AVQueuePlayer(items: [items[0], items[1]])
      player.insert(items[2], after: items[0])
      #expect(player.items() == [items[0], items[2], items[1]])
      player.insert(items[2], after: nil)
      player.insert(items[3], after: AVPlayerItem(url: URL(fileURLWithPath: Media.missing)))
      #expect(player.items() == [items[0], items[2], items[1]])
      player.remove(items[2])
      player.replaceCurrentItem(with: items[3])
      #expect(player.items() == [items[3], items[1]] && player.currentItem === items[3])
      player.replaceCurrentItem(with: items[1])
      #expect(player.items() == [items[3], items[1]])
      player.advanceToNextItem()
      #expect(player.items() == [items[1]] && player.rate == 0)
      player.play()
      player.advanceToNextItem()
      #expect(player.items().isEmpty && player.rate == 1)
      player.insert(items[0], after: nil)
      player.removeAllItems()
      #expect(player.items().isEmpty && player.currentItem == nil)
    }
  }

  @Test("A failed item is skipped; the last one stays current")
  func failures() async throws {
    try await withSilentPlayers {
      let missing = [
        AVPlayerItem(url: URL(fileURLWithPath: Media.missing)), AVPlayerItem(url: URL(fileURLWithPath: "/x")),
      ]
      let player = AVQueuePlayer(items: [missing[0], try await item(0.5), missing[1]])
      player.play()
      for item in missing { try await item.settled() }
      #expect(missing.allSatisfy { $0.status == .failed })
      #expect(player.items() == [missing[1]] && player.rate == 0)
    }
  }

  @Test("While a failed item is skipped, playing already begins with the next one")
  func playDuringSkip() async throws {
    try await withSilentPlayers {
      let player = AVQueuePlayer()
      let log = record.log
      // It is called after the player has handled the failure, and before it handles the change of the item.
      let observer = player.player.addEventObserver { [weak player] event, _ in
        guard case .itemFailed = event, let player else { return }
        player.play()
        log.append("rate \(player.rate)")
      }
      player.replaceItems(with: [AVPlayerItem(url: URL(fileURLWithPath: Media.missing)), try await item(20)])
      try await log.first("the failure", within: 20)
      #expect(record.texts == ["rate 1.0"])
      observer.cancel()
    }
  }

  @Test("A skipped item leaves no reason for a later change of the rate")
  func reasonAfterSkip() async throws {
    try await withSilentPlayers {
      let items = [AVPlayerItem(url: URL(fileURLWithPath: Media.missing)), try await item(20)]
      let player = AVQueuePlayer()
      player.actionAtItemEnd = .pause
      let token = record.rateReasons(of: player)
      player.play()
      player.replaceItems(with: items)
      for item in items { try await item.settled() }
      let nearEnd = CMTime(value: 199, timescale: 10)
      #expect(await player.seek(to: nearEnd, toleranceBefore: .zero, toleranceAfter: .zero))
      try await record.log.first("the second change", from: 1, within: 20)
      #expect(record.texts == [AVPlayer.RateDidChangeReason.setRateCalled.rawValue, "no reason"])
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("A time jump belongs to the item that was current, also if the next one has become current since")
  func lateTimeJump() async throws {
    try await withSilentPlayers {
      let items = [try await item(20), try await item(20)]
      let tokens = zip(items, ["first", "next"]).map { item, text in
        record.notifications(AVPlayerItem.timeJumpedNotification, of: item, as: text)
      }
      let player = AVQueuePlayer()
      // The player handles its events on the queue of this closure, so the next item is not reported before the jump.
      let observer = player.player.addEventObserver { [weak player] event, snapshot in
        guard case .currentItemChanged(nil, _) = event, let player else { return }
        player.player.advanceToNextItem()
        player.receive(.timeJumped(from: .zero, to: .seconds(1)), snapshot)
      }
      player.replaceItems(with: items)
      try await record.log.first("the jump", within: 20)
      #expect(record.texts == ["first"])
      observer.cancel()
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }

  @Test("A looper repeats a range in the time of the media; when it is disabled, the next item follows")
  func looper() async throws {
    try await withSilentPlayers {
      let next = try await item(20)
      let player = AVQueuePlayer(items: [next])
      let range = CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 1, timescale: 4))
      let looper = AVPlayerLooper(player: player, templateItem: try await item(3), timeRange: range)
      let replica = try #require(looper.loopingPlayerItems.first)
      #expect(player.items() == [replica, next])
      let log = record.log
      let observations = [
        looper.observe(\.loopCount, options: [.new]) { _, change in log.append("loop \(change.newValue ?? 0)") },
        player.observe(\.currentItem) { player, _ in log.append(player.currentItem === next ? "next" : "other") },
      ]
      let times = EventLog<CMTime>()
      let observer = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 20), queue: nil) {
        times.append($0)
      }
      player.play()
      try await record.log.first("two repetitions", within: 20) { $0.hasPrefix("loop") && $0 != "loop 1" }
      #expect(looper.status == .ready && looper.loopCount >= 2)
      #expect(times.elements.allSatisfy { range.containsTime($0) || $0 == range.end })
      player.removeTimeObserver(observer)
      looper.disableLooping()
      try await record.first("next")
      #expect(looper.status == .cancelled && looper.loopingPlayerItems.isEmpty && !record.texts.contains("other"))
      for observation in observations { observation.invalidate() }
    }
  }

  @Test("Each repetition of a looper posts the end of its item, and then a time jump")
  func looperNotifications() async throws {
    try await withSilentPlayers {
      let player = AVQueuePlayer()
      let looper = AVPlayerLooper(player: player, templateItem: try await item(0.5))
      let replica = try #require(looper.loopingPlayerItems.first)
      let tokens = [
        record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: replica, as: "end"),
        record.notifications(AVPlayerItem.timeJumpedNotification, of: replica, as: "jump"),
      ]
      player.play()
      try await record.log.first("the second jump", from: 3, within: 20)
      #expect(record.texts.prefix(4) == ["end", "jump", "end", "jump"])
      looper.disableLooping()
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }

  @Test("A looper whose item follows those in the queue keeps the time of the current one")
  func followingLooper() async throws {
    try await withSilentPlayers {
      let (first, time) = (try await item(20), CMTime(value: 10, timescale: 1))
      let player = AVQueuePlayer(items: [first])
      try await first.settled()
      #expect(await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero))
      let looper = AVPlayerLooper(
        player: player, templateItem: try await item(1), timeRange: .invalid,
        existingItemsOrdering: .loopingItemsFollowExistingItems)
      #expect(player.items() == [first] + looper.loopingPlayerItems && player.currentTime() == time)
    }
  }

  @Test("A looper repeats a range with an infinite duration up to the end of the media")
  func infiniteRange() async throws {
    try await withSilentPlayers {
      let range = CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: .positiveInfinity)
      let player = AVQueuePlayer()
      let looper = AVPlayerLooper(player: player, templateItem: try await item(1.5), timeRange: range)
      let replica = try #require(looper.loopingPlayerItems.first)
      try await replica.settled()
      #expect(replica.duration == CMTime(value: 1, timescale: 2))
    }
  }

  @Test("A looper that is released while its player reads it ends its loop")
  func releasedLooper() async throws {
    try await withSilentPlayers {
      let player = AVQueuePlayer()
      var looper: FleetingLooper? = FleetingLooper(player: player, templateItem: try await item(20))
      // The player reads the looper when the event of its item arrives, too.
      try await looper?.loopingPlayerItems.first?.settled()
      #expect(player.player.loop == .track)
      loopers.withLock { $0 = looper }
      looper = nil
      player.updateLoop()
      #expect(player.player.loop == .none)
    }
  }
}

/// The only reference to a looper.
private let loopers = Mutex<FleetingLooper?>(nil)

/// A looper that is released while its player reads it.
private final class FleetingLooper: AVPlayerLooper, @unchecked Sendable {  // adds no state
  nonisolated override var loopingPlayerItems: [AVPlayerItem] {
    loopers.withLock { $0 = nil }
    return super.loopingPlayerItems
  }
}
