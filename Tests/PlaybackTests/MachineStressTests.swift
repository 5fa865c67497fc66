import TestSupport
import Testing

@testable import Playback

/// The machine under whatever comes, in whatever order: commands, a pipeline that says anything at any time, and time.
@Suite("The machine under anything") struct MachineStressTests {
  @Test(
    "Each waiting seek is answered once, every invariant holds at each step, and a stop ends all", arguments: 1...100)
  func anything(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var script = Script(scheme: seed.isMultiple(of: 3) ? "http" : "file", fades: seed.isMultiple(of: 2))
    for _ in 0..<400 {
      script.step(&random)
      #expect(script.bench.machine.violations.isEmpty)
      let seen = script.bench.snapshot
      #expect(seen.position >= .zero && seen.position <= seen.duration ?? seen.position)
      #expect(seen.transport == .playing || seen.timeControlStatus == .paused)
      #expect((seen.currentItem == nil) == (seen.itemCount == 0))
    }
    _ = script.bench.stop()
    // A fade that began with the stop ends.
    script.bench.pass(.seconds(2))
    #expect(script.bench.machine.nextWake == nil)
    let answers = script.bench.effects.finished
    #expect(
      answers.count == Int(script.tickets), "without an answer: \(Set(1...script.tickets).subtracting(answers.keys))")
    #expect(answers.values.allSatisfy { $0.count == 1 })
  }
}

/// A machine, and what can come.
private struct Script {
  var bench: Bench
  var tickets: UInt64 = 0
  private let scheme: String

  init(scheme: String, fades: Bool) {
    self.scheme = scheme
    bench = Bench(3, configuration: PlayerConfiguration(fade: fades ? .milliseconds(200) : .zero), scheme: scheme)
  }

  mutating func step(_ random: inout SeededGenerator) {
    switch random.next(below: 5) {
    case 0: command(&random)
    case 1: seek(&random)
    case 2: edit(&random)
    case 3: pipeline(&random)
    default: respond(&random)
    }
  }

  private mutating func command(_ random: inout SeededGenerator) {
    let seconds = Double(random.next(below: 12))
    switch random.next(below: 10) {
    case 0, 1: _ = bench.play()
    case 2: bench.step { $0.pause(fading: seconds < 6, now: $1) }
    case 3: _ = random.next(below: 4) == 0 ? bench.stop() : bench.next()
    case 4: _ = bench.previous()
    case 5: bench.step { $0.setRate(seconds < 8 ? 1 : 2, now: $1) }
    case 6: bench.step { $0.playImmediately(atRate: 1, now: $1) }
    case 7: bench.step { $0.prepare(now: $1) }
    case 8: bench.step { machine, _ in machine.cancelPendingSeeks() }
    default: bench.pass(.seconds(seconds))
    }
  }

  private mutating func seek(_ random: inout SeededGenerator) {
    let target = Duration.seconds(Double(random.next(below: 12)))
    let tolerance: Player.SeekTolerance = random.next(below: 3) == 0 ? .infinity : .zero
    tickets += 1
    let ticket = SeekTicket(number: tickets)
    bench.step { $0.seek(to: target, within: tolerance, ticket: ticket, now: $1) }
  }

  /// An item, or one that lies in its media, perhaps behind its end.
  private func item(_ random: inout SeededGenerator) -> PlayerItem {
    let start = Duration.seconds(Double(random.next(below: 15)))
    let end = random.next(below: 2) == 0 ? start + .seconds(3) : nil
    let isPart = random.next(below: 2) == 0
    return PlayerItem(uri: "\(scheme):///x", hints: nil, start: isPart ? start : .zero, end: isPart ? end : nil)
  }

  private mutating func edit(_ random: inout SeededGenerator) {
    let item = item(&random)
    let choice = random.next(below: 3)
    let current = bench.current
    let output = AudioOutput(id: "\(choice)", name: "", isDefault: false, sinkDescription: "\(choice)")
    switch random.next(below: 8) {
    case 7: bench.step { $0.selectAudioTrack(Int(choice), now: $1) }
    case 0: bench.step { $0.insert([item], after: current?.id, now: $1) }
    case 1: bench.step { $0.replaceQueue(with: choice == 0 ? [] : [item], startingAt: 0, now: $1) }
    case 2: if let current { bench.step { $0.remove(current.id, now: $1) } }
    case 3: bench.step { machine, now in machine.editQueue(now: now) { $0.loop = LoopMode.allCases[Int(choice)] } }
    case 4: bench.step { $0.setActionAtItemEnd(Player.ActionAtItemEnd.allCases[Int(choice)], now: $1) }
    case 5: bench.step { $0.setAudioOutput(choice == 0 ? nil : output, now: $1) }
    default: bench.step { $0.setAutomaticallyWaits(choice == 0, now: $1) }
    }
  }

  /// What a pipeline may say, called for or not.
  private mutating func pipeline(_ random: inout SeededGenerator) {
    let seconds = Double(random.next(below: 12))
    let codes: [PlayerError.Code] = [.output, .corrupt, .networkCut, .networkTimeout]
    var error = PlayerError(codes[Int(random.next(below: 4))], "scripted")
    error.isFromSource = random.next(below: 2) == 0
    let hangs: [EngineHang] = [.output, .tearDown, .item]
    let hang = hangs[Int(random.next(below: 3))]
    switch random.next(below: 9) {
    case 8:
      let tracks = [MediaDescription.AudioTrack(), MediaDescription.AudioTrack()]
      bench.step { machine, _ in machine.audioTracksFound(machine.token, tracks, current: seconds < 6 ? 0 : 1) }
    case 0: bench.end()
    case 1: bench.step { $0.failed($0.token, error, now: $1) }
    case 2: bench.buffer(Int(seconds) * 10)
    case 3: bench.step { $0.seekRefused($0.token, position: .seconds(seconds), now: $1) }
    case 4: bench.step { $0.sampled($0.token, position: .seconds(seconds), now: $1) }
    case 5: bench.step { $0.pipelineWasReplaced(after: hang, now: $1) }
    case 6: handOver(error, after: seconds / 10)
    default: bench.step { machine, _ in machine.durationChanged(machine.token, .seconds(seconds + 1)) }
    }
  }

  /// What is to follow is asked for, begins, or fails.
  private mutating func handOver(_ error: PlayerError, after delay: Double) {
    if let last = bench.machine.loaded.handOver.last {
      if delay < 0.5 {
        bench.startNext(last.token, in: delay)
      } else {
        bench.step { $0.failed(last.token, error, now: $1) }
      }
    } else {
      _ = bench.offer()
    }
  }

  /// What a pipeline says that does as it is told.
  private mutating func respond(_ random: inout SeededGenerator) {
    let choice = random.next(below: 8)
    switch choice {
    case 0: bench.settle(duration: nil, isSeekable: false)
    case 1: bench.settle(duration: nil, isSeekable: false, isLive: true)
    case 2...5: bench.settle(duration: 10)
    default: bench.run()
    }
  }
}
