import DBus
import GstPlayer
import MPRISService
import Synchronization
import TestSupport
import Testing

@testable import AVFoundation
@testable import MediaPlayer

/// Tests of the appearance on the bus, of pictures and of sessions.
@Suite(.timeLimit(.minutes(2))) struct NowPlayingServiceTests {
  @Test("A program appears with its first handler, also without an info")
  func firstHandler() async throws {
    try await NowPlayingTest.run { test in
      _ = test.center.nowPlayingInfo
      #expect(await test.client.owner(of: NowPlayingTest.name) == nil)
      await test.turn { test.commands.togglePlayPauseCommand.addTarget { _ in .success } }
      try await test.appears()
      let properties = try await test.properties()
      #expect(properties["CanPlay"] == .boolean(true) && properties["PlaybackStatus"] == .string("Stopped"))
      #expect(properties["Metadata"] == .dictionary([]))
    }
  }

  @Test("A program appears with its first info")
  func firstInfo() async throws {
    try await NowPlayingTest.run { test in
      await test.turn { test.center.nowPlayingInfo = NowPlayingTest.song }
      try await test.appears()
      #expect(try await test.metadata()["xesam:title"] == .string("Song"))
      #expect(try await test.properties()["CanPause"] == .boolean(false))
    }
  }

  @Test("Without a bus, the values are kept")
  func noBus() async throws {
    let service = NowPlayingService(
      identity: .init(name: "Alone", desktopEntry: nil),
      artwork: ArtworkFiles(in: URL(fileURLWithPath: "/proc/nonexistent")), activity: PlaybackActivity(),
      address: { nil })
    await MainActor.run {
      service.centers.info.nowPlayingInfo = NowPlayingTest.song.merging(
        [MPMediaItemPropertyArtwork: MPMediaItemArtwork(data: Data([1]))]
      ) { $1 }
      service.centers.commands.playCommand.addTarget { _ in .success }
    }
    await NowPlayingTest.mainQueueIsFree()
    #expect(service.centers.info.nowPlayingInfo?[MPMediaItemPropertyTitle] as? String == "Song")
    #expect(service.snapshot().canPlay && service.snapshot().metadata.fields?.title == "Song")
    await service.end()
  }

  @Test("A picture in memory is a private file until another one replaces it")
  func artwork() async throws {
    try await NowPlayingTest.playing { test in
      func show(_ artwork: MPMediaItemArtwork?) async throws -> String? {
        await test.turn { test.center.nowPlayingInfo?[MPMediaItemPropertyArtwork] = artwork }
        try await test.settle()
        return try await test.metadata()["mpris:artUrl"]?.asString
      }
      let png = Data([0x89, 0x50, 0x4e, 0x47, 1])
      let first = try await show(MPMediaItemArtwork(data: png))
      let url = try #require(first.flatMap { URL(string: $0) })
      #expect(url.isFileURL && url.pathExtension == "png")
      #expect(try Data(contentsOf: url) == png)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      let size = CGSize(width: 600, height: 600)
      let same = try await show(MPMediaItemArtwork(boundsSize: size) { $0 == size ? png : nil })
      #expect(same == first)
      let other = try await show(MPMediaItemArtwork(data: Data([0xff, 0xd8, 0xff])))
      #expect(other?.hasSuffix(".jpg") == true && !FileManager.default.fileExists(atPath: url.path))
      let file = try await show(MPMediaItemArtwork(contentsOf: URL(fileURLWithPath: "/music/cover art.jpg")))
      #expect(file == "file:///music/cover%20art.jpg")
      #expect(try await show(nil) == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: test.folder.path) == [])
    }
  }

  @Test("The pictures of a process that has ended are removed")
  func abandoned() async throws {
    try await withTemporaryDirectory { directory in
      let folder = URL(fileURLWithPath: directory.file("artwork"))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let names = ["\(Int32.max)-1.png", "1-1.png", "notes.txt"]
      for name in names {
        try Data().write(to: folder.appendingPathComponent(name))
      }
      let files = ArtworkFiles(in: folder)
      #expect(files.url(of: MPMediaItemArtwork(data: Data([1]))) != nil)
      files.remove()
      #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["1-1.png", "notes.txt"])
    }
  }

  @Test("The active session is shown instead of the program's centers, until it is released")
  func session() async throws {
    try await NowPlayingTest.playing { test in
      let activity = EventLog<Bool>()
      let delegate = Delegate(activity)
      var session: MPNowPlayingSession? = MPNowPlayingSession(players: [], test.service)
      session?.delegate = delegate
      session?.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingTest.song.merging(
        [MPMediaItemPropertyTitle: "Other"]
      ) { $1 }
      session?.remoteCommandCenter.nextTrackCommand.addTarget { _ in .success }
      try await test.settle()
      #expect(try await test.metadata()["xesam:title"] == .string("Song"))
      #expect(await session?.becomeActiveIfPossible() == true && session?.isActive == true)
      await NowPlayingTest.mainQueueIsFree()
      #expect(try await test.metadata()["xesam:title"] == .string("Other"))
      #expect(try await test.properties()["CanGoNext"] == .boolean(true))
      #expect(activity.elements == [true])
      session = nil
      await NowPlayingTest.mainQueueIsFree()
      try await test.settle()
      #expect(try await test.metadata()["xesam:title"] == .string("Song"))
      #expect(try await test.properties()["CanGoNext"] == .boolean(false))
      withExtendedLifetime(delegate) {}
    }
  }

  @Test(
    "An automatic session shows the item, the duration and the rate of its player",
    .enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
  func automaticSession() async throws {
    let song = URL(fileURLWithPath: try await Media.sine(seconds: 20))
    try await NowPlayingTest.run { test in
      let player = PlayerDefaults.$configuration.withValue(
        Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60))
      ) { AVPlayer(url: song) }
      player.currentItem?.nowPlayingInfo = [MPMediaItemPropertyTitle: "First"]
      let session = MPNowPlayingSession(players: [player], test.service)
      session.automaticallyPublishesNowPlayingInfo = true
      await session.becomeActiveIfPossible()
      let client = try await MPRISClient { [address = test.bus.address] in address }
      for await owner in try await test.client.owners(of: NowPlayingTest.name) where owner != nil { break }
      let remote = try await client.player(named: "test_player")
      let states = EventLog<MPRISRemotePlayerState>()
      let reading = Task { for await case .changed(let state) in try await remote.events() { states.append(state) } }
      defer { reading.cancel() }
      try await states.first("the duration", within: 20) {
        $0.metadata.title == "First" && $0.metadata.length == .seconds(20) && $0.status == .paused
      }
      player.play()
      try await states.first("the song plays", within: 20) { $0.status == .playing }
      player.currentItem?.nowPlayingInfo = [MPMediaItemPropertyTitle: "Second"]
      try await states.first("the other title", within: 20) { $0.metadata.title == "Second" }
      player.rate = 0
      try await states.first("the pause", from: 1, within: 20) {
        $0.metadata.title == "Second" && $0.status == .paused
      }
      session.automaticallyPublishesNowPlayingInfo = false
      #expect(!session.automaticallyPublishesNowPlayingInfo)
      session.removePlayer(player)
      #expect(session.players.isEmpty)
      await client.close()
    }
  }

  @Test(
    "An info with a rate of 1 is paused when the last item of the program has ended",
    .enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)), arguments: [true, false])
  func endOfPlayback(isQueue: Bool) async throws {
    let item = AVPlayerItem(url: URL(fileURLWithPath: try await Media.sine(seconds: 0.5)))
    try await NowPlayingTest.playing { test in
      let configuration = Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60))
      let player = PlayerDefaults.$configuration.withValue(configuration) {
        PlayerDefaults.$activity.withValue(test.activity) {
          isQueue ? AVQueuePlayer(items: [item]) : AVPlayer(playerItem: item)
        }
      }
      player.play()
      let signal = try await test.signals.first("the end", within: 20) {
        $0.changedProperties?.values["PlaybackStatus"] != nil
      }
      #expect(signal.element.changedProperties?.values["PlaybackStatus"] == .string("Paused"))
      #expect(
        player.rate == (isQueue ? 1 : 0)
          && test.center.nowPlayingInfo?[MPNowPlayingInfoPropertyPlaybackRate] as? Double == 1)
    }
  }

  private final class Delegate: MPNowPlayingSessionDelegate {
    let activity: EventLog<Bool>

    init(_ activity: EventLog<Bool>) { self.activity = activity }

    func nowPlayingSessionDidChangeActive(_ session: MPNowPlayingSession) { activity.append(session.isActive) }
  }
}
