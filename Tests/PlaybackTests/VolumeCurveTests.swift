import Testing

@testable import Playback

@Suite("Volume curves")
struct VolumeCurveTests {
  private let curve = VolumeCurve([
    .init(from: 0.5, to: 0.2, start: .seconds(4), end: .seconds(9)), .init(from: 1, to: 1, start: .zero, end: .zero),
  ])

  @Test(
    "A ramp is linear, and its last volume applies until the next ramp",
    arguments: [(0.0, 1.0), (3.999, 1), (4, 0.5), (6.5, 0.35), (9, 0.2), (3600, 0.2)])
  func level(seconds: Double, level: Double) {
    #expect(abs(curve.level(at: .seconds(seconds)) - level) < 1e-9)
  }

  @Test("Before the first ramp the volume is 1, and of two ramps with one start the last one applies")
  func start() {
    let jump = VolumeCurve([
      .init(from: 0.3, to: 0.3, start: .seconds(1), end: .seconds(1)),
      .init(from: 0.6, to: 0.6, start: .seconds(1), end: .seconds(1)),
    ])
    #expect(jump.level(at: .zero) == 1 && jump.level(at: .seconds(1)) == 0.6 && VolumeCurve([]).level(at: .zero) == 1)
    #expect(jump.isFull(from: .zero, to: .milliseconds(999)) && !jump.isFull(from: .zero, to: .seconds(1)))
    #expect(!curve.isFull(from: .seconds(5), to: .seconds(6)) && curve.isFull(from: .seconds(1), to: .seconds(3)))
  }

  /// The volume curve of each part of the plan.
  private func curves(_ harness: MachineHarness) -> [VolumeCurve?] { harness.plan.map(\.curve) }

  @Test("The first plan has the curves of the current item and its successors")
  func opened() throws {
    var harness = MachineHarness(3)
    let items = harness.machine.queue.items
    #expect(harness.decide(.setVolumeCurve(curve, of: items[0].id)).engineCommands.isEmpty)
    #expect(harness.decide(.setVolumeCurve(curve, of: items[1].id)).engineCommands.isEmpty)
    _ = harness.play()
    #expect(harness.settle().plan == [PlannedPart(harness.token, curve: curve)])
    harness.run()
    let next = try harness.requireOffer()
    #expect(
      harness.lastEffects.plan
        == [PlannedPart(harness.token, curve: curve), PlannedPart(next.stream, curve: curve)])
    harness.settleNext(next.stream)
    harness.enterNext(next.stream)
    #expect(harness.plan == [PlannedPart(next.stream, curve: curve)])
  }

  @Test("A change applies to each open stream of the item, and the curve of a removed item is forgotten")
  func changed() throws {
    var harness = MachineHarness(3)
    let items = harness.machine.queue.items
    harness.start()
    _ = try harness.requireOffer()
    #expect(curves(harness) == [nil, nil])
    #expect(harness.decide(.setVolumeCurve(curve, of: items[0].id)).engineCommands == [.plan(harness.plan)])
    #expect(curves(harness) == [curve, nil])
    #expect(harness.decide(.setVolumeCurve(curve, of: items[0].id)).engineCommands.isEmpty)
    #expect(harness.decide(.setVolumeCurve(curve, of: items[1].id)).engineCommands == [.plan(harness.plan)])
    #expect(curves(harness) == [curve, curve])
    #expect(harness.decide(.setVolumeCurve(nil, of: items[0].id)).engineCommands == [.plan(harness.plan)])
    #expect(curves(harness) == [nil, curve])
    harness.decide(.setVolumeCurve(curve, of: items[2].id))
    harness.decide(.remove([items[2].id]))
    #expect(Set(harness.machine.volumeCurves.keys) == [items[1].id])
  }

  @Test("An item that fades out beside the next one keeps its own curve")
  func fadingOut() throws {
    var configuration = Player.Configuration()
    configuration.crossfade = Player.Crossfade(length: .seconds(2), skipLength: .seconds(1))
    var harness = MachineHarness(3, configuration: configuration)
    harness.decide(.setVolumeCurve(curve, of: harness.items[0].id))
    harness.start(duration: 60)
    harness.advance(.seconds(54))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    harness.advance(.seconds(4))
    harness.report(.audible(next, at: .zero))
    #expect(harness.current == harness.items[1] && curves(harness) == [curve, nil])
    var skipping = MachineHarness(3, configuration: configuration)
    skipping.decide(.setVolumeCurve(curve, of: skipping.items[0].id))
    skipping.start(duration: 60)
    _ = skipping.next()
    skipping.settle(duration: 60)
    #expect(curves(skipping) == [curve, nil])
  }
}
