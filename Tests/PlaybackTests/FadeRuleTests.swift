import Testing

@testable import Playback

/// When the sound is taken down and up, on a scripted pipeline: a fade of a second, heard after a tenth.
@Suite("The rules of the fade")
struct FadeRuleTests {
  private static let configuration = PlayerConfiguration(fade: .seconds(1))

  private func bench(_ count: Int = 3, scheme: String = "file", pausesWhenOutputIsRemoved: Bool = false) -> Bench {
    var configuration = Self.configuration
    configuration.pausesWhenOutputIsRemoved = pausesWhenOutputIsRemoved
    var bench = Bench(count, configuration: configuration, scheme: scheme)
    bench.start()
    bench.pass(.seconds(2))
    return bench
  }

  /// The pipeline says when the sound will be down.
  private func announce(_ bench: inout Bench) {
    bench.step { $0.fallEnds(in: .milliseconds(1100), now: $1) }
  }

  @Test("A pause is told at once; the pipeline runs until the sound is down, and then holds where it ended")
  func pause() {
    var bench = bench()
    let effects = bench.pause()
    #expect(effects.orders == [.fade(.out)] && effects.isNews)
    #expect(bench.snapshot.transport == .paused && bench.snapshot.timeControlStatus == .paused)
    announce(&bench)
    let meanwhile = bench.pass(.milliseconds(1100)).orders.filter { $0 != .samplePosition }
    #expect(meanwhile.isEmpty)
    #expect(bench.position == .milliseconds(3100))
    let end = bench.pass(.milliseconds(50)).orders
    // What the output took after the last sound is read again.
    #expect(end == [.setPlaying(false), .seek(to: .milliseconds(3100), rate: 1)])
    #expect(bench.position == .milliseconds(3100))
    #expect(bench.settle().events.isEmpty)
    bench.pass(.seconds(1))
    #expect(bench.position == .milliseconds(3100) && bench.snapshot.volume == 1)
  }

  @Test("A play after it comes up, once")
  func resume() {
    var bench = bench()
    _ = bench.pause()
    announce(&bench)
    bench.pass(.seconds(2))
    bench.settle()
    #expect(bench.play().orders == [.fade(.in), .setPlaying(true)])
    bench.run()
    bench.step { machine, _ in machine.setMuted(true) }
    #expect(bench.pause().orders == [.setPlaying(false)])
    #expect(bench.play().orders == [.setPlaying(true)])
  }

  @Test("A play meanwhile turns the sound around, and nothing else has happened")
  func turn() {
    var bench = bench()
    _ = bench.pause()
    announce(&bench)
    bench.pass(.milliseconds(500))
    #expect(bench.play().orders == [.fade(.in)])
    #expect(bench.snapshot.timeControlStatus == .playing)
    let later = bench.pass(.seconds(3)).orders.filter { $0 != .samplePosition }
    #expect(later.isEmpty)
    #expect(bench.position == .milliseconds(5500))
    #expect(!bench.effects.events.contains { if case .timeJumped = $0 { true } else { false } })
  }

  @Test("A second pause changes nothing, a pause at once ends the fade")
  func again() {
    var bench = bench()
    _ = bench.pause()
    announce(&bench)
    #expect(bench.pause().isEmpty)
    bench.pass(.milliseconds(500))
    #expect(bench.step { $0.pause(fading: false, now: $1) }.orders == [.setPlaying(false)])
    #expect(bench.position == .milliseconds(2500))
    #expect(bench.step { $0.pause(fading: false, now: $1) }.isEmpty)
  }

  @Test("A seek meanwhile ends the fade and holds at its target; what is heard then comes up")
  func seek() {
    var bench = bench()
    _ = bench.pause()
    announce(&bench)
    bench.pass(.milliseconds(500))
    let effects = bench.seek(7)
    #expect(effects.orders == [.setPlaying(false), .seek(to: .seconds(7), rate: 1)])
    bench.settle()
    #expect(bench.position == .seconds(7) && bench.snapshot.transport == .paused)
    #expect(bench.play().orders == [.fade(.in), .setPlaying(true)])
  }

  @Test("Another speed meanwhile ends the fade too")
  func rate() {
    var bench = bench()
    _ = bench.pause()
    announce(&bench)
    bench.pass(.milliseconds(500))
    let orders = bench.step { $0.setRate(2, now: $1) }.orders
    #expect(orders == [.setPlaying(false), .seek(to: .milliseconds(2500), rate: 2)])
  }

  @Test("A skip meanwhile opens the other item, paused and at its full level")
  func skip() {
    var bench = bench()
    _ = bench.pause()
    announce(&bench)
    let effects = bench.next()
    #expect(effects.orders.first == .fade(.none) && effects.loads == ["file:///1"])
    bench.settle()
    #expect(bench.pass(.seconds(2)).orders.isEmpty && bench.snapshot.transport == .paused)
    #expect(bench.play().orders == [.setPlaying(true)])
  }

  @Test("A stop is told at once, with the position at 0; what was loaded is let go when the sound is down")
  func stop() {
    var bench = bench()
    let effects = bench.stop()
    #expect(effects.orders == [.fade(.out)] && effects.isNews)
    #expect(bench.snapshot.transport == .stopped && bench.position == .zero)
    announce(&bench)
    #expect(bench.pass(.milliseconds(1100)).isEmpty)
    #expect(bench.pass(.milliseconds(50)) == [.command(.unload)])
    #expect(bench.machine.nextWake == nil)
    let play = bench.play()
    #expect(play.orders.first == .fade(.none) && play.loads == ["file:///0"])
  }

  @Test("A stop during the fade of a pause ends with it, a play during that of a stop begins at once")
  func stopAndPlay() {
    var bench = bench()
    _ = bench.pause()
    announce(&bench)
    bench.pass(.milliseconds(500))
    #expect(bench.stop().orders.isEmpty)
    #expect(bench.pass(.milliseconds(500)).isEmpty)
    #expect(bench.play().loads == ["file:///0"])
    bench.settle()
    bench.run()
    #expect(!bench.pass(.seconds(2)).orders.contains(.unload))
  }

  @Test("A pipeline that does not tell when the sound is down is not waited for")
  func silentPipeline() {
    var bench = bench()
    _ = bench.pause()
    #expect(bench.pass(.milliseconds(2001)).orders.contains(.setPlaying(false)))
    bench.settle()
    _ = bench.play()
    bench.run()
    bench.pass(.seconds(1))
    _ = bench.stop()
    #expect(bench.pass(.milliseconds(2001)) == [.command(.unload)])
  }

  @Test("An item that ends meanwhile holds, and what follows waits for play")
  func end() {
    var bench = bench()
    _ = bench.pause()
    #expect(bench.end().orders == [.setPlaying(false)])
    #expect(bench.snapshot.transport == .paused && bench.current == bench.items[0])
    #expect(bench.play().orders == [.fade(.in), .setPlaying(true)])
    bench.run()
    #expect(bench.end().loads == ["file:///1"])
  }

  @Test("A successor that is heard meanwhile becomes current, and nothing is read again before it is")
  func successor() throws {
    var bench = bench()
    _ = try bench.enterTail(1.05)
    _ = bench.pause()
    announce(&bench)
    bench.pass(.milliseconds(1060))
    #expect(bench.current == bench.items[1] && bench.snapshot.transport == .paused)
    let orders = bench.pass(.milliseconds(100)).orders
    #expect(orders == [.setPlaying(false), .seek(to: .milliseconds(50), rate: 1)])
  }

  @Test("What was handed over, and what comes from a server, is not read again")
  func notReadAgain() throws {
    var handedOver = bench()
    _ = try handedOver.takeOffer()
    var network = bench(scheme: "http")
    for (name, var bench) in [("handed over", handedOver), ("network", network)] {
      _ = bench.pause()
      announce(&bench)
      let orders = bench.pass(.milliseconds(1200)).orders.filter { $0 != .samplePosition }
      #expect(orders == [.setPlaying(false)], "\(name)")
    }
    // A buffer that runs dry meanwhile ends it.
    _ = network.pause()
    #expect(network.buffer(0).orders == [.setPlaying(false)])
    #expect(!network.effects.events.contains { if case .playbackStalled = $0 { true } else { false } })
  }

  @Test("Nothing that is not heard fades: loading, seeking, muted, at volume 0")
  func unheard() {
    var loading = Bench(1, configuration: Self.configuration)
    _ = loading.play()
    #expect(loading.pause().orders.isEmpty)
    var seeking = bench()
    _ = seeking.seek(5)
    #expect(seeking.pause().orders == [.setPlaying(false)])
    var muted = bench()
    muted.step { machine, _ in machine.setMuted(true) }
    #expect(muted.pause().orders == [.setPlaying(false)])
    var quiet = bench()
    quiet.step { machine, _ in machine.setVolume(0) }
    #expect(quiet.stop().orders == [.unload])
  }

  @Test("When the output device goes, neither a pause nor what still fades is heard elsewhere")
  func unplugged() {
    var playing = bench(pausesWhenOutputIsRemoved: true)
    #expect(playing.step { $0.outputRemoved("headset", now: $1) }.orders == [.setPlaying(false)])
    var pausing = bench(pausesWhenOutputIsRemoved: true)
    _ = pausing.pause()
    #expect(pausing.step { $0.outputRemoved("headset", now: $1) }.orders == [.setPlaying(false)])
    var stopping = bench(pausesWhenOutputIsRemoved: true)
    _ = stopping.stop()
    #expect(stopping.step { $0.outputRemoved("headset", now: $1) } == [.command(.unload)])
  }

  @Test("A long pause lets the output go as ever, and what is opened again comes up")
  func parked() {
    var bench = bench()
    _ = bench.pause()
    announce(&bench)
    bench.pass(.seconds(2))
    bench.settle()
    #expect(bench.pass(.seconds(5)) == [.command(.unload)])
    #expect(bench.play().loads == ["file:///0"])
    #expect(bench.settle().orders == [.seek(to: .milliseconds(3100), rate: 1)])
    #expect(bench.settle().orders == [.fade(.in), .setPlaying(true)])
  }

  @Test("Without a fade, nothing of it is ever wanted")
  func off() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(2))
    #expect(bench.pause().orders == [.setPlaying(false)])
    _ = bench.play()
    bench.run()
    #expect(bench.stop().orders == [.unload])
    #expect(!bench.effects.orders.contains { if case .fade = $0 { true } else { false } })
  }

  @Test("A length beyond five seconds, or below none, is clamped")
  func length() {
    #expect(PlayerConfiguration(fade: .seconds(6)).fade == .seconds(5))
    var configuration = PlayerConfiguration()
    #expect(configuration.fade == .zero)
    configuration.fade = .seconds(-1)
    #expect(configuration.fade == .zero)
  }
}
