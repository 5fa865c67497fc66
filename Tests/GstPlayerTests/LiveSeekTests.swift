import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Seeks, heard", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LiveSeekTests {
  private static let rate = 44_100

  private func sine(_ format: Media.Format) async throws -> String {
    try await Media.sine(seconds: 2, frequency: 331, format: format)
  }

  private func original() async throws -> [Int16] { try samples(ofWAV: try await sine(.wav)) }

  @Test("A seek while paused is exact to the sample, and play goes on from it", arguments: [Media.Format.flac, .wav])
  func pausedSeek(format: Media.Format) async throws {
    let path = try await sine(format)
    let original = try await original()
    try await withTappedPlayer([fileURI(path)]) { stage, tap in
      try await stage.ready()
      #expect(await stage.player.seek(to: .milliseconds(1500)))
      #expect(stage.player.snapshot.position == .milliseconds(1500))
      #expect(stage.player.snapshot.transport == .paused)
      // A preroll that comes between play and pause lets a moment be heard.
      let before = try tap.heard()
      #expect(before.count < Self.rate / 2)
      try await stage.playOut()
      #expect(difference(try tap.heard().dropFirst(before.count), original.dropFirst(Self.rate * 3 / 2)) == nil)
    }
  }

  @Test("In a file of varying bit rate and without an index a seek is exact too")
  func exactWithoutIndex() async throws {
    let sine = try await Media.sine(seconds: 4, frequency: 331, format: .wav)
    try await withTemporaryDirectory { directory in
      // Four seconds of silence cost next to nothing, so that a place guessed from the size is far off.
      let tail = Array(try Data(contentsOf: URL(filePath: sine))).dropFirst(44)
      let size = 2 * tail.count
      func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
      let format: [UInt8] = [16, 0, 0, 0, 1, 0, 2, 0] + word(44_100) + word(176_400) + [4, 0, 16, 0]
      let head =
        Array("RIFF".utf8) + word(36 + size) + Array("WAVEfmt ".utf8) + format + Array("data".utf8) + word(size)
      let whole = try directory.write(head + [UInt8](repeating: 0, count: tail.count) + tail, to: "whole.wav")
      let path = directory.file("varying.mp3")
      try #require(try await run(["lame", "--quiet", "-V", "4", "-t", whole, path]).succeeded)
      let original = try samples(ofWAV: whole)
      try await withTappedPlayer([fileURI(path)]) { stage, tap in
        try await stage.ready()
        #expect(await stage.player.seek(to: .milliseconds(7310)))
        let before = try tap.heard().count
        try await stage.playOut()
        let heard = try tap.heard().dropFirst(before)
        // Without its header the encoder's delay is heard as well.
        let delay = 1105
        let expected = original.dropFirst(Self.rate * 731 / 100 - delay)
        let worst = zip(heard, expected).dropFirst(4000).dropLast(3000).map { abs(Int($0) - Int($1)) }.max() ?? .max
        #expect(worst < 1000)
        #expect(abs(heard.count - expected.count) < 3000)
      }
    }
  }

  @Test("A seek right after play decides where the item starts; nothing before it is heard")
  func startPosition() async throws {
    let path = try await sine(.flac)
    let original = try await original()
    try await withHTTPServer { server in
      // What cannot be opened before the seek is made, however late this task runs.
      let uri = server.script("/late.flac", try .file(path, type: "audio/flac").stalling(at: 0))
      try await withTappedPlayer([uri]) { stage, tap in
        stage.player.play()
        try await server.events.first("it is asked for") { $0 == .stalled(path: "/late.flac") }
        stage.seek(.seconds(1.25))
        #expect(stage.player.snapshot.position == .seconds(1.25))
        server.release("/late.flac")
        try await stage.event(.queueEnded)
        #expect(difference(try tap.heard(), original.dropFirst(Self.rate * 5 / 4)) == nil)
      }
    }
  }

  @Test("A seek right after play of a file goes on exactly from its target, whether it was in time or not")
  func startPositionInFile() async throws {
    let path = try await sine(.flac)
    let original = try await original()
    try await withTappedPlayer([fileURI(path)]) { stage, tap in
      stage.player.play()
      stage.seek(.seconds(1.25))
      try await stage.event(.queueEnded)
      let (heard, tail) = (try tap.heard(), original.dropFirst(Self.rate * 5 / 4))
      #expect(difference(heard.suffix(tail.count), tail) == nil)
      // On a busy machine the file may be ready, and heard, before the seek is made.
      let head = heard.dropLast(tail.count)
      #expect(difference(head, original.prefix(head.count)) == nil)
    }
  }

  @Test("A seek while playing goes on exactly from its target")
  func playingSeek() async throws {
    let path = try await sine(.flac)
    let original = try await original()
    try await withTappedPlayer([fileURI(path)]) { stage, tap in
      let player = stage.player
      let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(300)]) { _ in
        player.seek(to: .milliseconds(1500))
      }
      try await stage.playOut()
      observation.cancel()
      let heard = try tap.heard()
      let tail = original.dropFirst(Self.rate * 3 / 2)
      #expect(difference(heard.suffix(tail.count), tail) == nil)
      let head = heard.dropLast(tail.count)
      #expect(difference(head, original.prefix(head.count)) == nil)
      #expect((0.2...1.2).contains(Double(head.count) / Double(Self.rate)))
    }
  }

  @Test("Of many seeks at once the newest wins, and each caller is answered")
  func coalescing() async throws {
    let path = try await sine(.flac)
    try await withPlayer([fileURI(path)]) { stage in
      try await stage.ready()
      let player = stage.player
      let answers = try await deadline(20, "all seeks are answered") {
        await withTaskGroup(of: Bool.self) { group in
          for number in 1...50 { group.addTask { await player.seek(to: .milliseconds(number * 30)) } }
          return await group.reduce(into: []) { $0.append($1) }
        }
      }
      #expect(answers.count == 50)
      #expect(answers.contains(true))
      let last = await player.seek(to: .milliseconds(700))
      #expect(last)
      #expect(player.snapshot.position == .milliseconds(700))
    }
  }

  @Test("A seek in the hand-over lands in the current item, and the next one still follows")
  func seekInHandOver() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: 88_203)
    let wavs = try await Media.continuousSine(samplesPerPart: 88_203, format: .wav).map { try samples(ofWAV: $0) }
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
      // Of the first item all has been read by then, and the second has been offered.
      try await stage.playing(pausedAt: .milliseconds(1500))
      #expect(await stage.player.seek(to: .milliseconds(500)))
      #expect(stage.player.snapshot.currentItem == stage.items[0])
      #expect(stage.player.snapshot.position == .milliseconds(500))
      let before = try tap.heard()
      #expect((1.4...1.9).contains(Double(before.count) / Double(Self.rate)))
      try await stage.playOut()
      #expect(difference(try tap.heard().dropFirst(before.count), wavs[0].dropFirst(22_050) + wavs[1]) == nil)
      #expect(
        stage.story.filter { if case .timeJumped = $0 { false } else { true } } == [
          .itemDidPlayToEnd(stage.items[0]), .currentItemChanged(from: stage.items[0], to: stage.items[1]),
          .itemDidPlayToEnd(stage.items[1]), .queueEnded,
        ])
    }
  }

  @Test("A seek beyond the end is at the end, and play then ends the item")
  func beyondEnd() async throws {
    let path = try await sine(.flac)
    try await withPlayer([fileURI(path)]) { stage in
      try await stage.ready()
      #expect(await stage.player.seek(to: .seconds(1000)))
      #expect(stage.player.snapshot.position == .seconds(2))
      try await stage.playOut()
      #expect(stage.story.suffix(2) == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
    }
  }

  @Test("An item that is held at its end plays again from its first sample, and is told to have ended twice")
  func heldAtEnd() async throws {
    let path = try await Media.continuousSine(samplesPerPart: 20_000)[0]
    try await withPlayer([fileURI(path), fileURI(path)]) { stage in
      stage.player.setActionAtItemEnd(.pause)
      stage.player.play()
      let held = try await stage.reaches("held") { $0.transport == .paused }
      #expect(held.position == held.duration)
      #expect(held.currentItem == stage.items[0])
      stage.player.play()
      let ended = PlayerEvent.itemDidPlayToEnd(stage.items[0])
      // The state may be seen before the record has the event.
      try await stage.event(ended, from: try await stage.event(ended) + 1)
      try await stage.reaches("held again") { $0.transport == .paused }
      #expect(stage.story == [ended, .timeJumped(from: held.position, to: .zero), ended])
      #expect(await stage.player.seek(to: .milliseconds(100)))
      #expect(stage.player.snapshot.position == .milliseconds(100))
      #expect(stage.player.snapshot.transport == .paused)
    }
  }

  @Test("A seek without anything loaded is answered with false")
  func nothingLoaded() async throws {
    let path = try await sine(.flac)
    try await withPlayer([fileURI(path)]) { stage in
      #expect(await stage.player.seek(to: .seconds(1)) == false)
      try await stage.ready()
      stage.player.stop()
      #expect(await stage.player.seek(to: .seconds(1)) == false)
    }
    try await withPlayer([]) { stage in #expect(await stage.player.seek(to: .seconds(1)) == false) }
  }

  @Test("Twice the rate takes half the time, and keeps the pitch")
  func rate() async throws {
    let path = try await sine(.flac)
    try await withTappedPlayer([fileURI(path)]) { stage, tap in
      stage.player.setRate(2)
      try await stage.playOut()
      let heard = try tap.heard()
      // The pitch filter swallows up to a tenth of a second at the end.
      #expect((0.85...1.02).contains(Double(heard.count) / Double(Self.rate)))
      let rises = zip(heard, heard.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
      let frequency = Double(rises) / Double(heard.count) * Double(Self.rate)
      #expect((310...352).contains(frequency))
    }
  }

  @Test("Another rate while playing keeps the place")
  func rateWhilePlaying() async throws {
    let path = try await sine(.flac)
    try await withPlayer([fileURI(path)]) { stage in
      try await stage.ready()
      #expect(await stage.player.seek(to: .seconds(1)))
      stage.player.setRate(4)
      #expect(stage.player.snapshot.rate == 4)
      #expect(stage.player.snapshot.position == .seconds(1))
      try await stage.playOut()
      #expect(stage.story.filter { if case .timeJumped = $0 { true } else { false } }.count == 1, "the seek alone")
      #expect(stage.failures.isEmpty)
    }
  }
}
