import GstPlayer
import Synchronization
import TestSupport
import Testing

@Suite("The life cycle of a player", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LifeTests {
  /// The state of a player when it is closed.
  enum State: String, CaseIterable, Sendable {
    case fresh, empty, loading, loadingFromMuteServer, paused, playing, seeking, inHandOver, stopped, ended,
      withoutOutput
  }

  @Test("Closing in any state stops all sound at once and ends streams and pending calls", arguments: State.allCases)
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
      let sink =
        state == .withoutOutput ? "filesink location=\(TemporaryDirectory.missing)/output" : "fakesink sync=true"
      let harness = PlayerHarness(uris, configuration: Player.Configuration(audioSink: sink))
      let player = harness.player
      switch state {
      case .fresh, .empty: break
      case .loading: player.play()
      case .loadingFromMuteServer:
        player.play()
        try await server.events.first("the request") { if case .requested = $0 { true } else { false } }
      case .paused: try await harness.ready()
      case .playing, .inHandOver, .seeking: try await harness.playing()
      case .stopped:
        try await harness.playing()
        player.stop()
      case .ended: try await harness.playToEnd()
      case .withoutOutput:
        player.play()
        try await harness.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
      }
      let seek = Task { state == .seeking ? await player.seek(to: .seconds(2)).isCompleted : false }
      let (other, last) = (player.events(), player.events())
      try await deadline(10, "closed, twice") {
        async let first: Void = player.close()
        async let second: Void = player.close()
        _ = await (first, second)
        for await _ in other {}
        for await _ in last {}
        _ = await seek.value
        await harness.end()
        for await _ in player.events() { Issue.record("an event after the end") }
      }
      let count = harness.events.count
      player.play()
      player.advanceToNextItem()
      #expect(await player.seek(to: .zero).isCompleted == false)
      #expect(harness.events.count == count)
      if state == .loadingFromMuteServer {
        try await server.events.first("the connection is closed") {
          if case .closed(_, _, byPeer: true) = $0 { true } else { false }
        }
      }
    }
  }

  @Test("Releasing a player during playback ends its streams and pending calls")
  func dropped() async throws {
    let uri = fileURI(try await Media.sine(seconds: 5))
    var player: Player? = Player(configuration: Player.Configuration(audioSink: "fakesink sync=true"))
    weak let watched = player
    let events = try #require(player).events()
    player?.replaceQueue(with: [Player.Item(uri: uri)])
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

  @Test("Several players play and close concurrently")
  func many() async throws {
    let uri = fileURI(try await Media.sine(seconds: 0.3))
    try await deadline(60, "all have played") {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { try await withPlayer([uri], inFastTime: false) { try await $0.playToEnd() } }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("After commands from many threads the player still plays")
  func hammered() async throws {
    let uris = try await Media.continuousSine(parts: 2).map(fileURI)
    try await withPlayer(uris, inFastTime: false) { harness in
      let player = harness.player
      try await deadline(60, "all commands are given") {
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<4 {
            group.addTask {
              for round in 0..<60 {
                switch (worker * 7 + round * 3) % 10 {
                case 0: player.play()
                case 1: player.pause()
                case 2: player.advanceToNextItem()
                case 3: player.returnToPreviousItem()
                case 4: player.stop()
                case 5: player.rate = round.isMultiple(of: 2) ? 1 : 2
                case 6: player.append(contentsOf: [Player.Item(uri: uris[round % 2])])
                case 7: player.isShuffled = round.isMultiple(of: 2)
                case 8: _ = await player.seek(to: .milliseconds(round * 10)).isCompleted
                default: player.loop = Player.LoopMode.allCases[round % 3]
                }
              }
            }
          }
        }
      }
      let last = Player.Item(uri: uris[0])
      player.rate = 1
      player.loop = .none
      player.replaceQueue(with: [last])
      let place = harness.events.count
      player.play()
      try await harness.event(.itemDidPlayToEnd(last), from: place)
      #expect(harness.failures.isEmpty)
    }
  }
}
