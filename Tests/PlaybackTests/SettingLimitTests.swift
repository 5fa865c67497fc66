import Testing

@testable import Playback

/// Values beyond every limit, given to whatever takes a number, a duration, an index or a list.
@Suite("Settings beyond their limits") struct SettingLimitTests {
  static let durations: [Duration] = [
    Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .seconds(Int64.min),
    .nanoseconds(Int64.max), .nanoseconds(Int64.min), .seconds(-1), .zero,
  ]
  static let numbers: [Double] = [.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, -1, 0, -0.0]

  /// 292 years, the longest time in nanoseconds.
  private static let longest = Duration.nanoseconds(Int64.max)

  @Test(
    "A volume is clamped to 0…10 and ignored when it is not finite, in the configuration as by the setter",
    arguments: [
      (0.5, 0.5), (10, 10), (1e9, 10), (-1, 0), (.nan, nil), (.infinity, nil), (-.infinity, nil),
    ] as [(Double, Double?)])
  func volume(asked: Double, got: Double?) async throws {
    #expect(PlayerConfiguration(volume: asked).volume == got ?? 1)
    var configuration = PlayerConfiguration(volume: 2)
    configuration.volume = asked
    #expect(configuration.volume == got ?? 2)
    let player = ScriptedEngine.player(PlayerConfiguration(volume: 2))
    #expect(player.snapshot.volume == 2)
    player.setVolume(asked)
    #expect(player.snapshot.volume == got ?? 2)
    await player.close()
  }

  @Test("A rate is clamped to 0.25…4; zero, a negative rate and one that is not finite are ignored")
  func rate() async throws {
    let player = ScriptedEngine.player()
    var expected = 1.0
    for (asked, got) in [
      (9, 4), (-1, nil), (0, nil), (-0.0, nil), (.nan, nil), (.infinity, nil), (-.infinity, nil), (0.001, 0.25),
      (-9, nil), (1.5, 1.5),
    ] as [(Double, Double?)] {
      expected = got ?? expected
      player.setRate(asked)
      player.setDefaultRate(asked)
      #expect(player.snapshot.rate == expected)
      #expect(player.snapshot.defaultRate == expected)
    }
    player.replaceQueue(with: [PlayerItem(uri: "file:///nothing")])
    player.playImmediately(atRate: -1)
    #expect(player.snapshot.transport == .stopped)
    #expect(player.snapshot.rate == 1.5)
    await player.close()
  }

  @Test("Durations of the configuration stay within their limits", arguments: durations)
  func configuration(duration: Duration) {
    var set = PlayerConfiguration()
    set.loadTimeout = duration
    set.releaseOutputAfter = duration
    set.networkTimeout = duration
    set.reconnectTimeout = duration
    set.preferredForwardBufferDuration = duration
    set.fade = duration
    let made = PlayerConfiguration(
      loadTimeout: duration, releaseOutputAfter: duration, networkTimeout: duration, reconnectTimeout: duration,
      preferredForwardBufferDuration: duration, fade: duration)
    for configuration in [set, made] {
      for timeout in [configuration.loadTimeout, configuration.networkTimeout] {
        #expect((.milliseconds(100)...Self.longest).contains(timeout))
      }
      for wait in [configuration.releaseOutputAfter, configuration.reconnectTimeout] {
        #expect((.zero...Self.longest).contains(wait))
      }
      let buffer = configuration.preferredForwardBufferDuration
      #expect(buffer.map { (.seconds(1)...Duration.seconds(600)).contains($0) } == true)
      #expect((.zero...PlayerConfiguration.longestFade).contains(configuration.fade))
    }
    var bench = Bench(configuration: made, scheme: "http")
    bench.start(duration: nil, isSeekable: false)
    bench.buffer(0)
    bench.buffer(100)
    _ = bench.pause()
    _ = bench.play()
    bench.fail(.networkCut)
    bench.pass(.seconds(5))
    #expect(bench.position >= .zero)
  }

  @Test("The pre-amplification is clamped to ±60 dB and unchanged by a number that is not finite", arguments: numbers)
  func preAmp(number: Double) {
    var gain = ReplayGain(.track, preAmp: number)
    #expect((-60...60).contains(gain.preAmp))
    gain.preAmp = 3
    gain.preAmp = number
    #expect(number.isFinite ? abs(gain.preAmp) <= 60 : gain.preAmp == 3)
  }

  @Test("A seek to any time stays within the item, whatever is known of it", arguments: durations)
  func seek(duration: Duration) {
    let tolerance = Player.SeekTolerance(before: duration, after: duration)
    #expect((.zero...Self.longest).contains(tolerance.before) && tolerance.before == tolerance.after)
    for length in [10, nil] as [Double?] {
      for start in [.zero, duration] {
        var bench = Bench(1)
        let item = PlayerItem(uri: "file:///part", hints: nil, start: start)
        bench.step { $0.replaceQueue(with: [item], startingAt: 0, now: $1) }
        let seek: (inout PlaybackMachine, MonotonicTime) -> Void = { machine, now in
          machine.seek(to: duration, within: tolerance, ticket: nil, now: now)
        }
        bench.step(seek)
        _ = bench.play()
        bench.step(seek)
        bench.settle(duration: length)
        bench.settle(duration: length)
        bench.step(seek)
        bench.settle(duration: length)
        bench.run()
        bench.pass(.seconds(1))
        #expect((.zero...Self.longest + .seconds(2)).contains(bench.position))
        if let duration = bench.snapshot.duration { #expect(bench.position <= duration) }
      }
    }
  }

  @Test("An item's bounds stay within their limits, and an end before the start is none", arguments: durations)
  func bounds(duration: Duration) {
    for other in Self.durations {
      let item = PlayerItem(uri: "file:///part", hints: nil, start: duration, end: other)
      #expect((.zero...Self.longest).contains(item.start))
      #expect(item.end.map { $0 > item.start && $0 <= Self.longest } ?? true)
      for media in Self.durations { #expect(item.duration(ofMedia: media) != nil) }
    }
    _ = Chapter(start: duration, duration: duration).end
  }

  @Test("Observers of any time fire within an item or not at all", arguments: durations)
  func observers(duration: Duration) throws {
    var observers = TimeObservers()
    let kinds = [
      try? TimeObservers.Kind(interval: duration), try? TimeObservers.Kind(times: [duration, .seconds(1)]),
      try? TimeObservers.Kind(remaining: duration),
    ]
    for (number, kind) in kinds.enumerated() {
      if let kind { observers.add(kind, as: TimeObservers.ID(number: UInt64(number))) }
    }
    #expect(observers.isEmpty == (duration < .zero))
    for rate in [0.25, 4] {
      let stretch = TimeObservers.Stretch(start: .zero, includesStart: true, duration: .seconds(10), rate: rate)
      #expect(observers.crossings(in: stretch, upTo: .seconds(10)).allSatisfy { $0.boundary <= .seconds(10) })
      #expect(observers.ticks(in: stretch, upTo: .seconds(10)).count <= 1)
      #expect((observers.nextDue(in: stretch) ?? .zero) >= .zero)
    }
  }

  @Test("Fractions beyond 0…1 are refused", arguments: numbers + [1.0001])
  func fractions(number: Double) {
    let kind = try? TimeObservers.Kind(fractions: [0.5, number])
    #expect((kind != nil) == (number == 0))
  }

  /// An edit that leaves the queue as it is.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var apply: @Sendable (inout PlaybackMachine, MonotonicTime) -> Void

    static let all = [
      Edit(testDescription: "inserting nothing") { $0.insert([], after: nil, now: $1) },
      Edit(testDescription: "inserting nothing after the current item") {
        $0.insert([], after: $0.queue.current?.id, now: $1)
      },
      Edit(testDescription: "inserting nothing at the start") { $0.insertAtStart([], now: $1) },
      Edit(testDescription: "inserting what is there") { $0.insert($0.queue.items, after: nil, now: $1) },
      Edit(testDescription: "removing what is not there") { $0.remove(PlayerItem(uri: "file:///").id, now: $1) },
      Edit(testDescription: "playing what is not there") { $0.play(PlayerItem(uri: "file:///").id, now: $1) },
      Edit(testDescription: "selecting audio tracks that are not there") {
        for index in [-1, 0, 1, Int.min, .max] { $0.selectAudioTrack(index, now: $1) }
      },
    ]
  }

  @Test("An edit that changes nothing is not reported", arguments: Edit.all)
  func unchanged(edit: Edit) {
    for count in [0, 3] {
      var bench = Bench(count)
      #expect(bench.step(edit.apply).isEmpty)
      bench.start()
      #expect(bench.step(edit.apply).isEmpty)
      #expect(bench.snapshot.itemCount == count)
    }
  }

  @Test("An empty queue that is replaced by an empty one is not reported")
  func emptyQueue() {
    var bench = Bench(0)
    #expect(bench.step { $0.replaceQueue(with: [], startingAt: 7, now: $1) }.isEmpty)
    bench = Bench(2)
    #expect(bench.step { $0.replaceQueue(with: [], startingAt: -7, now: $1) }.isNews)
  }

  @Test("A queue begins within its bounds and with a valid order", arguments: [Int.min, -1, 0, 2, 3, .max])
  func start(index: Int) {
    for order in [nil, [], [2, 1, 0], [0, 0, 0], [index, 1, 2]] as [[Int]?] {
      var bench = Bench(0)
      let items = (0..<3).map { PlayerItem(uri: "file:///\($0)") }
      bench.step { $0.replaceQueue(with: items, startingAt: index, playOrder: order, now: $1) }
      #expect(bench.machine.queue.currentIndex == min(max(0, index), 2))
      #expect(bench.machine.queue.order.map { $0.sorted() == [0, 1, 2] } ?? true)
      _ = bench.next()
      _ = bench.previous()
    }
  }
}
