import Simulation
import Testing

/// The faults that runs of a player have found, as short scripts.
@SimulationQueue
@Suite struct PlayerFindingTests {
  @Test("The preroll of a pause that is reported after a seek has begun does not end the seek")
  func prerollBeforeSeek() {
    let scenario = Scenario(
      seed: 5_761_032_899_620_537_557, media: [.plain(10_000)],
      behaviour: Behaviour {
        ($0.readAhead, $0.errors, $0.messageDelay, $0.callDuration) = (1, 2, 0, 800)
        $0.drift = 50
        $0.lateEnds = true
      },
      settings: Scenario.Settings(fade: 0, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 1000, .replace(media: [7, 4, 6, 4, 4, 1, 2, 2], start: 0)), Step(after: 0, .client(1, .play)),
        Step(after: 1000, .pause(fading: true)), Step(after: 0, .play),
        Step(after: 0, .seekAwaited(to: -5000, tolerance: -1)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("The fill level of a station is reported while the output is behind the position that is shown")
  func fillLevelBehind() {
    var station = Media.plain(6_795_946)
    (station.source, station.stated, station.isSeekable, station.seekPoints) = (.station, nil, false, 2000)
    station.server.speed = 105
    let scenario = Scenario(
      seed: 1_896_510_130_109_836_922, media: [station],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) },
      settings: Scenario.Settings(fade: 0, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 0, .setWaits(false)), Step(after: 0, .setForwardBuffer(30_000)),
        Step(after: 0, .append(media: [0])),
        Step(after: 1000, .outputStops(for: 15_112)), Step(after: 0, .client(0, .playPause)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("At four times the speed, an output that starts late passes the stated duration, which is corrected")
  func lateStartBeforeStatedEnd() {
    var longer = Media.plain(49_513)
    (longer.stated, longer.seekPoints) = (32_183, 2000)
    let scenario = Scenario(
      seed: 13_426_652_147_524_194_153, media: [.plain(10_000), longer],
      behaviour: Behaviour {
        ($0.readAhead, $0.errors, $0.messageDelay, $0.callDuration) = (100, 4, 0, 0)
        ($0.startDelay, $0.bufferingStorm) = (80, true)
      },
      settings: Scenario.Settings(fade: 0, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 0, .setLoop(2)), Step(after: 0, .setRate(1000)),
        Step(after: 0, .replace(media: [1, 0, 3, 3, 4], start: 4)), Step(after: 0, .play),
        Step(after: 0, .removeCurrent), Step(after: 1000, .seekToFraction(862)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("Repetitions that end while a call hangs are reported when it returns")
  func endsDuringHang() {
    let scenario = Scenario(
      seed: 3_462_987_971_438_946_999, media: [.plain(10_000)],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) },
      settings: Scenario.Settings(fade: 0, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 0, .append(media: [3, 6, 15, 15])), Step(after: 0, .play),
        Step(after: 4387, .callHangs(for: 18_335)), Step(after: 175_072, .volumeChanges(24, muted: false)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("A silent seek that is refused late moves the position back only with a report")
  func lateRefusal() {
    var refusing = Media.plain(196_660)
    (refusing.seekPoints, refusing.fault) = (500, .refusedSeeks)
    let scenario = Scenario(
      seed: 15_553_420_880_168_332_977, media: [refusing, .plain(10_000)],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) },
      settings: Scenario.Settings(fade: 300, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 0, .append(media: [0, 1, 1, 1])), Step(after: 0, .play), Step(after: 0, .outputStops(for: 2864)),
        Step(after: 377, .pause(fading: true)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("A gentle correction of the position is complete after its time of playback, without that of a pause")
  func correctionDuringPause() {
    var unseekable = Media.plain(170_772)
    unseekable.isSeekable = false
    let scenario = Scenario(
      seed: 12_995_018_954_495_077_079, media: [.plain(10_000), .plain(10_000), unseekable],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) },
      settings: Scenario.Settings(fade: 0, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 0, .append(media: [1, 1, 2, 2, 1])), Step(after: 0, .play),
        Step(after: 15_983, .outputStops(for: 20_000)), Step(after: 0, .next),
        Step(after: 98_811, .pause(fading: true)), Step(after: 766_388, .play),
        Step(after: 16_897, .append(media: [2])),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("A call that hangs long after the fault was set is a fault from then on")
  func lateHang() {
    var media = Media.plain(257_922)
    media.album = 0
    let scenario = Scenario(
      seed: 1, media: [media], behaviour: Behaviour(), settings: Scenario.Settings(crossfade: 4_200),
      steps: [
        Step(after: 0, .replace(media: [0, 0], start: 0)), Step(after: 0, .play),
        Step(after: 69_393, .callHangs(for: 19_737)), Step(after: 210_000, .read),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("Of many items without samples in a row, a bounded number is open")
  func rowOfSilence() {
    var silent = Media.plain(60_000)
    silent.fault = .silent
    let scenario = Scenario(
      seed: 1, media: [.plain(90_000), silent], behaviour: Behaviour(), settings: Scenario.Settings(crossfade: 5_000),
      steps: [
        Step(after: 0, .replace(media: [0] + [Int](repeating: 1, count: 14) + [0], start: 0)), Step(after: 0, .play),
        Step(after: 200_000, .read),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("A boundary that the first report of a next item has passed is in the run of playback that begins there")
  func boundaryAfterEntry() {
    let scenario = Scenario(
      seed: 12_210_132_612_545_164_675, media: [.plain(10_000)], behaviour: Behaviour { $0.callDuration = 0 },
      settings: Scenario.Settings(fade: 0),
      steps: [
        Step(after: 0, .replace(media: [0, 0], start: 0)), Step(after: 0, .play),
        Step(after: 0, .observeTimes([1, 2, 3])),
        Step(after: 30_000, .read),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("A stream that states too short a duration shows its range when playback passes the estimated end")
  func passedEstimate() {
    var longer = Media.plain(422_633)
    (longer.source, longer.stated) = (.server, 291_616)
    let scenario = Scenario(
      seed: 11_813_255_536_560_142_297, media: [longer],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) }, settings: Scenario.Settings(fade: 0),
      steps: [
        Step(after: 0, .setForwardBuffer(30_000)), Step(after: 0, .observeTimes([54_410])),
        Step(after: 0, .insertClips(media: 0, from: 0, lengths: [61_676])), Step(after: 0, .play),
        Step(after: 80_000, .read),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("After a stall, the range that is published goes back with the position")
  func rangeAfterStall() {
    var station = Media.plain(1_144_153)
    (station.source, station.stated, station.isSeekable, station.hasTitle) = (.station, nil, false, false)
    (station.server.stallAt, station.server.stall, station.server.isAnnounced) = (46_532, 200_000, false)
    let scenario = Scenario(
      seed: 10_006_215_086_568_605_914, media: [station],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) }, settings: Scenario.Settings(fade: 0),
      steps: [
        Step(after: 0, .setWaits(false)), Step(after: 0, .append(media: [0])), Step(after: 0, .play),
        Step(after: 126_131, .client(0, .playPause)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("A process that is suspended during a crossfade does not mix")
  func suspendedCrossfade() {
    let scenario = Scenario(
      seed: 7_180_617_269_885_452_736, media: [.plain(36_793), .plain(10_000)],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) },
      settings: Scenario.Settings(release: 60_000, crossfade: 2_061),
      steps: [
        Step(after: 0, .replace(media: [0, 1], start: 0)), Step(after: 0, .play),
        Step(after: 31_948, .suspended(for: 39_197, playsOn: true)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("While a call hangs, the output plays on at the rate before")
  func rateDuringHang() {
    let scenario = Scenario(
      seed: 3_427_963_505_075_116_651, media: [.plain(10_000)],
      behaviour: Behaviour {
        ($0.readAhead, $0.errors, $0.messageDelay, $0.callDuration) = (8_000, 2, 0, 100)
        ($0.drift, $0.opensOutputLate) = (50, true)
      },
      settings: Scenario.Settings(fade: 0),
      steps: [
        Step(after: 0, .append(media: [0, 0, 0, 0])), Step(after: 0, .setLoop(2)), Step(after: 0, .setDefaultRate(125)),
        Step(after: 0, .play), Step(after: 4_261_033, .callHangs(for: 2_245)), Step(after: 0, .setRate(100)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("A remaining time is reported again in the decision that jumps back to the start")
  func remainingAfterJump() {
    let scenario = Scenario(
      seed: 1_571_827_897_252_318_153, media: [.plain(10_000)],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) }, settings: Scenario.Settings(fade: 0),
      steps: [
        Step(after: 0, .observeRemaining(100_000)), Step(after: 0, .replace(media: [0, 0, 0, 0], start: 0)),
        Step(after: 0, .outputStops(for: 20_000)), Step(after: 0, .client(2, .setPosition(permille: 609))),
        Step(after: 0, .play),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }
}
