import AVFoundation
import TestSupport
import Testing

/// Tests of the forms of seeking.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct SeekTests {
  private let record = Record()

  private func ready() async throws -> (AVPlayer, AVPlayerItem) {
    let item = AVPlayerItem(url: try await sine(20))
    let player = AVPlayer(playerItem: item)
    try await item.settled()
    return (player, item)
  }

  private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 600) }

  @Test("The time is the target as soon as a seek was requested, in every form")
  func target() async throws {
    try await withSilentPlayers {
      let (player, item) = try await ready()
      player.seek(to: time(3), completionHandler: { _ in })
      #expect(player.currentTime() == time(3))
      player.seek(to: time(4), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: { _ in })
      #expect(item.currentTime() == time(4))
      item.seek(to: time(5), completionHandler: nil)
      #expect(player.currentTime() == time(5))
      item.seek(to: time(6), toleranceBefore: .zero, toleranceAfter: .positiveInfinity, completionHandler: nil)
      #expect(player.currentTime() == time(6))
      #expect(await player.seek(to: time(7), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(await item.seek(to: time(8), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.currentTime() == time(8))
      #expect(await player.seek(to: .positiveInfinity))
      #expect(player.currentTime() == item.duration)
    }
  }

  // The player may finish a seek between two calls, so the test makes many.
  @Test("A seek that another one follows finishes with false, before the later one, on the main queue")
  func superseded() async throws {
    try await withSilentPlayers {
      let (player, _) = try await ready()
      let log = record.log
      let numbers = 1...100
      for number in numbers {
        player.seek(to: time(Double(number) / 50), toleranceBefore: .zero, toleranceAfter: .zero) { isDone in
          MainActor.assertIsolated()
          log.append("\(number) \(isDone)")
        }
      }
      try await record.first("100 true")
      let results = record.texts.map { $0.split(separator: " ") }
      #expect(results.map(\.first) == numbers.map { "\($0)" })
      #expect(results.contains { $0.last == "false" })
    }
  }

  @Test("A seek without an item, to a date, to an invalid time, and of an item that is not current finishes with false")
  func impossible() async throws {
    try await withSilentPlayers {
      #expect(await !AVPlayer().seek(to: time(1)))
      let (player, item) = try await ready()
      #expect(await !player.seek(to: Date()))
      #expect(await !player.seek(to: .invalid))
      #expect(await !player.seek(to: .indefinite))
      #expect(!item.seek(to: Date(), completionHandler: nil) && item.currentDate() == nil)
      let other = AVPlayerItem(url: try await sine(1))
      #expect(await !other.seek(to: time(0.5)))
      let log = record.log
      player.seek(to: Date()) { log.append("date \($0)") }
      other.seek(to: time(0.5)) { log.append("other \($0)") }
      try await record.first("date false")
      try await record.first("other false")
      #expect(player.currentTime() == .zero)
    }
  }

  @Test("A seek posts one time jump of its item")
  func timeJumped() async throws {
    try await withSilentPlayers {
      let (player, item) = try await ready()
      let token = record.notifications(AVPlayerItem.timeJumpedNotification, of: item, as: "jump")
      #expect(await player.seek(to: time(9), toleranceBefore: .zero, toleranceAfter: .zero))
      try await record.first("jump")
      #expect(record.texts == ["jump"])
      NotificationCenter.default.removeObserver(token)
    }
  }
}
