import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AVFoundation
@testable import Playback

/// Tests of the settings of items and players.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct ItemSettingTests {
  @Test("The duration of an item equals the media's, also with a forward end, and after a long pause")
  func duration() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(20))
      item.forwardPlaybackEndTime = CMTime(value: 5, timescale: 1)
      let player = AVPlayer(playerItem: item)
      try await item.settled()
      let whole = CMTime(value: 20, timescale: 1)
      #expect(item.duration == whole && item.asset.duration == whole)
      item.forwardPlaybackEndTime = .invalid
      try await item.settled()
      try await player.reaches(\.currentItem?.duration, "the duration") { $0.currentItem?.duration == whole }
      // The end of the item is its forward end.
      let record = Record()
      let token = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end")
      item.forwardPlaybackEndTime = CMTime(value: 1, timescale: 2)
      player.play()
      try await record.first("end")
      #expect(item.duration == whole && player.currentTime() == CMTime(value: 1, timescale: 2))
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("The treatment of the pitch of an item reaches its player, and playback continues at its position")
  func timePitch() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(20))
      #expect(item.audioTimePitchAlgorithm == .timeDomain)
      item.audioTimePitchAlgorithm = .varispeed
      let player = AVPlayer(playerItem: item)
      #expect(player.player.timePitchAlgorithm == .varispeed)
      try await item.settled()
      #expect(await player.seek(to: CMTime(value: 10, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero))
      item.audioTimePitchAlgorithm = .spectral
      #expect(item.audioTimePitchAlgorithm == .spectral && player.player.timePitchAlgorithm == .timeDomain)
      #expect(player.currentTime() == CMTime(value: 10, timescale: 1))
      player.play()
      try await player.reaches(\.timeControlStatus, "playing") { $0.timeControlStatus == .playing }
      #expect(player.currentTime().seconds >= 10)
      let copy = item.copy() as? AVPlayerItem
      #expect(copy?.audioTimePitchAlgorithm == .spectral)
    }
  }

  @Test("Settings of video, AirPlay and networks are stored")
  func stored() {
    let player = AVPlayer()
    #expect(player.allowsExternalPlayback && !player.isExternalPlaybackActive)
    player.allowsExternalPlayback = false
    player.preventsDisplaySleepDuringVideoPlayback = false
    player.audiovisualBackgroundPlaybackPolicy = .continuesIfPossible
    #expect(!player.allowsExternalPlayback && !player.preventsDisplaySleepDuringVideoPlayback)
    #expect(player.audiovisualBackgroundPlaybackPolicy == .continuesIfPossible)
    let item = AVPlayerItem(url: URL(fileURLWithPath: Media.missing))
    item.preferredPeakBitRate = 64_000
    item.preferredMaximumResolution = CGSize(width: 640, height: 480)
    item.canUseNetworkResourcesForLiveStreamingWhilePaused = true
    #expect(item.preferredPeakBitRate == 64_000 && item.preferredMaximumResolution.width == 640)
    #expect(item.canUseNetworkResourcesForLiveStreamingWhilePaused)
    #expect((item.copy() as? AVPlayerItem)?.preferredPeakBitRate == 64_000)
  }

  @Test("The timed metadata of an item is followed from the first time that it is observed")
  func timedMetadata() async throws {
    try await withSilentPlayers {
      try await withTemporaryDirectory { directory in
        var file = Matroska()
        file.clusters = 40
        file.editions = [[.init(0, 0.5, "One"), .init(0.5, 1, "Two"), .init(1, 4, "Three")]]
        let item = AVPlayerItem(url: URL(fileURLWithPath: try directory.write(file.bytes, to: "chapters.mka")))
        let titles = EventLog<String?>()
        let observation = item.observe(\.timedMetadata, options: [.initial, .new]) { item, _ in
          titles.append(item.timedMetadata?.first?.stringValue)
        }
        let player = AVPlayer(playerItem: item)
        player.play()
        try await titles.first("the third chapter", within: 30) { $0 == "Three" }
        #expect(titles.elements == [nil, "One", "Two", "Three"])
        observation.invalidate()
        player.pause()
      }
    }
  }

  @Test("The timebase of an item has its time, and the rate while it advances")
  func timebase() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(20))
      let timebase = try #require(item.timebase)
      #expect(CMTimebaseGetRate(timebase) == 0 && CMTimebaseGetTime(timebase) == .zero)
      let player = AVPlayer(playerItem: item)
      player.rate = 2
      try await player.reaches(\.timeControlStatus, "playing") { $0.timeControlStatus == .playing }
      #expect(timebase.rate == 2)
      player.pause()
      #expect(timebase.rate == 0 && timebase.time == player.currentTime())
    }
  }

  @Test("A player waits at the time until the time of the machine's clock, unless it is paused")
  func hostTime() async throws {
    try await withSilentPlayers {
      let player = AVPlayer(url: try await sine(20))
      try await player.currentItem?.settled()
      let starts = EventLog<Double>()
      let observation = player.player.addEventObserver { _, snapshot in
        if snapshot.timeControlStatus == .playing { starts.append(CACurrentMediaTime()) }
      }
      let time = CMClock.hostTimeClock.time + CMTime(value: 500, timescale: 1000)
      player.setRate(2, time: CMTime(value: 5, timescale: 1), atHostTime: time)
      #expect(player.rate == 2)
      let start = try await starts.first("the start", within: 20) { _ in true }
      #expect(start.element >= time.seconds && player.rate == 2 && player.currentTime().seconds >= 5)
      player.setRate(1, time: CMTime(value: 7, timescale: 1), atHostTime: CMTime(value: .max / 1000, timescale: 1000))
      #expect(player.rate == 1 && player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.currentTime().seconds == 7)
      player.pause()
      #expect(player.rate == 0 && player.timeControlStatus == .paused)
      player.setRate(1, time: .invalid, atHostTime: .invalid)
      #expect(player.rate == 1)
      observation.cancel()
    }
  }

  @Test("A host time that has passed continues the item as if it had played since")
  func earlierHostTime() async throws {
    try await withSilentPlayers {
      let player = AVPlayer(url: try await sine(60))
      try await player.currentItem?.settled()
      let time = CMClock.hostTimeClock.time - CMTime(value: 3, timescale: 1)
      player.setRate(2, time: CMTime(value: 5, timescale: 1), atHostTime: time)
      #expect(player.rate == 2 && player.currentTime().seconds >= 11)
    }
  }

  @Test("An output without identifiers receives all metadata")
  func output() {
    let output = AVPlayerItemMetadataOutput()
    #expect(output.delegate == nil && output.delegateQueue == nil)
  }

  @Test("An interruption of the audio session pauses a player, with its reason")
  func interruption() async throws {
    let activity = PlaybackActivity()
    try await withSilentPlayers {
      try await PlayerDefaults.$activity.withValue(activity) {
        let player = AVPlayer(url: try await sine(20))
        let record = Record()
        let token = record.rateReasons(of: player)
        player.play()
        try await record.first(AVPlayer.RateDidChangeReason.setRateCalled.rawValue)
        #expect(activity.isPlaying && activity.interrupt() && player.rate == 0)
        try await record.first(AVPlayer.RateDidChangeReason.audioSessionInterrupted.rawValue)
        NotificationCenter.default.removeObserver(token)
      }
    }
  }
}
