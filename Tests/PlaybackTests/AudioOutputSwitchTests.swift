import TestSupport
import Testing

@testable import Playback

@Suite("Another output while playing") struct AudioOutputSwitchTests {
  private let other = AudioOutput(id: "other", name: "Other", isDefault: false, sinkDescription: "fakesink sync=true")

  @Test("Play goes on from the same place through the other output, and no track is skipped")
  func playing() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(3))
    let effects = bench.step { $0.setAudioOutput(other, now: $1) }
    #expect(effects.orders.first == .setSink("fakesink sync=true"))
    #expect(effects.loads == ["file:///0"])
    #expect(effects.events.isEmpty)
    #expect(bench.position == .seconds(3))
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.settle().orders == [.seek(to: .seconds(3), rate: 1)])
    bench.settle()
    bench.run()
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(4))
    #expect(bench.snapshot.audioOutput == other)
    #expect(bench.step { $0.setAudioOutput(other, now: $1) }.isEmpty)
  }

  @Test("An output that appears takes over from silence at the same position, and no track is skipped")
  func found() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(3))
    let effects = bench.step { $0.outputFound(now: $1) }
    #expect(effects.orders.first == .setSink(nil))
    #expect(effects.loads == ["file:///0"])
    #expect(effects.events == [.warning("an audio output works now; playing through it")])
    #expect(bench.position == .seconds(3))
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.settle().orders == [.seek(to: .seconds(3), rate: 1)])
  }

  @Test("Paused it stays paused; stopped and parked, the next load takes it")
  func atRest() {
    var paused = Bench()
    paused.startPaused()
    paused.step { $0.setAudioOutput(other, now: $1) }
    #expect(paused.snapshot.transport == .paused)
    #expect(paused.settle().orders == [])
    paused.pass(.seconds(60))
    #expect(paused.step { $0.setAudioOutput(nil, now: $1) }.orders.first == .setSink(nil))
    #expect(paused.lastEffects.loads.isEmpty)
    var stopped = Bench()
    #expect(stopped.step { $0.setAudioOutput(other, now: $1) }.loads.isEmpty)
  }

  @Test("An output that was lost is left for the other one at once")
  func lost() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(2))
    bench.fail(.output)
    #expect(bench.step { $0.setAudioOutput(other, now: $1) }.loads == ["file:///0"])
    #expect(bench.position == .seconds(2))
  }
}
