import DBus
import TestSupport
import Testing

/// Tests of the signals during playback: one for each transition, and no others.
@Suite
struct SignalTests {
  @Test("A gapless change of tracks is one PropertiesChanged, and playback before and after emits no signals")
  func trackChange() async throws {
    let first = try await Media.sine(seconds: 1.2, format: .flac, tags: Tags(title: "First"))
    let second = try await Media.sine(seconds: 1.2, format: .flac, tags: Tags(title: "Second"))
    try await withDaemon(["--paused", first, second]) { daemon in
      try await daemon.opened(titled: "First")
      let mark = daemon.signals.count
      try await daemon.call("Play")
      try await daemon.changed("PlaybackStatus", from: mark) { $0 == .string("Stopped") }
      try await daemon.barrier()
      let changes = daemon.signals.elements[mark...].map { $0.changes.map { Set($0.keys) } }
      #expect(changes.count == 3, "\(daemon.signals.elements[mark...])")
      #expect(changes.first == ["PlaybackStatus"])
      #expect(changes.dropFirst().first == ["Metadata", "CanGoNext", "CanGoPrevious"])
      #expect(changes.last == ["PlaybackStatus", "CanSeek"])
    }
  }

  @Test("A skip is one PropertiesChanged that already has the tags of the new track")
  func skip() async throws {
    let first = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    let second = try await Media.sine(seconds: 20, format: .mp3, tags: Tags(title: "Second"))
    try await withDaemon([first, second]) { daemon in
      try await daemon.opened(titled: "First")
      let mark = daemon.signals.count
      try await daemon.call("Next")
      try await daemon.titled("Second", from: mark)
      try await daemon.call("Seek", [.int64(1_000_000)])
      _ = try await daemon.signals.first(from: mark) { $0.isSeeked }
      try await daemon.barrier()
      let signals = daemon.signals.elements[mark...]
      #expect(signals.map(\.member) == ["PropertiesChanged", "Seeked"], "\(signals)")
    }
  }

  @Test("A seek is one Seeked with the new position, and Position is never in PropertiesChanged")
  func seek() async throws {
    let first = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withDaemon(["--paused", first]) { daemon in
      try await daemon.opened(titled: "First")
      let mark = daemon.signals.count
      guard let track = try await daemon.metadata("mpris:trackid") else { throw UnexpectedReply(text: "no track id") }
      try await daemon.call("SetPosition", [track, .int64(7_000_000)])
      let seeked = try await daemon.signals.first(from: mark) { $0.isSeeked }
      #expect(seeked.element.arguments == [.int64(7_000_000)])
      try await daemon.call("SetPosition", [.objectPath("/org/playerd/track/999"), .int64(1_000_000)])
      try await daemon.call("SetPosition", [track, .int64(-1)])
      try await daemon.call("SetPosition", [track, .int64(20_000_001)])
      #expect(try await daemon.position() == 7_000_000)
      #expect(daemon.signals.count == mark + 1)
      #expect(!daemon.signals.elements.contains { $0.changes?["Position"] != nil })
    }
  }

  @Test("Play while playing, Pause while paused and setting an unchanged value emit no signal")
  func idempotent() async throws {
    let first = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([first]) { daemon in
      try await daemon.opened(titled: "First")
      let mark = daemon.signals.count
      try await daemon.call("Play")
      try await daemon.set("Volume", .double(1))
      try await daemon.set("LoopStatus", .string("None"))
      try await daemon.set("Rate", .int32(1))
      try await daemon.barrier()
      #expect(daemon.signals.count == mark)
      try await daemon.call("Pause")
      try await daemon.call("Pause")
      try await daemon.changed("PlaybackStatus", from: mark)
      try await daemon.barrier()
      #expect(daemon.signals.elements[mark...].map { $0.changes } == [["PlaybackStatus": .string("Paused")]])
    }
  }

  @Test("Each repetition of a looped track is one PropertiesChanged with a new track ID, and no Seeked")
  func loopTrack() async throws {
    let only = try await Media.sine(seconds: 0.8, format: .flac, tags: Tags(title: "Only"))
    try await withDaemon(["--loop", "track", "--paused", only]) { daemon in
      try await daemon.titled("Only")
      try await daemon.barrier()
      let mark = daemon.signals.count
      try await daemon.call("Play")
      let before = try await daemon.get("Metadata").asDictionary
      let track = try #require(before?["mpris:trackid"]?.asObjectPath)
      let second = try await daemon.changed("Metadata", from: mark)
      let third = try await daemon.changed("Metadata", from: second.index + 1)
      let received = daemon.signals.elements[mark...third.index]
      #expect(received.allSatisfy { !$0.isSeeked })
      var changes = received.compactMap { $0.changes }
      #expect(changes.removeFirst() == ["PlaybackStatus": .string("Playing")])
      for (passage, change) in zip(2...3, changes) {
        var metadata = try #require(change["Metadata"]?.asDictionary)
        #expect(change.count == 1)
        #expect(
          metadata.updateValue(.objectPath(track), forKey: "mpris:trackid")?.asObjectPath?.rawValue
            == "\(track.rawValue)/\(passage)")
        #expect(metadata == before)
      }
    }
  }

  @Test("The position follows the clock: it never decreases and never exceeds the duration")
  func position() async throws {
    let first = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon(["--paused", first]) { daemon in
      try await daemon.titled("First")
      // The output needs some time to start.
      try await daemon.plays(past: 500_000)
      let clock = ContinuousClock()
      let epoch = clock.now
      var last: Int64 = 0
      // The position minus the wall time is between these, at whatever time during the call the daemon read it.
      var lowest = -Double.infinity
      var highest = Double.infinity
      for _ in 0..<1000 {
        let before = epoch.duration(to: clock.now) / .milliseconds(1)
        let position = try await daemon.position()
        let after = epoch.duration(to: clock.now) / .milliseconds(1)
        #expect(position >= last && position <= 60_000_000)
        last = position
        lowest = max(lowest, Double(position) / 1000 - after)
        highest = min(highest, Double(position) / 1000 - before)
      }
      #expect(lowest - highest < 100, "the position deviates by \(lowest - highest) ms")
    }
  }
}
