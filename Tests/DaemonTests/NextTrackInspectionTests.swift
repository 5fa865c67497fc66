import EventLoop
import Playback
import Synchronization
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService

@Suite("Inspection of the next track") struct NextTrackInspectionTests {
  /// A host whose time the test advances.
  private final class ManualHost: LoopHost {
    private let instant = Mutex(SuspendingClock.now)
    var now: SuspendingClock.Instant { instant.withLock { $0 } }
    var isCurrent: Bool { true }
    func start(_ loop: PollLoop) {}
    func wake() {}
    func advance(_ loop: PollLoop, by duration: Duration) {
      instant.withLock { $0 = $0.advanced(by: duration) }
      loop.runDueTimers()
    }
  }

  private struct Harness {
    let engine = SilentEngine()
    let player: Player
    let items = (1...3).map { Player.Item(uri: "file:///nowhere/\($0).flac") }
    let host = ManualHost()
    let loop: PollLoop
    let inspected = EventLog<String>()
    let inspection: NextTrackInspection

    init() {
      player = Player(
        configuration: Player.Configuration(), engine: engine, clock: StandingClock(), observers: DirectExecutor())
      loop = PollLoop(name: "test", on: host)
      inspection = NextTrackInspection(player, on: loop) { [inspected] in inspected.append($0.uri) }
      player.replaceQueue(with: items)
      player.play()
      inspection.follow(player.snapshot)
    }

    func ready() {
      engine.settle(StreamFacts(duration: .seconds(60)))
      inspection.follow(player.snapshot)
    }

    func advance(by duration: Duration) { host.advance(loop, by: duration) }
  }

  @Test("The next track is inspected once, after a delay that begins when the current one is ready")
  func delay() {
    let harness = Harness()
    harness.advance(by: .seconds(20))
    #expect(harness.inspected.elements.isEmpty)
    harness.ready()
    harness.advance(by: NextTrackInspection.delay - .milliseconds(1))
    #expect(harness.inspected.elements.isEmpty)
    harness.advance(by: .milliseconds(1))
    #expect(harness.inspected.elements == [harness.items[1].uri])
    harness.inspection.follow(harness.player.snapshot)
    harness.advance(by: .seconds(20))
    #expect(harness.inspected.count == 1)
  }

  @Test("An edit of the queue begins the delay again; a pause, a skip and low power mode prevent the inspection")
  func conditions() {
    let harness = Harness()
    harness.ready()
    harness.advance(by: .seconds(6))
    harness.player.remove(harness.items[1].id)
    harness.inspection.follow(harness.player.snapshot)
    harness.advance(by: .seconds(6))
    #expect(harness.inspected.elements.isEmpty)
    harness.player.pause(fading: false)
    harness.inspection.follow(harness.player.snapshot)
    harness.advance(by: .seconds(20))
    harness.player.play()
    harness.inspection.follow(harness.player.snapshot)
    harness.player.isLowPowerModeEnabled = true
    harness.advance(by: .seconds(20))
    #expect(harness.inspected.elements.isEmpty)
    harness.player.isLowPowerModeEnabled = false
    harness.player.append(contentsOf: [Player.Item(uri: "file:///nowhere/4.flac")])
    harness.inspection.follow(harness.player.snapshot)
    harness.advance(by: NextTrackInspection.delay)
    #expect(harness.inspected.elements == [harness.items[2].uri])
  }
}
