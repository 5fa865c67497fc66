import Testing

@testable import Playback

@Suite("The processes of the engine") struct EngineProcessRuleTests {
  private static let text = "the decoding process ended: signal 11"

  private func failures(_ effects: [Effect]) -> [PlayerError.Code] {
    effects.events.compactMap { if case .itemFailed(_, let error) = $0 { error.code } else { nil } }
  }

  @Test("An item whose process has ended plays on, and the end is logged once")
  func interrupted() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    let token = harness.token
    let effects = harness.report(.stream(token, .interrupted(Self.text)))
    #expect(effects.engineCommands.isEmpty && effects.events == [.warning(Self.text, of: harness.items[0])])
    let logged = effects.compactMap { if case .log(let entry) = $0 { entry } else { nil } }
    #expect(logged.map(\.error) == [PlayerError(code: .engineEnded, message: Self.text)])
    #expect(logged.map(\.outcome) == [.reloading] && logged.map(\.position) == [.seconds(3)])
    harness.advance(.seconds(1))
    #expect(harness.token == token && harness.position == .seconds(4) && harness.isAdvancing)
    #expect(harness.machine.lastError == nil && harness.violations.isEmpty)
  }

  @Test("A successor whose process has ended stays open, and the warning names it")
  func interruptedSuccessor() throws {
    var harness = MachineHarness()
    harness.start()
    let next = try harness.prepareNext()
    let effects = harness.report(.stream(next, .interrupted(Self.text)))
    #expect(effects == [.emit(.warning(Self.text, of: harness.items[1]))])
    #expect(harness.lastSuccessor == next)
    // A closed stream and a player without a stream are not affected.
    _ = harness.stop()
    #expect(harness.report(.stream(next, .interrupted(Self.text))).isEmpty)
  }

  @Test("A warning about a stream names its item, also of a successor, and one about a closed stream names none")
  func warning() throws {
    var harness = MachineHarness()
    harness.start()
    let next = try harness.prepareNext()
    #expect(harness.report(.warning("a", of: harness.token)) == [.emit(.warning("a", of: harness.items[0]))])
    #expect(harness.report(.warning("b", of: next)) == [.emit(.warning("b", of: harness.items[1]))])
    #expect(harness.report(.warning("c")) == [.emit(.warning("c"))])
    _ = harness.stop()
    #expect(harness.report(.warning("d", of: next)) == [.emit(.warning("d"))])
  }

  @Test("While an item is loaded or a seek is in progress, the end of the process changes nothing")
  func interruptedEarly() {
    var harness = MachineHarness()
    _ = harness.play()
    #expect(harness.report(.stream(harness.token, .interrupted(Self.text))).engineCommands.isEmpty)
    harness.settle()
    harness.run()
    harness.seek(to: .seconds(4))
    #expect(harness.report(.stream(harness.token, .interrupted(Self.text))).engineCommands.isEmpty)
    #expect(harness.position == .seconds(4))
    harness.settle()
    harness.run()
    #expect(harness.position == .seconds(4) && harness.isAdvancing)
  }

  @Test("The time limit of a seek begins again when another process has started")
  func seekDuringStart() {
    var harness = MachineHarness()
    harness.start()
    harness.seek(to: .seconds(4))
    harness.report(.starting(true))
    harness.report(.stream(harness.token, .interrupted(Self.text)))
    harness.advance(.seconds(30))
    #expect(harness.machine.lastError == nil)
    harness.report(.starting(false))
    harness.advance(.seconds(9))
    #expect(harness.machine.lastError == nil)
    harness.advance(.seconds(2))
    #expect(harness.machine.lastError?.code == .loadTimeout)
  }

  @Test("An item whose decoder ended its process twice fails with the reason, and the next one plays")
  func twice() {
    var harness = MachineHarness()
    harness.start()
    harness.report(.stream(harness.token, .interrupted(Self.text)))
    let effects = harness.fail(.engineEnded)
    #expect(failures(effects) == [.engineEnded] && harness.lastEffects.loads == ["file:///1"])
    #expect(harness.machine.lastError?.code == .engineEnded)
  }

  @Test("A successor whose decoder ended its process twice fails when it is current")
  func successorTwice() throws {
    var harness = MachineHarness()
    harness.start()
    let next = try harness.prepareNext()
    let error = PlayerError(code: .engineEnded, message: "scripted")
    #expect(failures(harness.report(.stream(next, .failed(error)))).isEmpty)
    #expect(harness.lastEffects.closed == [next] && harness.isAdvancing)
    harness.advance(.seconds(10))
    harness.end()
    #expect(harness.lastEffects.loads == ["file:///1"])
    #expect(failures(harness.report(.stream(harness.token, .failed(error)))) == [.engineEnded])
  }

  @Test("The position stands while the process of the output is replaced, and continues without a jump")
  func outputEnds() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    #expect(harness.report(.output(.suspended)).engineCommands.isEmpty)
    harness.advance(.seconds(40))
    #expect(harness.position == .seconds(3) && !harness.isAdvancing)
    let effects = harness.run(measured: 3)
    #expect(
      effects.engineCommands.isEmpty && !effects.events.contains { if case .timeJumped = $0 { true } else { false } })
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(4) && harness.isAdvancing && harness.violations.isEmpty)
  }

  @Test("A pause that fades out is complete when the output is suspended, and playback resumes at that position")
  func outputEndsInFade() {
    var harness = MachineHarness(configuration: Player.Configuration(fade: .seconds(2)))
    harness.start()
    harness.advance(.seconds(3))
    harness.decide(.pause(fading: true))
    harness.advance(.seconds(1))
    #expect(harness.report(.output(.suspended)).engineCommands == [.setPlaying(false)])
    #expect(harness.violations.isEmpty && harness.position == .seconds(4))
    #expect(harness.advance(.seconds(3)).engineCommands.isEmpty && harness.position == .seconds(4))
    #expect(harness.play().engineCommands.contains(.setPlaying(true)))
    harness.run(measured: 4)
    #expect(harness.position == .seconds(4) && harness.isAdvancing && harness.violations.isEmpty)
  }

  @Test("The time limit of a load begins when the engine has started")
  func startOfEngine() {
    var harness = MachineHarness()
    harness.decide(.play)
    harness.report(.starting(true))
    #expect(harness.machine.nextWake == nil)
    harness.advance(.seconds(50))
    #expect(harness.lastEffects.loads.isEmpty && harness.machine.lastError == nil)
    harness.report(.starting(false))
    harness.advance(.seconds(9))
    #expect(harness.machine.lastError == nil)
    harness.advance(.seconds(2))
    #expect(harness.machine.lastError?.code == .loadTimeout)
  }
}
