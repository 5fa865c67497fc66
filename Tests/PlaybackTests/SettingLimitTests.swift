import Testing

@testable import Playback

/// The tests of values beyond their limits: numbers, durations, indices and lists.
@Suite("Limits of settings") struct SettingLimitTests {
  static let durations: [Duration] = [
    Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .seconds(Int64.min),
    .nanoseconds(Int64.max), .nanoseconds(Int64.min), .seconds(-1), .zero,
  ]
  static let numbers: [Double] = [.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, -1, 0, -0.0]

  /// 292 years, the longest duration in nanoseconds.
  private static let longest = Duration.nanoseconds(Int64.max)

  @Test(
    "A volume is clamped to 0…10 and ignored if it is not finite, in the configuration and in the setter",
    arguments: [
      (0.5, 0.5), (10, 10), (1e9, 10), (-1, 0), (.nan, nil), (.infinity, nil), (-.infinity, nil),
    ] as [(Double, Double?)])
  func volume(requested: Double, got: Double?) async throws {
    #expect(Player.Configuration(volume: requested).volume == got ?? 1)
    var configuration = Player.Configuration(volume: 2)
    configuration.volume = requested
    #expect(configuration.volume == got ?? 2)
    let player = ScriptedEngine.player(Player.Configuration(volume: 2))
    #expect(player.snapshot.volume == 2)
    player.volume = requested
    #expect(player.snapshot.volume == got ?? 2)
    await player.close()
  }

  @Test("A rate is clamped to 0.25…4; zero, negative and non-finite rates are ignored")
  func rate() async throws {
    let player = ScriptedEngine.player()
    var expected = 1.0
    for (requested, got) in [
      (9, 4), (-1, nil), (0, nil), (-0.0, nil), (.nan, nil), (.infinity, nil), (-.infinity, nil), (0.001, 0.25),
      (-9, nil), (1.5, 1.5),
    ] as [(Double, Double?)] {
      expected = got ?? expected
      player.rate = requested
      player.defaultRate = requested
      #expect(player.snapshot.rate == expected)
      #expect(player.snapshot.defaultRate == expected)
    }
    player.replaceQueue(with: [Player.Item(uri: "file:///nothing")])
    player.playImmediately(atRate: -1)
    #expect(player.snapshot.transport == .stopped)
    #expect(player.snapshot.rate == 1.5)
    await player.close()
  }

  @Test("Durations in the configuration are clamped", arguments: durations)
  func configuration(duration: Duration) {
    var set = Player.Configuration()
    set.loadTimeout = duration
    set.releaseOutputAfter = duration
    set.networkTimeout = duration
    set.reconnectTimeout = duration
    set.preferredForwardBufferDuration = duration
    set.fade = duration
    let made = Player.Configuration(
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
      #expect((.zero...Player.Configuration.longestFade).contains(configuration.fade))
    }
    var harness = MachineHarness(configuration: made, scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    harness.buffer(0)
    harness.buffer(100)
    _ = harness.pause()
    _ = harness.play()
    harness.fail(.networkCut)
    harness.advance(.seconds(5))
    #expect(harness.position >= .zero)
  }

  @Test("The pre-amplification is clamped to ±60 dB; numbers that are not finite are ignored", arguments: numbers)
  func preAmp(number: Double) {
    var gain = Player.Configuration.ReplayGain(mode: .track, preAmp: number)
    #expect((-60...60).contains(gain.preAmp))
    gain.preAmp = 3
    gain.preAmp = number
    #expect(number.isFinite ? abs(gain.preAmp) <= 60 : gain.preAmp == 3)
  }

  @Test("A seek to any time stays within the item, even if its duration is unknown", arguments: durations)
  func seek(duration: Duration) {
    let tolerance = Player.SeekTolerance(before: duration, after: duration)
    #expect((.zero...Self.longest).contains(tolerance.before) && tolerance.before == tolerance.after)
    for length in [10, nil] as [Double?] {
      for start in [.zero, duration] {
        var harness = MachineHarness(1)
        let item = Player.Item(uri: "file:///part", externalMetadata: nil, start: start)
        harness.decide(.replaceQueue([item]))
        harness.seek(to: duration, within: tolerance)
        _ = harness.play()
        harness.seek(to: duration, within: tolerance)
        harness.settle(duration: length)
        harness.settle(duration: length)
        harness.seek(to: duration, within: tolerance)
        harness.settle(duration: length)
        harness.run()
        harness.advance(.seconds(1))
        #expect((.zero...Self.longest + .seconds(2)).contains(harness.position))
        if let duration = harness.snapshot.duration { #expect(harness.position <= duration) }
      }
    }
  }

  @Test("The range of a clip is clamped, and an end before the start is ignored", arguments: durations)
  func bounds(duration: Duration) {
    for other in Self.durations {
      let item = Player.Item(uri: "file:///part", externalMetadata: nil, start: duration, end: other)
      #expect((.zero...Self.longest).contains(item.start))
      #expect(item.end.map { $0 > item.start && $0 <= Self.longest } ?? true)
      for media in Self.durations { #expect(item.duration(ofMedia: media) != nil) }
    }
    _ = Chapter(start: duration, duration: duration).end
  }

  @Test("Observers of any time fire within the item or not at all", arguments: durations)
  func observers(duration: Duration) throws {
    var observers = TimeObservers()
    let kinds = [
      try? TimeObservers.Kind(interval: duration), try? TimeObservers.Kind(times: [duration, .seconds(1)]),
      try? TimeObservers.Kind(remaining: duration),
    ]
    for case (let number, let kind?) in kinds.enumerated() { observers.add(kind, as: UInt64(number)) }
    #expect(observers.isEmpty == (duration < .zero))
    for rate in [0.25, 4] {
      let playbackRun = TimeObservers.PlaybackRun(start: .zero, includesStart: true, duration: .seconds(10), rate: rate)
      #expect(observers.crossings(in: playbackRun, upTo: .seconds(10)).allSatisfy { $0.boundary <= .seconds(10) })
      #expect(observers.ticks(in: playbackRun, upTo: .seconds(10)).count <= 1)
      #expect((observers.nextDue(in: playbackRun) ?? .zero) >= .zero)
    }
  }

  @Test("Fractions outside 0…1 are rejected", arguments: numbers + [1.0001])
  func fractions(number: Double) {
    let kind = try? TimeObservers.Kind(fractions: [0.5, number])
    #expect((kind != nil) == (number == 0))
  }

  /// An edit that does not change the queue.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var input: @Sendable (MachineHarness) -> PlaybackInput

    static let all =
      [
        Edit(testDescription: "inserting nothing") { _ in .insert([], after: nil) },
        Edit(testDescription: "inserting nothing after the current item") {
          .insert([], after: $0.current?.id)
        },
        Edit(testDescription: "inserting nothing at the start") { _ in .insertAtStart([]) },
        Edit(testDescription: "inserting items of the queue") { .insert($0.items, after: nil) },
        Edit(testDescription: "removing an unknown item") { _ in .remove(Player.Item(uri: "file:///").id) },
        Edit(testDescription: "rearranging the queue without its current item") { _ in
          .rearrange(ItemList([Player.Item(uri: "file:///")]), playOrder: nil, keepsAlbums: false)
        },
        Edit(testDescription: "playing an unknown item") { _ in .playItem(Player.Item(uri: "file:///").id) },
      ]
      + [-1, 0, 1, Int.min, .max].map { index in
        Edit(testDescription: "selecting the unknown audio track \(index)") { _ in .selectAudioTrack(index) }
      }
  }

  @Test("An edit that changes nothing is not reported", arguments: Edit.all)
  func unchanged(edit: Edit) {
    for count in [0, 3] {
      var harness = MachineHarness(count)
      #expect(harness.decide(edit.input(harness)).isEmpty)
      harness.start()
      #expect(harness.decide(edit.input(harness)).isEmpty)
      #expect(harness.snapshot.itemCount == count)
    }
  }

  @Test("Replacing an empty queue by an empty queue is not reported")
  func emptyQueue() {
    var harness = MachineHarness(0)
    #expect(harness.decide(.replaceQueue([], startingAt: 7)).isEmpty)
    harness = MachineHarness(2)
    #expect(harness.decide(.replaceQueue([], startingAt: -7)).hasChanged)
  }

  @Test("A queue starts within its bounds and with a valid order", arguments: [Int.min, -1, 0, 2, 3, .max])
  func start(index: Int) {
    for order in [nil, [], [2, 1, 0], [0, 0, 0], [index, 1, 2]] as [[Int]?] {
      var harness = MachineHarness(0)
      let items = (0..<3).map { Player.Item(uri: "file:///\($0)") }
      harness.decide(.replaceQueue(items, startingAt: index, playOrder: order))
      #expect(harness.snapshot.currentIndex == min(max(0, index), 2))
      #expect(harness.playOrder.map { $0.sorted() == [0, 1, 2] } ?? true)
      _ = harness.next()
      _ = harness.previous()
    }
  }
}
