import GstPlayer
import TestSupport
import Testing

@Suite("A playing player", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PlaybackTests {
  @Test("Commands are in the snapshot when they return, whatever the pipeline does")
  func immediate() async throws {
    let uris = try await Media.continuousSine(parts: 2).map(fileURI)
    try await withPlayer(uris) { stage in
      let player = stage.player
      #expect(player.snapshot.transport == .stopped)
      #expect(player.snapshot.itemCount == 2)
      #expect(player.items == stage.items)
      player.play()
      #expect(player.snapshot.transport == .playing)
      player.pause()
      #expect(player.snapshot.transport == .paused)
      player.next()
      #expect(player.snapshot.currentItem == stage.items[1])
      #expect(player.snapshot.currentIndex == 1)
      #expect(!player.snapshot.hasNext)
      #expect(player.snapshot.hasPrevious)
      player.setLoop(.playlist)
      #expect(player.snapshot.hasNext)
      player.setShuffled(true)
      #expect(player.snapshot.isShuffled)
      player.stop()
      #expect(player.snapshot.transport == .stopped)
      #expect(player.snapshot.timeControlStatus == .paused)
      player.remove(stage.items[1].id)
      #expect(player.items == [stage.items[0]])
      player.replaceQueue(with: [])
      #expect(player.snapshot.currentItem == nil)
    }
  }

  @Test("Read a thousand times from many threads, the position never goes back nor beyond the duration")
  func position() async throws {
    let uri = fileURI(try await Media.sine(seconds: 1))
    try await withPlayer([uri]) { stage in
      let player = stage.player
      try await stage.playing()
      let faults = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var (faults, last) = (0, Duration.zero)
            for _ in 0..<1000 {
              let snapshot = player.snapshot
              guard snapshot.transport == .playing, let duration = snapshot.duration else { continue }
              if snapshot.position < last || snapshot.position > duration { faults += 1 }
              last = snapshot.position
              await Task.yield()
            }
            return faults
          }
        }
        return await group.reduce(0, +)
      }
      #expect(faults == 0)
      try await stage.event(.queueEnded)
      #expect(player.snapshot.position == .zero)
    }
  }

  @Test("Paused, the position stands, and play goes on with the next sample")
  func pause() async throws {
    let path = try await Media.sine(seconds: 2)
    let original = try samples(ofWAV: try await Media.sine(seconds: 2, format: .wav))
    // With a descriptor sink samples were missing now and then after so many pauses; why is not known.
    try await withTappedPlayer([fileURI(path)], keeping: .sinceLastBreak) { stage, tap in
      try await stage.playing()
      for _ in 0..<25 {
        stage.player.pause()
        let held = stage.player.snapshot.position
        await Task.yield()
        #expect(stage.player.snapshot.position == held)
        #expect(stage.player.snapshot.timeControlStatus == .paused)
        stage.player.play()
        await Task.yield()
      }
      try await stage.event(.queueEnded)
      #expect(difference(try tap.heard(), original) == nil)
      #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
    }
  }

  @Test("Stop, then play, starts the item again from its first sample")
  func stopAndPlay() async throws {
    let path = try await Media.sine(seconds: 1)
    let original = try samples(ofWAV: try await Media.sine(seconds: 1, format: .wav))
    try await withTappedPlayer([fileURI(path)]) { stage, tap in
      // However late this is, it plays.
      stage.player.setLoop(.track)
      try await stage.playing()
      stage.player.stop()
      stage.player.setLoop(.none)
      #expect(stage.player.snapshot.position == .zero)
      #expect(stage.player.snapshot.currentItem == stage.items[0])
      try await stage.playOut()
      #expect(difference(try tap.heard().suffix(original.count), original) == nil)
    }
  }

  @Test("Next plays the next item from its first sample, and nothing more of the one before")
  func next() async throws {
    let long = fileURI(try await Media.sine(seconds: 5))
    let last = try await Media.sine(seconds: 0.4, frequency: 700)
    let original = try samples(ofWAV: try await Media.sine(seconds: 0.4, frequency: 700, format: .wav))
    try await withTappedPlayer([long, long, fileURI(last)]) { stage, tap in
      try await stage.playing()
      stage.player.next()
      stage.player.next()
      try await stage.event(.queueEnded)
      let heard = try tap.heard()
      #expect(difference(heard.suffix(original.count), original) == nil)
      // The first one's five seconds were left soon after their beginning.
      #expect(heard.count - original.count < 4 * 44_100)
      #expect(
        stage.story == [
          .currentItemChanged(from: stage.items[0], to: stage.items[1]),
          .currentItemChanged(from: stage.items[1], to: stage.items[2]),
          .itemDidPlayToEnd(stage.items[2]),
          .queueEnded,
        ])
    }
  }

  @Test("The volume is what is heard: half, none, and what is out of range is clamped")
  func volume() async throws {
    let path = fileURI(try await Media.sine(seconds: 0.3))
    try await withTappedPlayer([path]) { stage, tap in
      stage.player.setVolume(0.5)
      #expect(stage.player.snapshot.volume == 0.5)
      try await stage.playOut()
      let half = try tap.heard()
      #expect((8_100...8_200).contains(half.max() ?? 0))
      stage.player.setMuted(true)
      #expect(stage.player.snapshot.isMuted)
      #expect(stage.player.snapshot.volume == 0.5)
      let place = stage.events.count
      stage.player.play()
      try await stage.event(.queueEnded, from: place)
      let silence = try tap.heard().dropFirst(half.count)
      #expect(silence.count == half.count)
      #expect(silence.allSatisfy { $0 == 0 })
    }
    try await withPlayer([]) { stage in
      for (asked, got) in [(11.0, 10.0), (-1, 0), (.nan, 0), (.infinity, 0), (0.25, 0.25)] {
        stage.player.setVolume(asked)
        #expect(stage.player.snapshot.volume == got)
      }
    }
  }

  @Test("An output that cannot be opened is reported once, and no item is skipped")
  func impossibleOutput() async throws {
    let uris = try await Media.continuousSine(parts: 2).map(fileURI)
    try await withPlayer(uris, sink: "filesink location=/nonexistent/output") { stage in
      stage.player.play()
      try await stage.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
      #expect(stage.player.snapshot.transport == .playing)
      #expect(stage.player.snapshot.currentItem == stage.items[0])
      #expect(stage.player.snapshot.lastError?.code == .output)
      // The first retry, half a second later, tells of its start and of its failure, and is no other news.
      var place = stage.events.count
      for _ in 0..<2 { place = try await stage.event(.changed, from: place) + 1 }
      try await stage.reaches("no output again") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
      #expect(stage.story.count == 1)
      #expect(stage.failures.isEmpty)
      stage.player.pause()
      #expect(stage.player.snapshot.timeControlStatus == .paused)
      stage.player.stop()
      #expect(stage.player.snapshot.transport == .stopped)
    }
  }

  @Test("Of many changes in one decision there is one bare news, after what it tells of")
  func order() async throws {
    let uris = try await Media.continuousSine(parts: 2).map(fileURI)
    try await withPlayer(uris) { stage in
      try await stage.playOut()
      let events = stage.events.elements
      for (index, event) in events.enumerated() where event != .changed {
        guard case .warning = event else {
          let rest = events[index...].drop { $0 != .changed }
          #expect(!rest.isEmpty, "no news after \(event)")
          continue
        }
      }
      let change = try #require(events.firstIndex(of: .itemDidPlayToEnd(stage.items[0])))
      #expect(events[change + 1] == .currentItemChanged(from: stage.items[0], to: stage.items[1]))
      #expect(events[change + 2] == .changed)
      #expect(events.suffix(3) == [.itemDidPlayToEnd(stage.items[1]), .queueEnded, .changed])
    }
  }
}
