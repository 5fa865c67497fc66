import Dispatch
import Glibc
import Playback
import Synchronization
import TestSupport

@testable import GstPlayer
@testable import Simulation

/// A run of a script with GStreamer, in logical time.
///
/// The time advances only when every other thread of the process sleeps: GStreamer has read and written as far as it can.
/// Then it advances to the next step, wake-up of the player or of the engine, or buffer of the output.
final class RealRun {
  /// The real time after which a run is given up whose threads do not rest; it does not affect a run that succeeds.
  private static let patience = DispatchTimeInterval.seconds(30)
  /// The real time after which the threads are checked again.
  private static let pause = DispatchTimeInterval.microseconds(200)

  /// The queue of all runs: one at a time, because each occupies its thread.
  private static let queue = DispatchQueue(label: "real-run")

  private let world: World
  private let output: LogicalClock
  /// The clock of the engine, which has wake-ups of its own.
  private let engineClock: VirtualClock
  private let engineQueue: EngineQueue
  /// Is never signalled.
  private let pauses = DispatchSemaphore(value: 0)
  /// The clock of the servers; nil if no server of the script is slow.
  private let delivery: DeliveryClock?
  /// The reason why the run was given up.
  private(set) var fault: String?

  /// The queue on which the engine carries out commands; nil before its first clock.
  private final class EngineQueue: Sendable {
    let queue = Mutex<DispatchQueue?>(nil)
  }

  /// The result of a run.
  struct Result: Sendable {
    var trace: RunTrace
    var fault: String?
  }

  /// Runs a script with the files of its media; the calling thread waits.
  static func run(_ script: AgreementScript) async -> Result {
    let (result, player) = await withCheckedContinuation { continuation in
      queue.async {
        let run = RealRun(script)
        run.run()
        let trace = RunTrace(run.world.player.recording, until: run.world.clock.now.nanoseconds)
        run.output.close()
        continuation.resume(returning: (Result(trace: trace, fault: run.fault), run.world.player.player))
      }
    }
    await player.close()
    return result
  }

  private init(_ script: AgreementScript) {
    let engineClock = VirtualClock()
    let output = LogicalClock(time: { engineClock.now.nanoseconds })
    var configuration = Player.Configuration(audioSink: output.sink)
    // Some limits of the engine are in real time.
    configuration.pipelineTimeout = .seconds(60)
    configuration.loadTimeout = .seconds(60)
    let engineQueue = EngineQueue()
    let engine = DeckEngine(configuration: configuration) { queue in
      engineQueue.queue.withLock { $0 = queue }
      return engineClock
    }
    self.engineQueue = engineQueue
    world = World(
      script.scenario, isRecorded: true,
      substitute: (engine, script.files.map { $0.contains("://") ? $0 : "file://\($0)" }))
    (self.output, self.engineClock, delivery) = (output, engineClock, script.delivery)
  }

  private func run() {
    _ = world.player
    settle()
    var instant = world.clock.now.nanoseconds
    for step in world.scenario.steps {
      instant += Int64(step.after) * 1_000_000
      run(until: instant)
      perform(step.action)
      settle()
    }
    run(until: instant + 1_000_000_000)
  }

  private func perform(_ action: Action) {
    if case .outputFails(let time) = action {
      output.fail(until: world.clock.now.nanoseconds + Int64(time) * 1_000_000)
    } else {
      world.player.perform(action)
    }
  }

  private func run(until end: Int64) {
    while fault == nil {
      let wakes = [world.clock.wake, engineClock.wake].map { $0?.nanoseconds }
      let (wait, arrival) = (output.firstWait, delivery?.next)
      let next = (wakes + [wait, arrival, end]).reduce(Int64.max) { min($0, $1 ?? .max) }
      world.clock.advance(to: MonotonicTime(nanoseconds: next))
      engineClock.advance(to: MonotonicTime(nanoseconds: next))
      let now = world.clock.now.nanoseconds
      // A connection that is opened later begins now.
      delivery?.advance(to: now)
      if let wait, wait <= now {
        output.release(until: UInt64(now))
      } else if let body = engineClock.takeWake() ?? world.clock.takeWake() {
        body()
      } else if now >= end, arrival.map({ $0 > now }) ?? true {
        return
      }
      settle()
    }
  }

  /// Whether neither the queue of the engine nor a thread has anything to do.
  ///
  /// One answer is wrong in a thousand, because of wake-ups that are under way between processors; two at different times are not.
  private var isAtRest: Bool {
    engineQueue.queue.withLock(\.self)?.sync {}
    return OtherThreads.areAtRest && pauses.wait(timeout: .now() + Self.pause) == .timedOut
  }

  /// Waits until neither the player nor GStreamer has anything to do.
  private func settle() {
    let end = DispatchTime.now() + Self.patience
    while fault == nil {
      var isIdle = isAtRest && isAtRest
      // The events of threads that rest have arrived.
      if world.jobs.drain() { isIdle = false }
      for body in world.clock.takeDue() + world.calls.take() {
        isIdle = false
        body()
      }
      if isIdle { return }
      sched_yield()
      if DispatchTime.now() > end { fault = "the threads of GStreamer do not rest" }
    }
  }
}
