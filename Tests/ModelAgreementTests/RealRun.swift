import Dispatch
import Playback
import Synchronization
import TestSupport

@testable import GstPlayer
@testable import Simulation

/// A run of a script with GStreamer, in logical time.
///
/// The time advances only when GStreamer has nothing to do: no command is unanswered, and the output waits for the
/// clock. Then it advances to the next step, wake-up of the player, or buffer of the output.
final class RealRun {
  /// The time after which a run that stands is given up; it does not affect a run that succeeds.
  private static let patience = DispatchTimeInterval.seconds(30)
  /// The time after which GStreamer counts as having read ahead although the queue before the output is not full.
  ///
  /// It is not full at the end of the media. A loaded machine may request a successor later, which is not compared.
  private static let readingTime = DispatchTimeInterval.milliseconds(30)

  /// The time between two checks of the threads of GStreamer.
  private static let pause = DispatchTimeInterval.microseconds(100)

  /// The queue of all runs: one at a time, because each occupies its thread.
  private static let queue = DispatchQueue(label: "real-run")

  private let world: World
  private let probe: ProbedEngine
  private let output: LogicalClock
  private let changed = DispatchSemaphore(value: 0)
  /// The clock of the servers; nil if no server of the script is slow.
  private let delivery: DeliveryClock?
  /// The activity after which GStreamer read nothing more.
  private var exhausted = -1
  /// The reason why the run was given up.
  private(set) var fault: String?

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
    let clock = Mutex<VirtualClock?>(nil)
    let changed = changed
    let output = LogicalClock(
      time: { clock.withLock { $0?.now.nanoseconds } ?? VirtualClock.start }, changed: { changed.signal() })
    var configuration = Player.Configuration(audioSink: output.sink)
    // The engine's own limits are in real time.
    configuration.pipelineTimeout = .seconds(60)
    configuration.loadTimeout = .seconds(60)
    let probe = ProbedEngine(DeckEngine(configuration: configuration)) { changed.signal() }
    let world = World(
      script.scenario, isRecorded: true,
      substitute: (probe, script.files.map { $0.contains("://") ? $0 : "file://\($0)" }))
    clock.withLock { $0 = world.clock }
    (self.output, self.probe, self.world, delivery) = (output, probe, world, script.delivery)
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
      output.fail(until: world.clock.now.nanoseconds + Int64(time) * 1_000_000, isLoaded: probe.isLoaded)
    } else {
      world.player.perform(action)
    }
  }

  private func run(until end: Int64) {
    while fault == nil {
      let (wake, wait, arrival) = (world.clock.wake?.nanoseconds, output.firstWait, delivery?.next)
      let next = min(end, wake ?? .max, wait ?? .max, arrival ?? .max)
      world.clock.advance(to: MonotonicTime(nanoseconds: next))
      let now = world.clock.now.nanoseconds
      // A connection that is opened later begins now.
      delivery?.advance(to: now)
      if let wait, wait <= now {
        output.release(until: UInt64(now))
      } else if let body = world.clock.takeWake() {
        body()
      } else if arrival.map({ $0 > now }) ?? true {
        return
      }
      settle()
    }
  }

  /// Waits until neither the player nor GStreamer has anything to do.
  private func settle() {
    while fault == nil {
      var isIdle = !world.jobs.drain()
      for body in world.clock.takeDue() + world.calls.take() {
        isIdle = false
        body()
      }
      guard isIdle else { continue }
      let activity = probe.activity
      if delivery != nil {
        if waitForThreads(activity) { return }
        continue
      }
      probe.sendBarrier()
      waitUntil { probe.isAnswered && !probe.isBuffering && (!probe.isFlowing || output.firstWait != nil) }
      waitForReading()
      if probe.activity == activity { return }
    }
  }

  /// Waits until every thread of GStreamer and of the servers sleeps; returns whether nothing has happened.
  ///
  /// A pipeline that waits for a slow server reports nothing, so there is no event to wait for.
  private func waitForThreads(_ activity: Int) -> Bool {
    let before = restingThreads()
    probe.sendBarrier()
    waitUntil { probe.isBarrierAnswered }
    return before == restingThreads() && probe.activity == activity
  }

  /// Waits until all threads sleep, and returns the times that they have run.
  private func restingThreads() -> [Int32: String] {
    let end = DispatchTime.now() + Self.patience
    var last: [Int32: String]?
    while DispatchTime.now() < end {
      let times = NamedThreads.runTimes()
      if let times, times == last { return times }
      last = times
      _ = changed.wait(timeout: .now() + Self.pause)
    }
    fault = "the threads of GStreamer do not rest: \(probe.description)"
    return [:]
  }

  /// Waits until GStreamer has read ahead as far as it can; after a time-out not again before the next event.
  private func waitForReading() {
    while probe.isFlowing || probe.isPausing, probe.activity != exhausted, probe.isPausing || !output.isReadAhead {
      if changed.wait(timeout: .now() + Self.readingTime) == .timedOut { exhausted = probe.activity }
    }
  }

  private func waitUntil(_ condition: () -> Bool) {
    while !condition() {
      // A start is confirmed when the output holds a buffer, but a buffer that is due may still wait in it.
      if probe.isStarting, let wait = output.firstWait, wait <= world.clock.now.nanoseconds {
        output.release(until: UInt64(world.clock.now.nanoseconds))
      }
      if changed.wait(timeout: .now() + Self.patience) == .timedOut {
        fault =
          "GStreamer does not answer: \(probe.description), the output waits for \(output.firstWait as Any), \(output.level)"
        return
      }
    }
  }
}
