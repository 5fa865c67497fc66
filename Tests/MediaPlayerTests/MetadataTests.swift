import DBus
import MPRISService
import TestSupport
import Testing

@testable import MediaPlayer

/// Tests of the info that clients read and of its signals.
@Suite(.timeLimit(.minutes(2))) struct MetadataTests {
  @Test("Every key with an equivalent is an entry of Metadata")
  func allKeys() async throws {
    try await NowPlayingTest.playing { test in
      await test.turn {
        test.center.nowPlayingInfo = [
          MPMediaItemPropertyTitle: "Song", MPMediaItemPropertyArtist: "Artist", MPMediaItemPropertyAlbumTitle: "Album",
          MPMediaItemPropertyAlbumArtist: "Band", MPMediaItemPropertyGenre: "Jazz",
          MPMediaItemPropertyComposer: "Composer",
          MPMediaItemPropertyComments: "Comment", MPMediaItemPropertyLyrics: "La la",
          MPMediaItemPropertyAlbumTrackNumber: 3,
          MPMediaItemPropertyDiscNumber: 2, MPMediaItemPropertyPlaybackDuration: 180,
          MPMediaItemPropertyBeatsPerMinute: 120,
          MPMediaItemPropertyPlayCount: 7, MPMediaItemPropertyRating: 4,
          MPMediaItemPropertyReleaseDate: Date(timeIntervalSince1970: 0),
          MPNowPlayingInfoPropertyAssetURL: URL(fileURLWithPath: "/music/a b.flac"),
        ]
      }
      try await test.settle()
      let metadata = try await test.metadata()
      #expect(metadata["xesam:title"] == .string("Song"))
      #expect(metadata["xesam:artist"] == .strings(["Artist"]))
      #expect(metadata["xesam:album"] == .string("Album"))
      #expect(metadata["xesam:albumArtist"] == .strings(["Band"]))
      #expect(metadata["xesam:genre"] == .strings(["Jazz"]))
      #expect(metadata["xesam:composer"] == .strings(["Composer"]))
      #expect(metadata["xesam:comment"] == .strings(["Comment"]))
      #expect(metadata["xesam:trackNumber"] == .int32(3))
      #expect(metadata["xesam:discNumber"] == .int32(2))
      #expect(metadata["xesam:audioBPM"] == .int32(120))
      #expect(metadata["xesam:useCount"] == .int32(7))
      #expect(metadata["xesam:userRating"] == .double(0.8))
      #expect(metadata["xesam:contentCreated"] == .string("1970-01-01T00:00:00Z"))
      #expect(metadata["xesam:url"] == .string("file:///music/a%20b.flac"))
      #expect(metadata["mpris:length"] == .int64(180_000_000))
      // Metadata has at most 16 entries.
      await test.turn { test.center.nowPlayingInfo?[MPMediaItemPropertyComments] = nil }
      try await test.settle()
      #expect(try await test.metadata()["xesam:asText"] == .string("La la"))
    }
  }

  @Test("A podcast is the album of an item without one")
  func podcast() {
    let keys = [MPMediaItemPropertyTitle: "Episode", MPMediaItemPropertyPodcastTitle: "Podcast"]
    #expect(NowPlayingInfo(keys)?.album == "Podcast")
    #expect(NowPlayingInfo(keys.merging([MPMediaItemPropertyAlbumTitle: "Album"]) { $1 })?.album == "Album")
    #expect(NowPlayingInfo([:]) == nil && NowPlayingInfo(nil) == nil)
  }

  @Test("Changes within one turn of the main queue are one signal without the position")
  func coalescing() async throws {
    try await NowPlayingTest.playing { test in
      var events = test.service.events().makeAsyncIterator()
      let signals = try await test.signals {
        test.center.nowPlayingInfo?[MPMediaItemPropertyArtist] = "Artist"
        test.center.nowPlayingInfo?[MPMediaItemPropertyAlbumTitle] = "Album"
        test.center.playbackState = .paused
        test.commands.nextTrackCommand.addTarget { _ in .success }
        test.commands.previousTrackCommand.addTarget { _ in .success }
        test.commands.playCommand.isEnabled = false
      }
      // The service is woken up once; the second event is the jump that ends the signals.
      #expect(await events.next() == .changed)
      #expect(await events.next() == .seeked(to: .seconds(90)))
      #expect(signals.count == 1)
      let values = signals.first?.changedProperties?.values
      #expect(
        values.map { Set($0.keys) } == ["Metadata", "PlaybackStatus", "CanGoNext", "CanGoPrevious", "CanPlay"])
      #expect(values?["CanPlay"] == .boolean(false) && values?["PlaybackStatus"] == .string("Paused"))
    }
  }

  @Test("An info, a state and a command without a change cause no signal")
  func unchanged() async throws {
    try await NowPlayingTest.playing { test in
      try await test.settle()
      test.clock.advance(by: 5)
      let position = test.service.snapshot().position / .seconds(1)
      let signals = try await test.signals {
        for _ in 1...10 {
          test.center.nowPlayingInfo?[MPNowPlayingInfoPropertyElapsedPlaybackTime] = position
          test.center.playbackState = .playing
          test.commands.playCommand.isEnabled = true
          test.commands.pauseCommand.addTarget { _ in .success }
        }
        test.commands.likeCommand.addTarget { _ in .success }
        test.commands.skipForwardCommand.preferredIntervals = [15]
      }
      #expect(signals.map(\.member) == [])
    }
  }

  @Test("A jump is Seeked alone, and the position agrees with it")
  func seeked() async throws {
    try await NowPlayingTest.playing { test in
      let signals = try await test.signals {
        test.center.nowPlayingInfo?[MPNowPlayingInfoPropertyElapsedPlaybackTime] = 100
      }
      #expect(signals.map(\.member) == ["Seeked"])
      #expect(signals.first?.arguments == [.int64(100_000_000)])
      test.clock.advance(by: 3)
      let properties = try await test.properties()
      #expect(properties["Position"] == .int64(33_000_000))
    }
  }

  @Test("A player of the program determines the state of an info without a rate")
  func inferred() async throws {
    try await NowPlayingTest.playing { test in
      await test.turn { test.center.nowPlayingInfo?[MPNowPlayingInfoPropertyPlaybackRate] = nil }
      try await test.settle()
      #expect(try await test.properties()["PlaybackStatus"] == .string("Paused"))
      let player = ObjectIdentifier(test)
      for (plays, status) in [(true, "Playing"), (false, "Paused")] {
        let first = test.signals.count
        if plays { test.activity.add(player, plays: true) {} } else { test.activity.remove(player) }
        let signal = try await test.signals.first("the state", from: first).element
        #expect(signal.changedProperties?.values == ["PlaybackStatus": .string(status)])
      }
    }
  }

  @Test("The identity is that of the program")
  func identity() async throws {
    try await NowPlayingTest.playing { test in
      let root = try await test.properties(of: "org.mpris.MediaPlayer2")
      #expect(root["Identity"] == .string("Test Player") && root["DesktopEntry"] == .string("org.example.Test"))
      #expect(root["CanQuit"] == .boolean(false) && root["CanRaise"] == .boolean(false))
    }
  }
}
