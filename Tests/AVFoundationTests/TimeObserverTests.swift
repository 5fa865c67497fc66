import AVFoundation
import Dispatch
import Synchronization
import TestSupport
import Testing

/// Tests of periodic and boundary observers.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct TimeObserverTests {
  private let record = Record()

  @Test("Boundaries are crossed in order on the given queue, and the end is reported before its notification")
  func boundaries() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(1))
      let player = AVPlayer(playerItem: item)
      let queue = DispatchQueue(label: "observer")
      let log = record.log
      let times = [0.25, 0.5, 0.75].map { NSValue(time: CMTime(seconds: $0, preferredTimescale: 600)) }
      let observer = player.addBoundaryTimeObserver(forTimes: times, queue: queue) {
        dispatchPrecondition(condition: .onQueue(queue))
        log.append("boundary")
      }
      let end = player.addBoundaryTimeObserver(
        forTimes: [NSValue(time: CMTime(value: 1, timescale: 1))], queue: nil
      ) { log.append("boundary of the end") }
      let token = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end")
      player.play()
      try await record.first("end")
      // The queue runs the blocks that were passed to it before.
      queue.sync {}
      #expect(record.texts.filter { $0 == "boundary" }.count == 3)
      #expect(record.texts.filter { $0.contains("end") } == ["boundary of the end", "end"])
      player.removeTimeObserver(observer)
      player.removeTimeObserver(end)
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("A periodic observer receives increasing times up to the end on the main queue")
  func periodic() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(1))
      let player = AVPlayer(playerItem: item)
      let times = EventLog<CMTime>()
      let observer = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10), queue: .main) {
        time in
        MainActor.assertIsolated()
        times.append(time)
      }
      let token = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end")
      player.play()
      try await record.first("end")
      #expect(times.elements.contains(CMTime(value: 1, timescale: 1)))
      #expect(times.elements == times.elements.sorted())
      player.removeTimeObserver(observer)
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("An observer that is removed on its queue receives no queued call")
  func removal() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(1))
      let player = AVPlayer(playerItem: item)
      let log = record.log
      let token = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end")
      let queue = DispatchQueue(label: "observer")
      queue.suspend()
      let observer = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10), queue: queue) { _ in
        log.append("call")
      }
      player.play()
      try await record.first("end")
      player.removeTimeObserver(observer)
      queue.resume()
      queue.sync {}
      #expect(!record.texts.contains("call"))
      NotificationCenter.default.removeObserver(token)
    }
  }
}
