import Joining
import Playback
import Testing

@Suite("Events") struct EventTests {
  @Test("The next event is the first frame for which one is returned", arguments: 0..<50)
  func next(seed: UInt64) {
    var random = SplitMix(state: seed)
    var harness = Harness()
    let streams = 1...UInt64.random(in: 1...6, using: &random)
    harness.plan(
      streams.map {
        Part($0, to: Bool.random(using: &random) ? 30 : nil, overlap: Bool.random(using: &random) ? 20 : nil)
      })
    for stream in streams { harness.decode(stream, 0..<Int64.random(in: 0...60, using: &random), ends: true) }
    var (began, ended) = (0, 0)
    while true {
      let result = harness.write(Int64.random(in: 1...50, using: &random), step: 7)
      while let next = harness.joiner.nextEvent {
        #expect(harness.joiner.heard...harness.joiner.written ~= next)
        if next > harness.joiner.heard { #expect(harness.joiner.heard(next - 1).isEmpty) }
        let events = harness.joiner.heard(next)
        #expect(!events.isEmpty)
        for case .began in events { began += 1 }
        for case .ended in events { ended += 1 }
        guard Bool.random(using: &random) else { break }
      }
      if harness.joiner.nextEvent == nil {
        #expect(harness.joiner.heard(harness.joiner.written).isEmpty)
        guard result == nil else { break }
      }
    }
    #expect(began == streams.count && ended == streams.count)
  }

  @Test("The end of a part is known when its last sample is written, or when its deck ends after that")
  func end() {
    var harness = Harness()
    harness.plan([Part(1, to: 20), Part(2)])
    #expect(harness.joiner.nextEvent == nil)
    harness.decode(1, 0..<30)
    #expect(harness.joiner.nextEvent == nil)
    harness.write(20)
    #expect(harness.joiner.nextEvent == 1)
    harness.joiner.heard(1)
    #expect(harness.joiner.nextEvent == 20)
    harness.decode(2, 0..<10)
    harness.write(10)
    #expect(harness.joiner.heard(30) == [.ended(Part.ID(1), at: .milliseconds(20)), .began(Part.ID(2), at: .zero)])
    #expect(harness.joiner.nextEvent == nil)
    harness.joiner.finish(Harness.passage(2))
    #expect(harness.joiner.nextEvent == 30)
    #expect(harness.joiner.heard(30) == [.ended(Part.ID(2), at: .milliseconds(10))])
    #expect(harness.joiner.nextEvent == nil)
  }

  @Test("A part whose new end has been written ends at the frame of the change")
  func shortened() {
    var harness = Harness()
    harness.plan([Part(1)])
    harness.decode(1, 0..<100)
    harness.write(50)
    harness.joiner.heard(10)
    harness.plan([Part(1, to: 20)], from: 30)
    #expect(harness.joiner.nextEvent == 30)
    #expect(harness.joiner.heard(30) == [.ended(Part.ID(1), at: .milliseconds(30))])
  }

  @Test("The audible frame never goes back, and is one that has been written")
  func limits() {
    var harness = Harness()
    harness.plan([Part(1)])
    harness.decode(1, 0..<100)
    harness.write(50)
    harness.joiner.heard(20)
    harness.joiner.heard(10)
    #expect(harness.joiner.heard == 20)
    harness.joiner.heard(1_000)
    #expect(harness.joiner.heard == 50)
  }
}
