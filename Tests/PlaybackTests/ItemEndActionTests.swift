import Testing

@testable import Playback

@Suite("Action at the end of an item") struct ItemEndActionTests {
  private func harness(_ action: Player.ActionAtItemEnd, loop: Player.LoopMode = .none) -> MachineHarness {
    var harness = MachineHarness(loop: loop)
    harness.decide(.setActionAtItemEnd(action))
    harness.start()
    harness.advance(.seconds(10))
    return harness
  }

  @Test("With the action pause, the item stays at its duration and reports one end")
  func pause() {
    var harness = harness(.pause)
    let end = harness.end()
    #expect(end.events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(end.engineCommands == [.setPlaying(false)])
    #expect(harness.end().isEmpty)
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.snapshot.timeControlStatus == .paused)
    #expect(harness.position == .seconds(10))
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(10))
    #expect(harness.current == harness.items[0])
  }

  @Test("With the action none, the intent to play stays, and a seek resumes playback")
  func none() {
    var harness = harness(.none)
    #expect(harness.end().events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.snapshot.timeControlStatus == .paused)
    #expect(harness.position == .seconds(10))
    #expect(harness.seek(4).engineCommands == [.seek(harness.token, to: .seconds(4))])
    #expect(harness.settle().engineCommands == [.setPlaying(true)])
    harness.run(measured: 4)
    #expect(harness.snapshot.timeControlStatus == .playing)
    harness.advance(.seconds(6))
    #expect(harness.end().events == [.itemDidPlayToEnd(harness.items[0])])
  }

  @Test("With the action stop, the next item becomes current, and play starts it")
  func stop() {
    var harness = harness(.stop)
    let end = harness.end()
    #expect(
      end.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(end.engineCommands == MachineHarness.end(of: harness.token))
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.position == .zero)
    #expect(harness.play().loads == ["file:///1"])
  }

  @Test("With the action stop, a looped item does not repeat, and the last item ends the queue")
  func stopLooped() {
    var looped = harness(.stop, loop: .track)
    #expect(looped.offer() == nil)
    #expect(looped.end().events == [.itemDidPlayToEnd(looped.items[0])])
    #expect(looped.snapshot.transport == .stopped)
    #expect(looped.current == looped.items[0])
    var last = harness(.stop)
    _ = last.next()
    _ = last.next()
    last.settle()
    last.run()
    last.advance(.seconds(10))
    #expect(last.end().events.last == .queueEnded)
    #expect(last.current == last.items[2])
  }

  @Test("Play restarts an item that has ended", arguments: [Player.ActionAtItemEnd.pause, .none])
  func playAgain(action: Player.ActionAtItemEnd) {
    var harness = harness(action)
    harness.end()
    #expect(harness.play().engineCommands == [.seek(harness.token, to: .zero)])
    let settled = harness.settle()
    #expect(settled.engineCommands == [.setPlaying(true)])
    #expect(settled.events == [.timeJumped(from: .seconds(10), to: .zero)])
    harness.run(measured: 0)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(1))
  }

  @Test("A seek in an item paused at its end stays paused; play resumes from the target")
  func seekFromEnd() {
    var harness = harness(.pause)
    harness.end()
    _ = harness.seek(4)
    #expect(harness.settle().engineCommands.isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    #expect(harness.position == .seconds(4))
  }

  @Test("A long hold at the end releases the output; play restarts", arguments: [Player.ActionAtItemEnd.pause, .none])
  func parked(action: Player.ActionAtItemEnd) {
    var harness = harness(action)
    harness.end()
    #expect(harness.advance(.seconds(6)).engineCommands == [.close(harness.token), .plan([])])
    #expect(harness.position == .seconds(10))
    #expect(harness.snapshot.timeControlStatus == .paused)
    #expect(harness.nextWake == nil)
    var other = harness
    #expect(harness.play().loads == ["file:///0"])
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
    // If the intent is to play, the seek alone resumes playback.
    #expect(other.seek(3).loads == (action == .none ? ["file:///0"] : []))
    #expect(other.position == .seconds(3))
    if action == .pause { #expect(other.play().loads == ["file:///0"]) }
    #expect(other.effects.opened.last?.start == .seconds(3))
    #expect(other.settle().engineCommands == [other.itemPlan, .setPlaying(true)])
  }

  @Test("The next item is opened only if the queue advances; a looped item is opened again")
  func successors() throws {
    var held = harness(.pause)
    #expect(held.offer() == nil)
    var looped = harness(.pause, loop: .track)
    #expect(looped.offer()?.uri == "file:///0")
    var changed = harness(.advance)
    let stream = try changed.requireOffer().stream
    #expect(changed.decide(.setActionAtItemEnd(.pause)).engineCommands == [.close(stream), changed.itemPlan])
    #expect(changed.current == changed.items[0])
  }

  @Test("A rate set at the end of an item applies to the next playback")
  func rateAtEnd() {
    var harness = harness(.pause)
    harness.end()
    #expect(harness.decide(.setRate(2)).engineCommands == [.settings(harness.engineSettings)])
    #expect(harness.engineSettings.rate == 2)
    #expect(harness.play().engineCommands == [.seek(harness.token, to: .zero)])
  }

  @Test("An action set while an item is held at its end takes effect at once", arguments: [false, true])
  func setAtEnd(isParked: Bool) {
    var harness = harness(.none)
    harness.end()
    if isParked { harness.advance(.seconds(6)) }
    for action in [Player.ActionAtItemEnd.pause, .stop, .advance] {
      var other = harness
      let effects = other.decide(.setActionAtItemEnd(action))
      // The end itself was reported before.
      #expect(!effects.events.contains(.itemDidPlayToEnd(other.items[0])))
      switch action {
      case .pause:
        #expect(other.snapshot.transport == .paused)
        #expect(other.position == .seconds(10))
        #expect(effects.engineCommands.isEmpty)
      case .stop:
        #expect(other.snapshot.transport == .stopped)
        #expect(other.current == other.items[1])
      case .advance, .none:
        #expect(other.snapshot.transport == .playing)
        #expect(effects.loads == ["file:///1"])
      }
    }
  }

  @Test("Looping the track while an item is held at its end repeats the item", arguments: [false, true])
  func loopAtEnd(isParked: Bool) {
    var harness = harness(.none)
    harness.end()
    if isParked { harness.advance(.seconds(6)) }
    #expect(harness.decide(.setLoop(.playlist)).engineCommands.isEmpty)
    let effects = harness.decide(.setLoop(.track))
    #expect(isParked ? effects.loads == ["file:///0"] : effects.engineCommands == [.seek(harness.token, to: .zero)])
    #expect(harness.position == .zero)
  }

  @Test("An item paused at its end stays paused when another action is set")
  func setPaused() {
    var harness = harness(.pause)
    harness.end()
    for action in [Player.ActionAtItemEnd.none, .stop, .advance] {
      #expect(harness.decide(.setActionAtItemEnd(action)).engineCommands.isEmpty)
      #expect(harness.snapshot.transport == .paused)
      #expect(harness.position == .seconds(10))
    }
  }

  @Test("Next advances whatever the action at the end")
  func next() {
    var harness = harness(.pause)
    harness.end()
    #expect(harness.next().loads == ["file:///1"])
    #expect(harness.position == .zero)
    #expect(harness.snapshot.transport == .paused)
  }
}

@Suite("Default rate and cancelled seeks") struct DefaultRateTests {
  @Test("Play resumes at the default rate, which a rate change does not affect")
  func resumes() {
    var harness = MachineHarness()
    harness.start()
    harness.decide(.setDefaultRate(1.5))
    #expect(harness.lastEffects.engineCommands.isEmpty)
    #expect(harness.snapshot.rate == 1)
    harness.decide(.setRate(2))
    #expect(harness.snapshot.defaultRate == 1.5)
    harness.run()
    #expect(harness.play().isEmpty)
    #expect(harness.snapshot.rate == 2)
    _ = harness.pause()
    #expect(harness.play().engineCommands == [.settings(harness.engineSettings), .setPlaying(true)])
    #expect(harness.snapshot.rate == 1.5 && harness.engineSettings.rate == 1.5)
  }

  @Test("Without a default rate, play keeps the last rate")
  func none() {
    var harness = MachineHarness()
    harness.start()
    harness.decide(.setRate(2))
    harness.run()
    _ = harness.pause()
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    #expect(harness.snapshot.rate == 2)
    #expect(harness.snapshot.defaultRate == nil)
  }

  @Test("A cancelled seek completes once as unfinished, and the seek in progress ends at its target")
  func cancel() {
    var harness = MachineHarness()
    harness.start()
    _ = harness.seek(3, ticket: 1)
    _ = harness.seek(5, ticket: 2)
    #expect(harness.decide(.cancelPendingSeeks).finished == [2: [false]])
    #expect(harness.position == .seconds(3))
    let settled = harness.settle()
    #expect(settled.finished.isEmpty)
    #expect(settled.engineCommands.isEmpty)
    #expect(harness.position == .seconds(3))
    #expect(harness.decide(.cancelPendingSeeks).isEmpty)
    #expect(harness.effects.finished == [1: [false], 2: [false]])
  }

  @Test("Cancelling a seek before the start completes it and keeps its target as the start position")
  func cancelStart() {
    var harness = MachineHarness()
    _ = harness.play()
    _ = harness.seek(4, ticket: 1)
    #expect(harness.decide(.cancelPendingSeeks).finished == [1: [false]])
    #expect(harness.settle().engineCommands == [.seek(harness.token, to: .seconds(4)), harness.itemPlan])
    #expect(harness.settle().finished.isEmpty)
  }
}
