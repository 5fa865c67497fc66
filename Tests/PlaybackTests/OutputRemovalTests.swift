import Testing

@testable import Playback

@Suite("A device that goes away") struct OutputRemovalTests {
  private let pausing = PlayerConfiguration(pausesWhenOutputIsRemoved: true)

  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  @Test("What plays is paused where it is, and told; a pause and a stop are left alone")
  func paused() {
    var bench = Bench(configuration: pausing)
    bench.start()
    bench.pass(.seconds(3))
    let effects = bench.step { $0.outputRemoved("headset", now: $1) }
    #expect(effects.orders == [.setPlaying(false)])
    #expect(effects.events == [.warning("the output device “headset” has gone; paused")])
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.position == .seconds(3))
    #expect(bench.step { $0.outputRemoved("headset", now: $1) }.isEmpty)
    var stopped = Bench()
    #expect(stopped.step { $0.outputRemoved("headset", now: $1) }.isEmpty)
  }

  @Test("Choosing a removed output again reopens it, once")
  func chosenAgain() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var bench = Bench(configuration: pausing)
    bench.start()
    bench.step { $0.setAudioOutput(headset, now: $1) }
    bench.settle()
    bench.run()
    bench.pass(.seconds(3))
    bench.step { $0.outputRemoved("headset", now: $1) }
    let held = bench.position
    let effects = bench.step { $0.setAudioOutput(headset, now: $1) }
    #expect(effects.orders.first == .setSink("fakesink sync=true"))
    #expect(effects.loads == ["file:///0"])
    #expect(bench.position == held)
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.step { $0.setAudioOutput(headset, now: $1) }.isEmpty)
  }

  @Test("Without a pause on removal, playback continues; choosing the removed output again reopens it, once")
  func chosenAgainWhilePlaying() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var bench = Bench(configuration: PlayerConfiguration(pausesWhenOutputIsRemoved: false))
    bench.start()
    bench.step { $0.setAudioOutput(headset, now: $1) }
    bench.settle()
    bench.run()
    #expect(bench.snapshot.outputStatus == .selected)
    #expect(bench.step { $0.outputRemoved("headset", now: $1) } == [.emit(.changed)])
    #expect(bench.snapshot.outputStatus == .substituted)
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.step { $0.setAudioOutput(headset, now: $1) }.loads == ["file:///0"])
    #expect(bench.snapshot.outputStatus == .selected)
    #expect(bench.step { $0.setAudioOutput(headset, now: $1) }.isEmpty)
  }

  @Test("An output that plays on another device than the chosen one is substituted until it plays there")
  func substituted() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var bench = Bench()
    bench.start()
    #expect(bench.step { machine, _ in machine.outputInUse(machine.token, "speakers") }.isEmpty)
    let before = bench.token
    bench.step { $0.setAudioOutput(headset, now: $1) }
    #expect(bench.step { machine, _ in machine.outputInUse(before, "speakers") }.isEmpty, "the output chosen before")
    #expect(bench.step { machine, _ in machine.outputInUse(machine.token, "speakers") } == [.emit(.changed)])
    #expect(bench.snapshot.outputStatus == .substituted)
    bench.step { machine, _ in machine.outputInUse(machine.token, "headset") }
    #expect(bench.snapshot.outputStatus == .selected)
  }

  @Test("Silence and a failure of the output are states of the output")
  func states() {
    var bench = Bench()
    bench.start()
    bench.step { machine, _ in machine.outputMade(isSilent: true) }
    #expect(bench.snapshot.outputStatus == .silent)
    bench.step { machine, _ in machine.outputMade(isSilent: false) }
    #expect(bench.snapshot.outputStatus == .selected)
    bench.fail(.output)
    #expect(bench.snapshot.outputStatus == .unavailable)
  }

  @Test("While it is waited for, a device that has gone for good pauses as well, and the position is kept")
  func lost() {
    var bench = Bench(configuration: pausing)
    bench.start()
    bench.pass(.seconds(2))
    bench.fail(.output)
    bench.step { $0.outputRemoved("headset", now: $1) }
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.position == .seconds(2))
  }
}
