import AVFoundation
import TestSupport
import Testing

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
      #expect(record.texts.filter { $0 == "end" }.count == 2)
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
}
