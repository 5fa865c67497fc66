import AVFoundation
import Playback
import TestSupport
import Testing

/// Tests of a player with one item, on an output that plays in real time.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct PlayerTests {
  private let record = Record()

  @Test("An item loads when it is given to a player, plays to its end once, and then the player pauses at its end")
  func playToEnd() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(1))
      #expect(item.status == .unknown && item.duration == .indefinite)
      let player = AVPlayer()
      let log = record.log
      let observations = [
        player.observe(\.rate) { player, _ in log.append("rate \(player.rate)") },
        player.observe(\.timeControlStatus) { player, _ in
          if player.timeControlStatus != .waitingToPlayAtSpecifiedRate { log.append("\(player.timeControlStatus)") }
        },
      ]
      let tokens = [
        record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end"),
        record.notifications(AVPlayer.rateDidChangeNotification, of: player, as: "rate did change"),
      ]
      player.replaceCurrentItem(with: item)
      try await item.settled()
      #expect(item.status == .readyToPlay && player.status == .readyToPlay && player.rate == 0)
      #expect(item.duration == CMTime(value: 1, timescale: 1))
      #expect(player.currentTime() == .zero)
      player.play()
      #expect(player.rate == 1)
      try await record.first("rate 0.0")
      try await record.first("paused")
      #expect(record.texts.filter { $0 == "end" }.count == 1)
      try await record.first("rate did change", from: record.first("rate 0.0"))
      let changes = record.texts.filter { $0 != "rate did change" }
      #expect(
        changes.starts(with: ["playing", "rate 1.0", "end"]) || changes.starts(with: ["rate 1.0", "playing", "end"]))
      #expect(Set(changes.dropFirst(3)) == ["rate 0.0", "paused"])
      #expect(record.texts.filter { $0 == "rate did change" }.count == 2)
      #expect(player.currentTime() == item.duration && player.currentItem === item)
      for token in tokens { NotificationCenter.default.removeObserver(token) }
      for observation in observations { observation.invalidate() }
    }
  }

  /// <https://docs.rs/objc2-av-foundation/latest/objc2_av_foundation/struct.AVPlayerActionAtItemEnd.html> has the text of
  /// Apple's header.
  @Test("With the action none, the rate and the status stay at the end; another action applies at once")
  func noActionAtEnd() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(0.5))
      let player = AVPlayer(playerItem: item)
      player.actionAtItemEnd = .none
      let log = record.log
      let observation = player.observe(\.timeControlStatus) { player, _ in
        if player.timeControlStatus == .paused { log.append("paused") }
      }
      let token = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end")
      player.play()
      try await record.first("end")
      #expect(player.rate == 1 && player.timeControlStatus == .playing && player.reasonForWaitingToPlay == nil)
      #expect(player.currentItem === item && player.currentTime() == item.duration)
      player.actionAtItemEnd = .pause
      #expect(player.rate == 0 && player.timeControlStatus == .paused)
      #expect(record.texts == ["end", "paused"])
      observation.invalidate()
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("A seek to the start at the end of an item repeats it, and posts one time jump")
  func loopOfOne() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(0.5))
      let player = AVPlayer(playerItem: item)
      player.actionAtItemEnd = .none
      let log = record.log
      let tokens = [
        record.notifications(AVPlayerItem.timeJumpedNotification, of: item, as: "jump"),
        NotificationCenter.default.addObserver(
          forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
        ) { [weak player] _ in
          log.append("end")
          player?.seek(to: .zero)
        },
      ]
      player.play()
      try await record.log.first("the third end", from: 4, within: 20) { $0 == "end" }
      #expect(record.texts.prefix(5) == ["end", "jump", "end", "jump", "end"])
      #expect(player.rate == 1)
      player.pause()
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }

  @Test("A player without an item waits for one, and plays it as soon as it is given")
  func waitingForItem() async throws {
    try await withSilentPlayers {
      let player = AVPlayer()
      #expect(player.timeControlStatus == .paused && player.reasonForWaitingToPlay == nil)
      player.rate = 2
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .noItemToPlay && player.rate == 2)
      player.replaceCurrentItem(with: AVPlayerItem(url: try await sine(20)))
      try await player.reaches(\.timeControlStatus, "playing") { $0.timeControlStatus == .playing }
      #expect(player.rate == 2)
      player.replaceCurrentItem(with: nil)
      #expect(player.rate == 2 && player.reasonForWaitingToPlay == .noItemToPlay && player.currentItem == nil)
    }
  }

  @Test("The rate is clamped and ignored as in GstPlayer; play uses the default rate")
  func rates() async throws {
    try await withSilentPlayers {
      let player = AVPlayer(url: try await sine(20))
      player.rate = 9
      #expect(player.rate == 4)
      player.rate = -1
      #expect(player.rate == 4)
      player.rate = .nan
      #expect(player.rate == 4)
      player.defaultRate = 1.5
      #expect(player.rate == 4)
      player.play()
      #expect(player.rate == 1.5)
      player.pause()
      #expect(player.rate == 0 && player.defaultRate == 1.5)
    }
  }

  @Test("An item that cannot be played fails with an error, and the rate becomes 0")
  func failure() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: URL(fileURLWithPath: Media.missing))
      let player = AVPlayer(playerItem: item)
      player.play()
      try await item.settled()
      #expect(item.status == .failed && item.error != nil)
      #expect(player.currentItem === item && player.rate == 0 && player.timeControlStatus == .paused)
      player.play()
      #expect(player.rate == 0)
      let next = AVPlayerItem(url: try await sine(1))
      player.replaceCurrentItem(with: next)
      try await next.settled()
      #expect(next.status == .readyToPlay && player.status == .readyToPlay)
      #expect(item.status == .failed)
    }
  }

  @Test("An item belongs to one player; its copy is free")
  func oneOwner() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(1))
      item.forwardPlaybackEndTime = CMTime(value: 1, timescale: 2)
      let first = AVPlayer(playerItem: item)
      let second = AVPlayer(playerItem: item)
      #expect(first.currentItem === item && second.currentItem == nil)
      let copy = try #require(item.copy() as? AVPlayerItem)
      #expect(copy.asset === item.asset && copy.forwardPlaybackEndTime == item.forwardPlaybackEndTime)
      second.replaceCurrentItem(with: copy)
      #expect(second.currentItem === copy)
      first.replaceCurrentItem(with: nil)
      second.replaceCurrentItem(with: item)
      #expect(second.currentItem === item)
    }
  }

  @Test("The forward end of an item ends it, also if it is set while the item is current")
  func forwardEnd() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(20))
      let token = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end")
      let player = AVPlayer(playerItem: item)
      try await item.settled()
      #expect(await player.seek(to: CMTime(value: 10, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero))
      item.forwardPlaybackEndTime = CMTime(value: 21, timescale: 2)
      #expect(player.currentTime() == CMTime(value: 10, timescale: 1) && player.currentItem === item)
      player.play()
      try await record.first("end")
      #expect(player.currentTime() == CMTime(value: 21, timescale: 2))
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("A preroll finishes with true when the item is ready, and with false otherwise")
  func preroll() async throws {
    try await withSilentPlayers {
      let player = AVPlayer()
      #expect(await !player.preroll(atRate: 1))
      player.replaceCurrentItem(with: AVPlayerItem(url: try await sine(1)))
      #expect(await player.preroll(atRate: 1))
      #expect(player.currentItem?.status == .readyToPlay)
      let log = record.log
      player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: Media.missing)))
      player.preroll(atRate: 1) { log.append("missing \($0)") }
      try await record.first("missing false")
      player.replaceCurrentItem(with: AVPlayerItem(url: try await sine(2)))
      player.preroll(atRate: 1) { log.append("cancelled \($0)") }
      player.cancelPendingPrerolls()
      try await record.first("cancelled false")
    }
  }

  @Test("A preroll continues if the forward end of its item is set")
  func prerollOfReopenedItem() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(2))
      let player = AVPlayer(playerItem: item)
      let log = record.log
      player.preroll(atRate: 1) { log.append("preroll \($0)") }
      item.forwardPlaybackEndTime = CMTime(value: 1, timescale: 1)
      try await log.first("the end of the preroll", within: 20)
      #expect(record.texts == ["preroll true"])
    }
  }

  @Test("A preroll finishes with false if its player is released")
  func prerollOfReleasedPlayer() async throws {
    try await withSilentPlayers {
      try await withHTTPServer { server in
        // The item never becomes ready.
        let url = try #require(URL(string: server.script("/a.flac", .silence)))
        let log = record.log
        var player: AVPlayer? = AVPlayer(url: url)
        player?.preroll(atRate: 1) { log.append("preroll \($0)") }
        #expect(player?.status == .unknown)
        player = nil
        try await log.first("the end of the preroll", within: 20)
        #expect(record.texts == ["preroll false"])
      }
    }
  }

  @Test("The end of an item changes the rate without a reason, also after playing twice")
  func reasonOfEnd() async throws {
    try await withSilentPlayers {
      let player = AVPlayer(url: try await sine(0.5))
      let token = record.rateReasons(of: player)
      player.play()
      player.play()
      try await record.log.first("the second change", from: 1, within: 20)
      #expect(record.texts == [AVPlayer.RateDidChangeReason.setRateCalled.rawValue, "no reason"])
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("A subclass of an item has its own initializer and properties")
  func subclass() async throws {
    try await withSilentPlayers {
      let player = AVPlayer(playerItem: Song(url: try await sine(1), id: 7))
      #expect((player.currentItem as? Song)?.id == 7)
    }
  }

  @Test("The buffer, the ranges and the track of a local item are known when it is ready")
  func facts() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(2))
      #expect(item.isPlaybackBufferEmpty && !item.isPlaybackBufferFull && item.loadedTimeRanges.isEmpty)
      let player = AVPlayer(playerItem: item)
      try await item.settled()
      let whole = CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1))
      #expect(!item.isPlaybackBufferEmpty && item.isPlaybackBufferFull && item.isPlaybackLikelyToKeepUp)
      #expect(item.loadedTimeRanges.map(\.timeRangeValue) == [whole])
      #expect(item.seekableTimeRanges.map(\.timeRangeValue) == [whole])
      #expect(item.canPlayFastForward && item.canPlaySlowForward && !item.canPlayReverse && !item.canStepForward)
      #expect(item.presentationSize == .zero)
      let description = try await item.asset.load(.tracks)
      #expect(item.tracks.count == 1 && item.tracks.first?.isEnabled == true)
      #expect(item.tracks.first?.assetTrack?.trackID == description.first?.trackID)
      player.replaceCurrentItem(with: nil)
      #expect(item.status == .readyToPlay && item.duration == whole.duration && item.loadedTimeRanges.isEmpty)
    }
  }

  @Test("The preferred forward buffer of an item reaches the player")
  func forwardBuffer() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(2))
      item.preferredForwardBufferDuration = 7
      let player = AVQueuePlayer(items: [item])
      #expect(player.player.preferredForwardBufferDuration == .seconds(7))
      player.insert(AVPlayerItem(url: try await sine(1)), after: nil)
      #expect(player.player.preferredForwardBufferDuration == .seconds(7), "the added item has no preference")
      item.preferredForwardBufferDuration = 0
      #expect(player.player.preferredForwardBufferDuration == nil)
    }
  }

  @Test("The greatest forward buffer of an item is ten minutes of the player; one that is not finite is ignored")
  func greatestForwardBuffer() async {
    await withSilentPlayers {
      let item = AVPlayerItem(url: URL(fileURLWithPath: Media.missing))
      item.preferredForwardBufferDuration = .greatestFiniteMagnitude
      let player = AVPlayer(playerItem: item)
      #expect(player.player.preferredForwardBufferDuration == .seconds(600))
      for duration in [TimeInterval.infinity, -.infinity, .nan] {
        item.preferredForwardBufferDuration = duration
        #expect(item.preferredForwardBufferDuration == .greatestFiniteMagnitude)
      }
    }
  }
}

/// An item of a program.
private final class Song: AVPlayerItem, @unchecked Sendable {  // adds a constant
  let id: Int

  init(url: URL, id: Int) {
    self.id = id
    super.init(asset: AVURLAsset(url: url), automaticallyLoadedAssetKeys: nil)
  }
}
