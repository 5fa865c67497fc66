import TestSupport
import Testing

@testable import AVFoundation

/// Tests of the playback of a program, as its now playing info and its audio session see it.
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct ActivityTests {
  /// The way in which the playback of an item ends.
  enum Ending: CaseIterable, Sendable {
    case advance, pauseAtEnd, noneAtEnd, failure, pause, rate, removal, replacement, release
  }

  /// Runs `body` with the activity of a program and a record of its changes.
  private func withActivity(_ body: (PlaybackActivity, EventLog<Bool>) async throws -> Void) async throws {
    let (activity, log) = (PlaybackActivity(), EventLog<Bool>())
    activity.observe { [unowned activity] in log.append(activity.isPlaying) }
    try await withSilentPlayers {
      try await PlayerDefaults.$activity.withValue(activity) { try await body(activity, log) }
    }
  }

  @Test("A player plays until its last item ends in any way", arguments: Ending.allCases)
  func ends(_ ending: Ending) async throws {
    try await withActivity { activity, log in
      let isShort = [.advance, .pauseAtEnd, .noneAtEnd, .failure].contains(ending)
      var items = [AVPlayerItem(url: try await sine(isShort ? 0.5 : 20))]
      if ending == .failure { items.append(AVPlayerItem(url: URL(fileURLWithPath: Media.missing))) }
      var player: AVQueuePlayer? = AVQueuePlayer(items: items)
      if ending == .pauseAtEnd { player?.actionAtItemEnd = .pause }
      if ending == .noneAtEnd { player?.actionAtItemEnd = .none }
      #expect(!activity.isPlaying && !activity.hasPlayed)
      player?.play()
      let start = try await log.first("the player plays", within: 20) { $0 }.index
      switch ending {
      case .advance, .pauseAtEnd, .noneAtEnd, .failure: break
      case .pause: player?.pause()
      case .rate: player?.rate = 0
      case .removal: player?.removeAllItems()
      case .replacement: player?.replaceCurrentItem(with: nil)
      case .release: player = nil
      }
      try await log.first("the end", from: start + 1, within: 20) { !$0 }
      #expect(!activity.isPlaying && activity.hasPlayed)
      withExtendedLifetime(player) {}
    }
  }

  @Test("A queue player that has ended plays again with the next item, unless an interruption has paused it")
  func nextItem() async throws {
    try await withActivity { activity, log in
      let items = [AVPlayerItem(url: try await sine(0.5)), AVPlayerItem(url: try await sine(20))]
      let player = AVQueuePlayer(items: [items[0]])
      player.play()
      let start = try await log.first("the player plays", within: 20) { $0 }.index
      let end = try await log.first("the end", from: start + 1, within: 20) { !$0 }.index
      player.insert(items[1], after: nil)
      try await log.first("the player plays again", from: end + 1, within: 20) { $0 }
      player.removeAllItems()
      try await log.first("no item", from: end + 2, within: 20) { !$0 }
      #expect(!activity.interrupt() && player.rate == 0)
    }
  }

  @Test("A player whose item has failed before it is played counts as one that was asked to play")
  func failedBefore() async throws {
    try await withActivity { activity, _ in
      let player = AVPlayer(url: URL(fileURLWithPath: Media.missing))
      try await player.currentItem?.settled()
      #expect(!activity.hasPlayed)
      player.play()
      #expect(activity.hasPlayed && !activity.isPlaying)
    }
  }

  @Test("A sound plays until its end, and until it is released", arguments: [true, false])
  func sound(isReleased: Bool) async throws {
    try await withActivity { activity, log in
      var player: AVAudioPlayer? = try AVAudioPlayer(contentsOf: try await sine(isReleased ? 20 : 0.5))
      player?.play()
      let start = try await log.first("the sound plays", within: 20) { $0 }.index
      if isReleased { player = nil }
      try await log.first("the end", from: start + 1, within: 20) { !$0 }
      #expect(!activity.isPlaying && activity.hasPlayed)
      withExtendedLifetime(player) {}
    }
  }
}
