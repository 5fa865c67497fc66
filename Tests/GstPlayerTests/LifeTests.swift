import GstPlayer
import Synchronization
import TestSupport
import Testing

@Suite("A player's life", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LifeTests {
  /// What a player does when it is closed.
  enum State: String, CaseIterable, Sendable {
    case fresh, empty, loading, loadingFromMuteServer, paused, playing, seeking, inHandOver, stopped, ended,
      withoutOutput
  }

  @Test("Closed in any state, it is silent at once, and every stream and every wait ends", arguments: State.allCases)
  func close(state: State) async throws {
    let path = fileURI(try await Media.sine(seconds: state == .ended ? 0.2 : 5))
    let short = try await Media.continuousSine(parts: 2).map(fileURI)
    try await withHTTPServer { server in
      let uris =
        switch state {
        case .empty: [String]()
        case .loadingFromMuteServer: [server.script("/mute", .silence)]
        case .inHandOver: short
        default: [path]
        }
      let sink = state == .withoutOutput ? "filesink location=/nonexistent/output" : "fakesink sync=true"
      let stage = Stage(uris, configuration: PlayerConfiguration(audioSink: sink))
      let player = stage.player
      switch state {
      case .fresh, .empty: break
      case .loading: player.play()
      case .loadingFromMuteServer:
        player.play()
        try await server.events.first("the request") { if case .requested = $0 { true } else { false } }
      case .paused: try await stage.ready()
      case .playing, .inHandOver, .seeking: try await stage.playing()
      case .stopped:
        try await stage.playing()
        player.stop()
      case .ended: try await stage.playOut()
      case .withoutOutput:
        player.play()
        try await stage.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
      }
      let seek = Task { state == .seeking ? await player.seek(to: .seconds(2)) : false }
      let (other, last) = (player.events(), player.events())
      try await deadline(10, "closed, twice") {
        async let first: Void = player.close()
        async let second: Void = player.close()
        _ = await (first, second)
        for await _ in other {}
        for await _ in last {}
        _ = await seek.value
        await stage.end()
        for await _ in player.events() { Issue.record("an event after the end") }
      }
      let count = stage.events.count
      player.play()
      player.next()
      #expect(await player.seek(to: .zero) == false)
      #expect(stage.events.count == count)
      if state == .loadingFromMuteServer {
        try await server.events.first("the connection is closed") {
          if case .closed(_, _, byPeer: true) = $0 { true } else { false }
        }
      }
    }
  }

  @Test("A player that is dropped while it plays ends its streams and its waits")
  func dropped() async throws {
    let uri = fileURI(try await Media.sine(seconds: 5))
    var player: Player? = Player(configuration: PlayerConfiguration(audioSink: "fakesink sync=true"))
    weak let watched = player
    let events = try #require(player).events()
    player?.replaceQueue(with: [PlayerItem(uri: uri)])
    player?.play()
    var isPlaying = false
    let collected = Mutex(0)
    for await _ in events {
      collected.withLock { $0 += 1 }
      guard player?.snapshot.timeControlStatus == .playing, !isPlaying else { continue }
      isPlaying = true
      player = nil
    }
    #expect(isPlaying)
    #expect(watched == nil)
  }

  @Test("Many players play at once and close")
  func many() async throws {
    let uri = fileURI(try await Media.sine(seconds: 0.3))
    try await deadline(60, "all have played") {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { try await withPlayer([uri]) { try await $0.playOut() } }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("Commands from many threads at once leave a player that plays")
  func hammered() async throws {
    let uris = try await Media.continuousSine(parts: 2).map(fileURI)
    try await withPlayer(uris) { stage in
      let player = stage.player
      try await deadline(60, "all commands are given") {
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<4 {
            group.addTask {
              for round in 0..<60 {
                switch (worker * 7 + round * 3) % 10 {
                case 0: player.play()
                case 1: player.pause()
                case 2: player.next()
                case 3: player.previous()
                case 4: player.stop()
                case 5: player.setRate(round.isMultiple(of: 2) ? 1 : 2)
                case 6: player.insert([PlayerItem(uri: uris[round % 2])])
                case 7: player.setShuffled(round.isMultiple(of: 2))
                case 8: _ = await player.seek(to: .milliseconds(round * 10))
                default: player.setLoop(LoopMode.allCases[round % 3])
                }
              }
            }
          }
        }
      }
      let last = PlayerItem(uri: uris[0])
      player.setRate(1)
      player.setLoop(.none)
      player.replaceQueue(with: [last])
      let place = stage.events.count
      player.play()
      try await stage.event(.itemDidPlayToEnd(last), from: place)
      #expect(stage.failures.isEmpty)
    }
  }
}
