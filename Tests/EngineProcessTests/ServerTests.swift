import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("The engine's side of the socket") struct ServerTests {
  /// An engine that records its commands.
  private final class ScriptedEngine: PlaybackEngine {
    let commands = EventLog<EngineCommand>()
    let clients = EventLog<EngineClient>()
    let closes = EventLog<Void>()

    func open(_ client: EngineClient) { clients.append(client) }
    func perform(_ command: EngineCommand) { commands.append(command) }
    let delivered = Mutex<Duration?>(nil)
    func progress(of stream: StreamToken) -> StreamProgress? {
      var progress = StreamProgress()
      delivered.withLock { if let time = $0 { progress.deliver(until: time) } }
      return progress
    }
    func close() { closes.append(()) }
    func closed() async {}
  }

  /// A server with a scripted engine, and the player's channel to it.
  private struct Ends {
    let engine = ScriptedEngine()
    let loop = PollLoop(name: "server-test")
    let reports = EventLog<EngineReport>()
    let ends = EventLog<String?>()
    let limits = EventLog<Int>()
    let times = EventLog<Duration>()
    let server: EngineServer
    let player: EngineChannel

    init() throws {
      let (one, other) = try #require(EngineChannel.makeSockets())
      let (engine, reports, ends, limits, times) = (engine, reports, ends, limits, times)
      server = EngineServer(
        on: loop, makeEngine: { _ in engine }, service: ScriptedService(), limit: { limits.append($0) },
        allowTime: { times.append($0) }, ended: { ends.append($0) })
      server.serve(one)
      player = EngineChannel(
        other, on: loop, receive: { reports.append(try EngineProtocol.decode(EngineReport.self, from: $0)) },
        ended: { _ in })
      player.open()
    }

    func send(_ request: EngineRequest) throws { player.send(try EngineProtocol.encode(request)) }

    /// Starts the engine, and returns its client.
    func start() async throws -> EngineClient {
      try send(.start(Player.Configuration()))
      return try await engine.clients.first("the engine is opened").element
    }

    func close() {
      player.close()
      loop.stop()
    }
  }

  @Test("Commands arrive in order, and pings are answered after them")
  func commands() async throws {
    let ends = try Ends()
    defer { ends.close() }
    _ = try await ends.start()
    for command in Samples.commands { try ends.send(.command(command)) }
    try ends.send(.ping(3))
    try await ends.reports.first("the answer") { if case .answer(3) = $0 { true } else { false } }
    #expect(ends.engine.commands.elements == Samples.commands)
    #expect(ends.limits.elements == [512 << 20])
  }

  @Test("A command and audio at the output allow more CPU time; a measurement and a ping alone do not")
  func time() async throws {
    let ends = try Ends()
    defer { ends.close() }
    let client = try await ends.start()
    /// Sends a message, and returns the number of times that CPU time was allowed until it was handled.
    func count(_ ping: Int, after request: EngineRequest) async throws -> Int {
      try ends.send(request)
      try ends.send(.ping(ping))
      try await ends.reports.first("the answer") { if case .answer(ping) = $0 { true } else { false } }
      return ends.times.count
    }
    #expect(try await count(1, after: .command(.plan([PlannedPart(StreamToken(number: 1))]))) == 1)
    #expect(try await count(2, after: .command(.samplePosition(of: StreamToken(number: 1)))) == 1)
    ends.engine.delivered.withLock { $0 = .seconds(1) }
    #expect(try await count(3, after: .command(.samplePosition(of: StreamToken(number: 1)))) == 2)
    #expect(try await count(4, after: .command(.samplePosition(of: StreamToken(number: 1)))) == 2)
    #expect(try await count(5, after: .command(.setPlaying(true))) == 3)
    ends.engine.delivered.withLock { $0 = .seconds(2) }
    client.report(.warning("an event"))
    try await ends.times.first("the check after an event", from: 3)
    #expect(Set(ends.times.elements) == [.seconds(60)])
  }

  @Test("Of a flood of messages of a library, the first ones are sent, and one that ends the process")
  func floodOfMessages() async throws {
    let ends = try Ends()
    defer { ends.close() }
    for number in 0..<LogLimit.count * 5 { ends.server.log("\(number)", isFatal: false) }
    ends.server.log("the last one", isFatal: true)
    try await ends.reports.first("the last message") { if case .log(_, isFatal: true) = $0 { true } else { false } }
    let messages = ends.reports.elements.compactMap { if case .log(let text, _) = $0 { text } else { nil } }
    #expect(messages == (0..<LogLimit.count).map(String.init) + ["the last one"])
  }

  @Test(
    "An unknown message, a second start, a command before the start and wrong values end the connection with the reason"
  )
  func wrongMessages() async throws {
    let commands = Samples.impossibleCommands
    for index in 0..<3 + commands.count {
      let ends = try Ends()
      switch index {
      case 0: ends.player.send([1, 2, 3])
      case 1: try ends.send(.command(.plan([])))
      case 2:
        _ = try await ends.start()
        try ends.send(.start(Player.Configuration()))
      default:
        _ = try await ends.start()
        try ends.send(.command(commands[index - 3]))
      }
      let reason = try await ends.ends.first("the end").element
      #expect(reason?.hasPrefix("it sent an invalid message: ") == true)
      ends.close()
    }
  }

  @Test("The request to close closes the engine before the end")
  func close() async throws {
    let ends = try Ends()
    defer { ends.close() }
    _ = try await ends.start()
    try ends.send(.close)
    let reason = try await ends.ends.first("the end").element
    #expect(reason == nil)
    #expect(ends.engine.closes.count == 1)
  }

  @Test("The end of the player's socket ends the server")
  func playerGone() async throws {
    let ends = try Ends()
    _ = try await ends.start()
    ends.player.close()
    let reason = try await ends.ends.first("the end").element
    #expect(reason == nil)
    ends.loop.stop()
  }
}
