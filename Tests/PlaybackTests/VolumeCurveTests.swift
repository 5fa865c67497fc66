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

  private func curves(_ effects: [Effect]) -> [EngineCommand] {
    effects.compactMap { if case .command(let command) = $0 { command } else { nil } }
      .filter { if case .shapeVolume = $0 { true } else { false } }
  }

  @Test("The curve of an item precedes its load, and that of a successor the answer to the streaming thread")
  func opened() throws {
    var harness = MachineHarness(3)
    let items = harness.machine.queue.items
    #expect(curves(harness.decide(.setVolumeCurve(curve, of: items[0].id))).isEmpty)
    harness.decide(.setVolumeCurve(curve, of: items[1].id))
    let effects = harness.play()
    let token = harness.token
    let shape = try #require(effects.firstIndex(of: .command(.shapeVolume(curve, of: token))))
    let load = try #require(
      effects.firstIndex { if case .command(.load(_, token, _)) = $0 { true } else { false } })
    #expect(shape < load)
    harness.settle()
    harness.run()
    let next = try harness.requireOffer()
    #expect(harness.lastEffects.contains(.command(.shapeVolume(curve, of: next.stream))))
  }

  @Test("A change applies to each open stream of the item, and the curve of a removed item is forgotten")
  func changed() throws {
    var harness = MachineHarness(3)
    let items = harness.machine.queue.items
    harness.start()
    let next = try harness.requireOffer()
    #expect(curves(harness.decide(.setVolumeCurve(curve, of: items[0].id))) == [.shapeVolume(curve, of: harness.token)])
    #expect(curves(harness.decide(.setVolumeCurve(curve, of: items[0].id))).isEmpty)
    #expect(curves(harness.decide(.setVolumeCurve(curve, of: items[1].id))) == [.shapeVolume(curve, of: next.stream)])
    #expect(curves(harness.decide(.setVolumeCurve(nil, of: items[0].id))) == [.shapeVolume(nil, of: harness.token)])
    harness.decide(.setVolumeCurve(curve, of: items[2].id))
    harness.decide(.remove([items[2].id]))
    #expect(Set(harness.machine.volumeCurves.keys) == [items[1].id])
  }
}
