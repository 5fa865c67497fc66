import TestSupport
import Testing

@testable import Playback

/// A player on a scripted engine with a clock that stands.
private struct ScriptedPlayer {
  let engine = ScriptedEngine()
  let clock = ManualClock()
  let player: Player
  let items: [Player.Item]

  init(_ count: Int) {
    player = Player(
      configuration: Player.Configuration(), engine: engine, clock: clock, observers: ImmediateExecutor())
    items = (0..<count).map { Player.Item(uri: "file:///\($0)") }
    player.replaceQueue(with: items)
  }

  /// The stream that was opened last.
  private var stream: StreamToken {
    var last = StreamToken(number: 0)
    for case .open(let request) in engine.commands { last = request.stream }
    return last
  }

  var loads: Int { engine.commands.count { if case .open = $0 { true } else { false } } }

  func settle() { engine.report(.stream(stream, .settled(StreamFacts(duration: .seconds(60))))) }

  func fail(_ code: PlayerError.Code) {
    engine.report(.stream(stream, .failed(PlayerError(code: code, message: "scripted"))))
  }

  /// Begins to wait; when it returns, the waiter is registered.
  func prepare() -> Task<Void, any Error> {
    Task.immediate { [player] in try await player.prepare() }
  }

  /// Returns the error with which a wait ends, nil for success.
  func error(of task: Task<Void, any Error>) async throws -> (any Error)? {
    try await deadline(10, "the preparation ends") {
      do {
        try await task.value
        return nil
      } catch { return error }
    }
  }
}

/// A case of the tables below: an action during the wait, and the code of the resulting error.
private struct Interruption: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let code: PlayerError.Code?
  let act: @Sendable (ScriptedPlayer) async -> Void

  init(_ description: String, _ code: PlayerError.Code?, _ act: @escaping @Sendable (ScriptedPlayer) async -> Void) {
    (testDescription, self.code, self.act) = (description, code, act)
  }
}

@Suite("Awaited preparation") struct PreparationTests {
  private static let interruptions: [Interruption] = [
    Interruption("ready", nil) { $0.settle() },
    Interruption("play, then ready", nil) {
      $0.player.play()
      $0.settle()
    },
    Interruption("seek, then ready", nil) {
      $0.player.seek(to: .seconds(5))
      $0.settle()
    },
    Interruption("another item added, then ready", nil) {
      $0.player.append(contentsOf: [Player.Item(uri: "file:///new")])
      $0.settle()
    },
    Interruption("failure", .corrupt) { $0.fail(.corrupt) },
    Interruption("load time-out", .loadTimeout) { $0.clock.advance(by: .seconds(10)) },
    Interruption("next item", .cancelled) { $0.player.advanceToNextItem() },
    Interruption("another item", .cancelled) { $0.player.play(item: $0.items[1].id) },
    Interruption("another queue", .cancelled) { $0.player.replaceQueue(with: [Player.Item(uri: "file:///new")]) },
    Interruption("removal", .cancelled) { $0.player.remove($0.items[0].id) },
    Interruption("empty queue", .cancelled) { $0.player.replaceQueue(with: []) },
    Interruption("stop", .cancelled) { $0.player.stop() },
    Interruption("close", .cancelled) { await $0.player.close() },
  ]

  @Test(
    "A preparation ends with its item's readiness or failure, or when the item is no longer being opened",
    arguments: interruptions)
  private func ends(interruption: Interruption) async throws {
    let scripted = ScriptedPlayer(2)
    let (first, second) = (scripted.prepare(), scripted.prepare())
    #expect(scripted.player.snapshot.transport == .paused)
    #expect(scripted.loads == 1)
    await interruption.act(scripted)
    for task in [first, second] {
      let error = try await scripted.error(of: task)
      #expect((error as? PlayerError)?.code == interruption.code)
      #expect((error == nil) == (interruption.code == nil))
    }
    await scripted.player.close()
  }

  @Test("A preparation of a ready item returns at once, paused or playing, and does not load it again")
  func ready() async throws {
    let scripted = ScriptedPlayer(1)
    scripted.player.load()
    scripted.settle()
    #expect(try await scripted.error(of: scripted.prepare()) == nil)
    scripted.player.play()
    #expect(try await scripted.error(of: scripted.prepare()) == nil)
    #expect(scripted.player.snapshot.transport == .playing)
    #expect(scripted.loads == 1)
    await scripted.player.close()
  }

  @Test("A preparation after a stop loads the item again")
  func stopped() async throws {
    let scripted = ScriptedPlayer(1)
    scripted.player.load()
    scripted.settle()
    scripted.player.stop()
    let task = scripted.prepare()
    #expect(scripted.loads == 2)
    scripted.settle()
    #expect(try await scripted.error(of: task) == nil)
    await scripted.player.close()
  }

  @Test("A failed item can be prepared again")
  func failed() async throws {
    let scripted = ScriptedPlayer(1)
    for code in [PlayerError.Code.corrupt, .notFound] {
      let task = scripted.prepare()
      scripted.fail(code)
      #expect((try await scripted.error(of: task) as? PlayerError)?.code == code)
    }
    await scripted.player.close()
  }

  @Test("A cancelled preparation throws CancellationError, and the item is still loaded")
  func cancelled() async throws {
    let scripted = ScriptedPlayer(1)
    let (task, other) = (scripted.prepare(), scripted.prepare())
    task.cancel()
    scripted.clock.advance(by: .zero)
    #expect(try await scripted.error(of: task) is CancellationError)
    #expect(scripted.player.snapshot.transport == .paused)
    scripted.settle()
    #expect(try await scripted.error(of: other) == nil)
    #expect(scripted.player.snapshot.itemStatus == .readyToPlay)
    await scripted.player.close()
  }

  @Test("A preparation in a cancelled task does not load the item")
  func cancelledBefore() async throws {
    let scripted = ScriptedPlayer(1)
    let task = Task.immediate { [player = scripted.player] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await player.prepare()
    }
    #expect(try await scripted.error(of: task) is CancellationError)
    #expect(scripted.loads == 0)
    await scripted.player.close()
  }

  @Test("A preparation without an item, or of a closed player, throws at once")
  func nothing() async throws {
    let scripted = ScriptedPlayer(0)
    #expect((try await scripted.error(of: scripted.prepare()) as? PlayerError)?.code == .invalidArgument)
    await scripted.player.close()
    #expect((try await scripted.error(of: scripted.prepare()) as? PlayerError)?.code == .cancelled)
  }
}
