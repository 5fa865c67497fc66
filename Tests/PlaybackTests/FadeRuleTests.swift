import Testing

@testable import Playback

/// The tests of the volume fades with a scripted engine: a fade of 1 s that is audible after 0.1 s.
@Suite("Fade rules")
struct FadeRuleTests {
  private static let configuration = Player.Configuration(fade: .seconds(1))

  private func harness(_ count: Int = 3, scheme: String = "file", pausesWhenOutputIsRemoved: Bool = false)
    -> MachineHarness
  {
    var configuration = Self.configuration
    configuration.pausesWhenOutputIsRemoved = pausesWhenOutputIsRemoved
    var harness = MachineHarness(count, configuration: configuration, scheme: scheme)
    harness.start()
    harness.advance(.seconds(2))
    return harness
  }

  /// The commands that close what plays.
  private static func unloading(_ harness: MachineHarness) -> [EngineCommand] {
    [.close(harness.token), .setPlaying(false), .plan([])]
  }

  /// Reports when the fade-out will have ended.
  private func announce(_ harness: inout MachineHarness) {
    harness.report(.output(.fadeOutEnds(in: .milliseconds(1100))))
  }

  @Test("A new length holds from the next pause on; without a length, playback resumes at its full level")
  func newLength() {
    var harness = MachineHarness()
    harness.start()
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
    _ = harness.play()
    harness.run()
    harness.decide(.setFade(.seconds(1)))
    #expect(harness.pause().engineCommands == [.fade(.out)])
    harness.decide(.setFade(.zero))
    #expect(harness.play().engineCommands == [.fade(.in)])
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
  }

  @Test("Another item ends a fading pause: its end does not seek in that item")
  func pauseThenNext() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    _ = harness.next()
    #expect(harness.settle().plan == [PlannedPart(harness.token)])
    #expect(harness.advance(.seconds(3)).engineCommands.isEmpty)
    #expect(harness.position == .zero)
  }

  @Test("A pause is published at once; the output plays until the fade-out ends, and the position is held there")
  func pause() {
    var harness = harness()
    let effects = harness.pause()
    #expect(effects.engineCommands == [.fade(.out)] && effects.hasChanged)
    #expect(harness.snapshot.transport == .paused && harness.snapshot.timeControlStatus == .paused)
    announce(&harness)
    let meanwhile = harness.advance(.milliseconds(1100)).engineCommands.filter {
      $0 != .samplePosition(of: harness.token)
    }
    #expect(meanwhile.isEmpty)
    #expect(harness.position == .milliseconds(3100))
    let end = harness.advance(.milliseconds(50)).engineCommands
    // The samples that the output received after the end of the fade-out are read again.
    #expect(end == [.seek(harness.token, to: .milliseconds(3100)), .setPlaying(false)])
    #expect(harness.position == .milliseconds(3100))
    #expect(harness.settle().events.isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .milliseconds(3100) && harness.snapshot.volume == 1)
  }

  @Test("A fade-out that is reported after its end holds the position at which the audio was silent")
  func lateReport() {
    var harness = harness()
    _ = harness.pause()
    harness.advance(.milliseconds(1300))
    harness.report(.output(.fadeOutEnds(in: .milliseconds(-200))))
    let end = harness.advance(.milliseconds(50)).engineCommands
    #expect(end == [.seek(harness.token, to: .milliseconds(3100)), .setPlaying(false)])
    #expect(harness.position == .milliseconds(3100))
  }

  @Test("The first play after a faded pause fades in")
  func resume() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    harness.advance(.seconds(2))
    harness.settle()
    #expect(harness.play().engineCommands == [.fade(.in), .setPlaying(true)])
    harness.run()
    harness.decide(.setMuted(true))
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
    #expect(harness.play().engineCommands == [.setPlaying(true)])
  }

  @Test("A play during the fade-out fades in again without another effect")
  func turn() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    harness.advance(.milliseconds(500))
    #expect(harness.play().engineCommands == [.fade(.in)])
    #expect(harness.snapshot.timeControlStatus == .playing)
    let later = harness.advance(.seconds(3)).engineCommands.filter { $0 != .samplePosition(of: harness.token) }
    #expect(later.isEmpty)
    #expect(harness.position == .milliseconds(5500))
    #expect(!harness.effects.events.contains { if case .timeJumped = $0 { true } else { false } })
  }

  @Test("A second pause during the fade-out does nothing; a pause without fading ends the fade-out")
  func again() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    #expect(harness.pause().isEmpty)
    harness.advance(.milliseconds(500))
    #expect(harness.decide(.pause(fading: false)).engineCommands == [.setPlaying(false)])
    #expect(harness.position == .milliseconds(2500))
    #expect(harness.decide(.pause(fading: false)).isEmpty)
  }

  @Test("A seek during the fade-out ends it and holds at the target; the next play fades in")
  func seek() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    harness.advance(.milliseconds(500))
    let effects = harness.seek(7)
    #expect(effects.engineCommands == [.seek(harness.token, to: .seconds(7)), .setPlaying(false)])
    harness.settle()
    #expect(harness.position == .seconds(7) && harness.snapshot.transport == .paused)
    #expect(harness.play().engineCommands == [.fade(.in), .setPlaying(true)])
  }

  @Test("A rate change during the fade-out ends it, at its position")
  func rate() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    harness.advance(.milliseconds(500))
    let commands = harness.decide(.setRate(2)).engineCommands
    #expect(commands == [.settings(harness.engineSettings), .setPlaying(false)])
    #expect(harness.engineSettings.rate == 2)
    harness.advance(.seconds(1))
    #expect(harness.position == .milliseconds(2500))
  }

  @Test("A skip during the fade-out loads the other item, paused and at full volume")
  func skip() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    let first = harness.token
    let effects = harness.next()
    #expect(effects.engineCommands.prefix(2) == [.close(first), .fade(.none)] && effects.loads == ["file:///1"])
    harness.settle()
    #expect(harness.plan == [PlannedPart(harness.token)])
    #expect(harness.advance(.seconds(2)).engineCommands.isEmpty && harness.snapshot.transport == .paused)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
  }

  @Test("A stop is published at once with position 0; the item is closed when the fade-out ends")
  func stop() {
    var harness = harness()
    let effects = harness.stop()
    #expect(effects.engineCommands == [.fade(.out)] && effects.hasChanged)
    #expect(harness.snapshot.transport == .stopped && harness.position == .zero)
    announce(&harness)
    #expect(harness.advance(.milliseconds(1100)).isEmpty)
    #expect(harness.advance(.milliseconds(50)).engineCommands == Self.unloading(harness))
    #expect(harness.nextWake == nil)
    let play = harness.play()
    #expect(play.engineCommands.first == .fade(.none) && play.loads == ["file:///0"])
  }

  @Test("A command that selects another item while a stop fades out closes the stopped one at once")
  func stopAndSelect() {
    var harness = harness()
    let stopped = harness.token
    _ = harness.stop()
    let effects = harness.next()
    #expect(effects.closed == [stopped] && effects.engineCommands.contains(.fade(.none)))
    #expect(effects.engineCommands.firstIndex(of: .close(stopped)) == 0)
    #expect(harness.openStreams.isEmpty && harness.nextWake == nil)
  }

  @Test("A stop during the fade-out of a pause ends with that fade-out; a play during a stop's fade-out loads at once")
  func stopAndPlay() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    harness.advance(.milliseconds(500))
    #expect(harness.stop().engineCommands.isEmpty)
    #expect(harness.advance(.milliseconds(500)).isEmpty)
    #expect(harness.play().loads == ["file:///0"])
    harness.settle()
    harness.run()
    #expect(harness.advance(.seconds(2)).closed.isEmpty && harness.plan == [PlannedPart(harness.token)])
  }

  @Test("An engine that does not report the end of the fade-out is paused after a time limit")
  func silentEngine() {
    var harness = harness()
    _ = harness.pause()
    #expect(harness.advance(.milliseconds(2001)).engineCommands.contains(.setPlaying(false)))
    harness.settle()
    _ = harness.play()
    harness.run()
    harness.advance(.seconds(1))
    _ = harness.stop()
    #expect(harness.advance(.milliseconds(2001)).engineCommands == Self.unloading(harness))
  }

  @Test("An item that ends during the fade-out is held, and the next item waits for play")
  func end() {
    var harness = harness()
    _ = harness.pause()
    #expect(harness.end().engineCommands == [.setPlaying(false)])
    #expect(harness.snapshot.transport == .paused && harness.current == harness.items[0])
    #expect(harness.play().engineCommands == [.fade(.in), .setPlaying(true)])
    harness.run()
    #expect(harness.end().loads == ["file:///1"])
  }

  @Test("A next item that becomes audible during the fade-out becomes current before samples are read again")
  func successor() throws {
    var harness = harness()
    let next = try harness.prepareNext()
    _ = harness.pause()
    announce(&harness)
    harness.advance(.milliseconds(1050))
    harness.enterNext(next)
    harness.advance(.milliseconds(10))
    #expect(harness.current == harness.items[1] && harness.snapshot.transport == .paused)
    let commands = harness.advance(.milliseconds(100)).engineCommands
    #expect(commands == [.seek(next, to: .milliseconds(50)), .setPlaying(false)])
  }

  @Test("Samples that are read again after a fade-out close the next item, which is opened again after them")
  func successorIsOpenedAgain() throws {
    var harness = harness()
    let next = try harness.prepareNext()
    _ = harness.pause()
    announce(&harness)
    harness.advance(.milliseconds(1200))
    #expect(harness.effects.engineCommands.contains(.seek(harness.token, to: .milliseconds(3100))))
    #expect(harness.effects.closed == [next] && harness.position == .milliseconds(3100))
    harness.settle()
    #expect(harness.offer()?.uri == harness.items[1].uri && harness.violations.isEmpty)
  }

  @Test("After a fade-out, samples are not read again from a network stream")
  func notReadAgain() throws {
    var network = harness(scheme: "http")
    var harness = network
    _ = harness.pause()
    announce(&harness)
    let commands = harness.advance(.milliseconds(1200)).engineCommands
    #expect(commands.filter { $0 != .samplePosition(of: harness.token) } == [.setPlaying(false)])
    // A buffer that runs empty during the fade-out ends it.
    _ = network.pause()
    #expect(network.buffer(0).engineCommands == [.setPlaying(false)])
    #expect(!network.effects.events.contains { if case .playbackStalled = $0 { true } else { false } })
  }

  @Test("Inaudible playback does not fade: loading, seeking, muted, at volume 0")
  func unheard() {
    var loading = MachineHarness(1, configuration: Self.configuration)
    _ = loading.play()
    #expect(loading.pause().engineCommands.isEmpty)
    var seeking = harness()
    _ = seeking.seek(5)
    #expect(seeking.pause().engineCommands == [.setPlaying(false)])
    var muted = harness()
    muted.decide(.setMuted(true))
    #expect(muted.pause().engineCommands == [.setPlaying(false)])
    var quiet = harness()
    quiet.decide(.setVolume(0))
    #expect(quiet.stop().engineCommands == Self.unloading(quiet))
  }

  @Test("Removing the output device pauses or closes the item at once, without a fade-out on another device")
  func unplugged() {
    var playing = harness(pausesWhenOutputIsRemoved: true)
    #expect(playing.report(.output(.removed("headset"))).engineCommands == [.setPlaying(false)])
    var pausing = harness(pausesWhenOutputIsRemoved: true)
    _ = pausing.pause()
    #expect(pausing.report(.output(.removed("headset"))).engineCommands == [.setPlaying(false)])
    var stopping = harness(pausesWhenOutputIsRemoved: true)
    _ = stopping.stop()
    #expect(stopping.report(.output(.removed("headset"))).engineCommands == Self.unloading(stopping))
  }

  @Test("A long pause releases the output after the fade-out, and the reloaded item fades in")
  func parked() {
    var harness = harness()
    _ = harness.pause()
    announce(&harness)
    harness.advance(.seconds(2))
    harness.settle()
    #expect(harness.advance(.seconds(5)).engineCommands == [.close(harness.token), .plan([])])
    let opened = harness.play().opened
    #expect(opened == [StreamRequest(uri: "file:///0", stream: harness.token, start: .milliseconds(3100))])
    #expect(
      harness.settle().engineCommands == [.fade(.in), .plan([PlannedPart(harness.token)]), .setPlaying(true)])
  }

  @Test("Without a fade duration, no fade is requested")
  func off() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
    _ = harness.play()
    harness.run()
    #expect(harness.stop().engineCommands == Self.unloading(harness))
    #expect(!harness.effects.engineCommands.contains { if case .fade = $0 { true } else { false } })
  }

  @Test("The fade duration is clamped to 0…5 s")
  func length() {
    #expect(Player.Configuration(fade: .seconds(6)).fade == .seconds(5))
    var configuration = Player.Configuration()
    #expect(configuration.fade == .zero)
    configuration.fade = .seconds(-1)
    #expect(configuration.fade == .zero)
  }
}
