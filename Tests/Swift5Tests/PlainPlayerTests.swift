import AVFoundation
import GstPlayer
import TestSupport
import Testing

/// Tests of a program in the Swift 5 mode.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct PlainPlayerTests {
  /// Runs `body` with players that play in real time, without an output.
  private func silently<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await PlayerDefaults.$configuration.withValue(
      Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60)), operation: body)
  }

  @Test("A player of the Swift 5 mode plays to the end, and its subclass sees the calls")
  func play() async throws {
    try await silently {
      let player = PlainPlayer()
      #expect(player.player.name == "empty")
      let ends = EventLog<Bool>()
      player.onEnd = { ends.append(true) }
      player.load(URL(fileURLWithPath: try await Media.sine(seconds: 0.5)))
      player.player.toggle()
      try await ends.first("the end", within: 30) { $0 }
      #expect(player.player.plays == 1 && player.player.name == "replaced" && player.ended == 1)
      player.rewind()
      #expect(player.player.seeks == [.zero])
      let result = await withCheckedContinuation { continuation in
        player.seek(to: 0.25) { continuation.resume(returning: $0) }
      }
      #expect(result && player.player.seeks.count == 2)
      player.player.rate = 0
      player.player.pause()
      #expect(player.player.pauses >= 1)
    }
  }

  @Test("Overridden members of items and queues are used")
  func overrides() async throws {
    try await silently {
      let url = URL(fileURLWithPath: try await Media.sine(seconds: 0.5))
      let item = TaggedItem(url: url, tag: 7)
      let queue = CountingQueue(items: [item])
      queue.insert(TaggedItem(url: url, tag: 8), after: item)
      #expect(queue.inserted == 1 && queue.items().count == 2)
      #expect(queue.currentItem?.duration.seconds == 7)
    }
  }

  @Test("An audio player with a delegate on the main actor plays to its end")
  func audioPlayer() async throws {
    try await silently {
      let url = URL(fileURLWithPath: try await Media.sine(seconds: 0.1))
      let model = PlainModel()
      try model.play(url)
      #expect(model.isPlaying)
    }
  }
}
