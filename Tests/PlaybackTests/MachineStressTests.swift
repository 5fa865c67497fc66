import TestSupport
import Testing

@testable import Playback

/// Random tests of the machine: commands, events of the engine and elapsed time in any order.
@Suite("Random input to the playback machine") struct MachineStressTests {
  @Test(
    "Each seek completes once, every invariant holds at each step, and a stop ends everything", arguments: 1...100)
  func anything(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var script = Script(scheme: seed.isMultiple(of: 3) ? "http" : "file", fades: seed.isMultiple(of: 2))
    for _ in 0..<400 {
      script.step(&random)
      #expect(script.harness.violations.isEmpty)
      let seen = script.harness.snapshot
      #expect(seen.position >= .zero && seen.position <= seen.duration ?? seen.position)
      #expect(seen.transport == .playing || seen.timeControlStatus == .paused)
      #expect((seen.currentItem == nil) == (seen.itemCount == 0))
    }
    let known = try TransitionTable.document.text()
    #expect(script.harness.transitions.filter { !TransitionTable.contains($0, in: known) } == [])
    _ = script.harness.stop()
    // A fade that began with the stop ends.
    script.harness.advance(.seconds(2))
    #expect(script.harness.nextWake == nil)
    let answers = script.harness.effects.finished
    #expect(
      answers.count == Int(script.tickets), "unfinished seeks: \(Set(1...script.tickets).subtracting(answers.keys))")
    #expect(answers.values.allSatisfy { $0.count == 1 })
  }
}

/// A machine, and the random input for it.
private struct Script {
  var harness: MachineHarness
  var tickets: UInt64 = 0
  private let scheme: String

  init(scheme: String, fades: Bool) {
    self.scheme = scheme
    var configuration = Player.Configuration(fade: fades ? .milliseconds(200) : .zero)
    configuration.crossfade = Player.Crossfade(length: fades ? .seconds(2) : .zero, skipLength: .seconds(1))
    harness = MachineHarness(3, configuration: configuration, scheme: scheme)
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
    switch random.next(below: 11) {
    case 10: harness.decide(.setCrossfade(Player.Crossfade(length: .seconds(seconds / 2), skipLength: .seconds(1))))
    case 0, 1: _ = harness.play()
    case 2: harness.decide(.pause(fading: seconds < 6))
    case 3: _ = random.next(below: 4) == 0 ? harness.stop() : harness.next()
    case 4: _ = harness.previous()
    case 5: harness.decide(.setRate(seconds < 8 ? 1 : 2))
    case 6: harness.decide(.playImmediately(rate: 1))
    case 7: harness.decide(.prepare)
    case 8: harness.decide(.cancelPendingSeeks)
    default: harness.advance(.seconds(seconds))
    }
  }

  private mutating func seek(_ random: inout SeededGenerator) {
    let target = Duration.seconds(Double(random.next(below: 12)))
    let tolerance: Player.SeekTolerance = random.next(below: 3) == 0 ? .infinity : .zero
    tickets += 1
    let ticket = SeekTicket(number: tickets)
    harness.decide(.seek(to: target, within: tolerance, ticket))
  }

  /// Returns an item: a whole file, or a clip that may start beyond the end of its media.
  private func item(_ random: inout SeededGenerator) -> Player.Item {
    let start = Duration.seconds(Double(random.next(below: 15)))
    let end = random.next(below: 2) == 0 ? start + .seconds(3) : nil
    let isClip = random.next(below: 2) == 0
    return Player.Item(
      uri: "\(scheme):///x", externalMetadata: nil, start: isClip ? start : .zero, end: isClip ? end : nil)
  }

  private mutating func edit(_ random: inout SeededGenerator) {
    let item = item(&random)
    let choice = random.next(below: 3)
    let current = harness.current
    let output = AudioOutput(id: "\(choice)", name: "", isDefault: false, sinkDescription: "\(choice)")
    switch random.next(below: 8) {
    case 7: harness.decide(.selectAudioTrack(Int(choice)))
    case 0: harness.decide(.insert([item], after: current?.id))
    case 1: harness.decide(.replaceQueue(choice == 0 ? [] : [item]))
    case 2: if let current { harness.decide(.remove(current.id)) }
    case 3:
      harness.decide(.setLoop(Player.LoopMode.allCases[Int(choice)]))
    case 4: harness.decide(.setActionAtItemEnd(Player.ActionAtItemEnd.allCases[Int(choice)]))
    case 5: harness.decide(.setAudioOutput(choice == 0 ? nil : output))
    default: harness.decide(.setAutomaticallyWaits(choice == 0))
    }
  }

  /// Sends a random event of the pipeline, whether or not the machine expects it.
  private mutating func pipeline(_ random: inout SeededGenerator) {
    let seconds = Double(random.next(below: 12))
    let codes: [PlayerError.Code] = [.output, .corrupt, .networkCut, .networkTimeout]
    var error = PlayerError(code: codes[Int(random.next(below: 4))], message: "scripted")
    error.isFromSource = random.next(below: 2) == 0
    let hangsInOutput = random.next(below: 2) == 0
    switch random.next(below: 13) {
    case 10: crossfade(error, after: seconds / 10)
    case 8:
      let tracks = [AudioTrack(), AudioTrack()]
      harness.report(.stream(harness.token, .audioTracks(tracks, current: seconds < 6 ? 0 : 1)))
    case 9: harness.runOut(at: seconds)
    case 0: harness.end()
    case 1: harness.report(error.code == .output ? .output(.failed(error)) : .stream(harness.token, .failed(error)))
    case 2: harness.buffer(Int(seconds) * 10)
    case 3: harness.report(.stream(harness.token, .seekRefused(position: .seconds(seconds))))
    case 4: harness.sample(.seconds(seconds))
    case 5: harness.report(hangsInOutput ? .replaced : .stream(harness.token, .interrupted("")))
    case 6, 7: successor(error, after: seconds / 10)
    default: harness.report(.stream(harness.token, .durationChanged(.seconds(seconds + 1))))
    }
  }

  /// Sends an event of the stream that fades out, which ends or fails.
  private mutating func crossfade(_ error: PlayerError, after delay: Double) {
    guard let outgoing = harness.openStreams.first, outgoing != harness.token else { return }
    if delay < 0.8 {
      harness.report(.stream(outgoing, .ended(at: nil)))
    } else {
      harness.report(.stream(outgoing, .failed(error)))
    }
  }

  /// Sends an event of the next item, which is ready, audible, described or fails; or reports that the current one is decoded.
  private mutating func successor(_ error: PlayerError, after delay: Double) {
    guard let last = harness.lastSuccessor else { return _ = harness.offer() }
    var tags = MediaMetadata()
    tags.title = "title"
    switch delay {
    case ..<0.3: harness.settleNext(last)
    case ..<0.5: harness.report(.audible(last, at: .zero))
    case ..<0.7: harness.enterNext(last)
    case ..<0.9: harness.report(.stream(last, .tags(tags, about: .stream)))
    case ..<1: _ = harness.offer(after: last)
    default: harness.report(.stream(last, .failed(error)))
    }
  }

  /// Sends the completion of an opening or a seek, or the start of playback.
  private mutating func respond(_ random: inout SeededGenerator) {
    let choice = random.next(below: 8)
    switch choice {
    case 0: harness.settle(duration: nil, isSeekable: false)
    case 1: harness.settle(duration: nil, isSeekable: false, isLive: true)
    case 2...5: harness.settle(duration: 10)
    default: harness.run()
    }
  }
}
