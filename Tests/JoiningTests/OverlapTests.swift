import Joining
import Playback
import Testing

@Suite("Overlaps") struct OverlapTests {
  /// A stream of one level, so that the output shows the gains.
  private func constant(_ level: Int16, _ count: Int) -> [Int16] { [Int16](repeating: level, count: count) }

  /// Returns a harness with two streams of one level, 100 frames each; the second stream overlaps the first.
  private func pair(_ levels: (Int16, Int16), overlap: Int, _ curve: Player.CrossfadeCurve = .linear) -> Harness {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: overlap, curve)])
    harness.decode(constant(levels.0, 100), of: 1, ends: true)
    harness.decode(constant(levels.1, 100), of: 2, ends: true)
    return harness
  }

  @Test("With the linear curve the levels change by one step a sample, and the overlap has its exact length")
  func linear() {
    var harness = pair((10_000, 20_000), overlap: 20)
    #expect(harness.write(step: 7) == .ended)
    #expect(harness.output.count == 180)
    #expect(harness.output[..<80] == constant(10_000, 80)[...])
    for frame in 0..<20 {
      #expect(harness.output[80 + frame] == Int16(10_000 * (20 - frame) / 20 + 20_000 * frame / 20))
    }
    #expect(harness.output[100...] == constant(20_000, 80)[...])
  }

  @Test("With equal power the sum of the squares of the levels is constant")
  func equalPower() {
    var (first, second) = (pair((10_000, 0), overlap: 40, .equalPower), pair((0, 10_000), overlap: 40, .equalPower))
    first.write()
    second.write()
    for frame in 60..<100 {
      let (out, rise) = (Double(first.output[frame]), Double(second.output[frame]))
      #expect(abs((out * out + rise * rise).squareRoot() - 10_000) <= 1)
    }
    #expect(first.output[60] == 10_000)
    #expect(second.output[60] == 0)
    #expect(first.output[80] == 7_071)
  }

  @Test("Two loud parts stay within full scale, without a corner, and quiet ones are not changed")
  func headroom() {
    var loud = pair((32_000, 32_000), overlap: 40, .equalPower)
    loud.write()
    #expect(loud.output.allSatisfy { $0 >= 32_000 - 1 })
    // Clipping would be a plateau of 27 samples.
    #expect(loud.output[61..<99].filter { $0 == 32_767 }.count <= 1)
    let steps = zip(loud.output[60..<99], loud.output[61..<100]).map { $1 - $0 }
    #expect(steps.prefix(20).allSatisfy { $0 >= 0 } && steps.suffix(19).allSatisfy { $0 <= 0 })
    var negative = pair((-32_768, -32_768), overlap: 40, .equalPower)
    negative.write()
    #expect(negative.output.allSatisfy { $0 < -32_000 })
    var quiet = pair((9_000, 9_000), overlap: 40, .equalPower)
    quiet.write()
    #expect(quiet.output[80] == 12_728)
  }

  @Test("Of three items that are shorter than the overlap, two sound at once at most, and every sample is written")
  func shortItems() {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 60), Part(3, overlap: 60), Part(4, overlap: 60)])
    for stream in 1...4 as ClosedRange<UInt64> { harness.decode(constant(10_000, 20), of: stream, ends: true) }
    #expect(harness.write(step: 3) == .ended)
    // Each overlap is half of an item.
    #expect(harness.output == constant(10_000, 50))
    let events = harness.joiner.heard(50)
    #expect(events.filter { if case .ended(_, .milliseconds(20)) = $0 { true } else { false } }.count == 4)
  }

  @Test("The next part becomes the position with its first sample, and both are reported at their samples")
  func events() {
    var harness = pair((10_000, 20_000), overlap: 20)
    harness.write()
    #expect(harness.joiner.position(at: 79)?.part == Part.ID(1))
    #expect(harness.joiner.position(at: 80)?.part == Part.ID(2))
    #expect(harness.joiner.position(at: 95)?.time == .milliseconds(15))
    #expect(harness.joiner.heard(80) == [.began(Part.ID(1), at: .zero)])
    #expect(harness.joiner.heard(81) == [.began(Part.ID(2), at: .zero)])
    #expect(harness.joiner.heard(99).isEmpty)
    #expect(harness.joiner.heard(100) == [.ended(Part.ID(1), at: .milliseconds(100))])
  }

  @Test("An overlap whose samples come late is whole if it is written again from its start")
  func lateStart() {
    var (whole, harness) = (pair((10_000, 20_000), overlap: 20), Harness())
    whole.write()
    let parts = [Part(1), Part(2, overlap: 20)]
    harness.plan(parts)
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.write(95)
    #expect(harness.joiner.lateStart(of: parts) == nil)
    harness.decode(constant(20_000, 100), of: 2, ends: true)
    #expect(harness.joiner.lateStart(of: parts) == 80)
    harness.plan(parts, from: 80)
    #expect(harness.joiner.lateStart(of: parts) == nil)
    #expect(harness.write() == .ended)
    #expect(harness.output == whole.output)
  }

  @Test("A part that fades in beside another one begins late as soon as its samples are here")
  func lateFadeIn() {
    var harness = Harness()
    var next = Part(2)
    next.join = .fadeIn(CrossfadeShape(length: .milliseconds(10), curve: .linear))
    harness.plan([Part(1), next])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.write(60)
    harness.joiner.heard(30)
    #expect(harness.joiner.lateStart(of: [Part(1), next]) == nil)
    harness.decode(constant(10_000, 100), of: 2, ends: true)
    #expect(harness.joiner.lateStart(of: [Part(1), next]) == 30)
    #expect(harness.joiner.lateStart(of: [Part(1), Part(2)]) == nil)
  }

  @Test("Media without a sample overlaps with nothing, and the part after it follows the end")
  func emptyOverlap() {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 20), Part(3)])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.joiner.finish(Harness.passage(2))
    harness.decode(constant(20_000, 100), of: 3, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == constant(10_000, 100) + constant(20_000, 100))
  }

  @Test("The missing samples of a part that has begun beside another one are waited for, if there is time")
  func patience() {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 20)])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.decode(constant(20_000, 5), of: 2)
    harness.write(85)
    #expect(harness.joiner.next(10, isPatient: true) == .waiting(Harness.passage(2)))
    #expect(harness.joiner.written == 85)
    guard case .samples = harness.joiner.next(10) else {
      Issue.record("the first part was not written")
      return
    }
  }

  @Test("A deck that is late shortens the overlap, and never touches the part before")
  func late() {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 40)])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.write(80)
    #expect(harness.output == constant(10_000, 80))
    harness.decode(constant(10_000, 100), of: 2, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == constant(10_000, 180))
    #expect(harness.joiner.heard(81).last == .began(Part.ID(2), at: .zero))
  }

  @Test("A deck that never delivers leaves the part before at its full level to its end")
  func hanging() {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 40)])
    harness.decode(1, 0..<100, ends: true)
    #expect(harness.write() == .waiting(Harness.passage(2)))
    #expect(harness.output == Harness.samples(1, 0..<100))
  }

  @Test("A deck that runs dry during the overlap is waited for after it, and loses no sample")
  func dry() {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 20)])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.decode(constant(8_000, 5), of: 2)
    #expect(harness.write() == .waiting(Harness.passage(2)))
    #expect(harness.output[80..<85] == [10_000, 9_900, 9_800, 9_700, 9_600])
    let fade: [Int16] = (5..<20).map { Int16(10_000 - 500 * $0) }
    #expect(Array(harness.output[85...]) == fade)
    #expect(harness.joiner.position(at: 95)?.time == .milliseconds(5))
    harness.decode(constant(8_000, 95), of: 2, at: 5, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output[100...] == constant(8_000, 95)[...])
  }

  @Test("A deck that runs dry while it fades out is not waited for, and late samples are dropped")
  func dryOutgoing() {
    var harness = Harness()
    harness.plan([Part(1, to: 100), Part(2, overlap: 20)])
    harness.decode(constant(10_000, 85), of: 1)
    harness.decode(constant(0, 100), of: 2, ends: true)
    harness.write(35, step: 5)
    harness.write(70, step: 5)
    harness.decode(constant(10_000, 15), of: 1, at: 85, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == constant(10_000, 80) + [10_000, 9_500, 9_000, 8_500, 8_000] + constant(0, 95))
  }

  @Test("A part that runs dry while it fades out ends with its fade, and the next one sounds exactly from there on")
  func dryToTheEnd() {
    var harness = Harness()
    harness.plan([Part(1, to: 100), Part(2, overlap: 20), Part(3)])
    harness.decode(constant(10_000, 85), of: 1)
    harness.decode(2, 0..<100, ends: true)
    harness.decode(3, 0..<10, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output[100...] == (Harness.samples(2, 20..<100) + Harness.samples(3, 0..<10))[...])
    #expect(harness.joiner.heard(100).last == .ended(Part.ID(1), at: .milliseconds(85)))
  }

  @Test("A part that was dry while it fades out continues, and ends with its fade")
  func dryForAWhile() {
    var harness = Harness()
    harness.plan([Part(1, to: 100), Part(2, overlap: 20)])
    harness.decode(constant(10_000, 85), of: 1)
    harness.decode(constant(0, 100), of: 2, ends: true)
    harness.write(90, step: 5)
    harness.decode(constant(10_000, 15), of: 1, at: 85, ends: true)
    #expect(harness.write() == .ended)
    #expect(
      harness.output[80...]
        == ([10_000, 9_500, 9_000, 8_500, 8_000, 0, 0, 0, 0, 0]
        + (0..<10).map { Int16(5_000 - 500 * $0) } + constant(0, 80))[...])
    let output = harness.output
    for frame in [97, 92] as [Int64] {
      harness.plan([Part(1, to: 100), Part(2, overlap: 20)], from: frame)
      harness.write()
      #expect(harness.output == output)
    }
    // Samples that were late are here when the frames are written again.
    harness.plan([Part(1, to: 100), Part(2, overlap: 20)], from: 87)
    harness.write()
    let fade: [Int16] = (7..<20).map { Int16(10_000 - 500 * $0) }
    #expect(Array(harness.output[87..<100]) == fade)
    #expect(harness.joiner.heard(100).last == .ended(Part.ID(1), at: .milliseconds(98)))
  }

  @Test("A rest of an overlap that is shorter than 10 ms is a gapless join", arguments: [90, 91] as [Int64])
  func shortRest(written: Int64) {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 40)])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.write(written)
    harness.decode(constant(10_000, 100), of: 2, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output.count == (written == 90 ? 190 : 200))
  }

  @Test("An overlap waits for the start of the next part, although samples before that are here")
  func startIsLate() {
    var harness = Harness()
    harness.plan([Part(1), Part(2, from: 50, overlap: 40)])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.decode(constant(20_000, 40), of: 2)
    #expect(harness.write() == .waiting(Harness.passage(2)))
    #expect(harness.output == constant(10_000, 100))
  }

  @Test("A part that is dry when an overlap is due is the one that is waited for")
  func bothDry() {
    var harness = Harness()
    harness.plan([Part(1, to: 100), Part(2, overlap: 20)])
    harness.decode(1, 0..<85)
    #expect(harness.write() == .waiting(Harness.passage(1)))
    #expect(harness.output.count == 85)
  }

  @Test("An overlap is held back until it is near, and delays the part before it")
  func heldBack() {
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 20)])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.decode(constant(10_000, 100), of: 2, ends: true)
    #expect(harness.write(lead: 30) == .holding(until: 50))
    #expect(harness.output.count == 80)
    harness.joiner.heard(50)
    #expect(harness.write(lead: 30) == .ended)
    #expect(harness.output == constant(10_000, 180))
  }

  @Test("A gain above 1 is limited without a corner, and ends at full scale", arguments: [1.5, 2, 3])
  func loud(gain: Double) {
    var harness = Harness()
    harness.plan([Part(1, gain: gain)])
    let levels = (0...32).map { Int16(min($0 * 1_024, 32_767)) }
    harness.decode(levels + levels.map { -$0 }, of: 1, ends: true)
    harness.write()
    for (level, result) in zip(levels, harness.output) {
      let input = Double(level) / 32_768
      let knee = max(0, 2 - gain)
      let rest = (gain - gain * input) / (gain - knee)
      let expected =
        gain * input <= knee
        ? gain * input : 1 - (1 - knee) * (knee > 0 ? rest * rest : (rest * rest) * (gain == 3 ? rest : 1))
      #expect(abs(Double(result) - expected * 32_768) <= 1)
    }
    for (positive, negative) in zip(harness.output, harness.output.dropFirst(33)) {
      #expect(abs(Int(positive) + Int(negative)) <= 1)
    }
  }

  @Test("A gain above 1 is exact where the known peak stays within full scale")
  func knownPeak() {
    var harness = Harness()
    var part = Part(1, gain: 3)
    part.peak = 1.0 / 3
    harness.plan([part])
    let levels = (0...10).map { Int16($0 * 1_000) }
    harness.decode(levels + levels.map { -$0 }, of: 1, ends: true)
    harness.write()
    #expect(harness.output == (levels + levels.map { -$0 }).map { $0 * 3 })
  }

  @Test("An overlap is half as long as the shorter part")
  func half() {
    var (short, long) = (Harness(), Harness())
    for (harness, lengths) in [(0, (20, 100)), (1, (100, 20))] {
      var made = Harness()
      made.plan([Part(1), Part(2, overlap: 60)])
      made.decode(constant(1, lengths.0), of: 1, ends: true)
      made.decode(constant(1, lengths.1), of: 2, ends: true)
      made.write()
      if harness == 0 { short = made } else { long = made }
    }
    #expect(short.output.count == 110)
    #expect(long.output.count == 110)
  }

  @Test("An item that ends before its overlap begins is followed gaplessly, at the full level")
  func earlyEnd() {
    var harness = Harness()
    harness.plan([Part(1, to: 100), Part(2, overlap: 40)])
    harness.decode(constant(10_000, 50), of: 1)
    harness.write()
    harness.joiner.finish(Harness.passage(1))
    harness.decode(constant(20_000, 100), of: 2, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == constant(10_000, 50) + constant(20_000, 100))
  }

  @Test("An overlap of another format begins when its deck has converted it, and follows gaplessly without that")
  func formats() {
    let other = PCMFormat(.int16, rate: 500, channels: 1).required
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 40)])
    harness.decode(1, 0..<100, ends: true)
    harness.decode(2, 0..<100, ends: true, in: other)
    #expect(
      harness.joiner.conversion?.passage == Harness.passage(2)
        && harness.joiner.conversion?.format == harness.joiner.format)
    harness.joiner.discard(Harness.passage(2))
    harness.decode(2, 0..<50, ends: true)
    #expect(harness.joiner.conversion == nil)
    #expect(harness.write() == .ended)
    // The overlap is half of the shorter part.
    #expect(harness.output.count == 125)
    harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 40)])
    harness.decode(1, 0..<100, ends: true)
    harness.decode(2, 0..<100, ends: true, in: other)
    #expect(harness.write(lead: 10) == .holding(until: 90))
    #expect(harness.output == Harness.samples(1, 0..<100))
    harness.joiner.heard(90)
    #expect(harness.write(lead: 10) == .reopening(other))
  }

  @Test(
    "A track with a higher rate or more channels is not converted to the format of the one before: it follows gaplessly",
    arguments: [(2_000, 1), (1_000, 2)])
  func betterFormats(rate: Int, channels: Int) {
    let other = PCMFormat(.int16, rate: rate, channels: channels).required
    var harness = Harness()
    harness.plan([Part(1), Part(2, overlap: 40)])
    harness.decode(1, 0..<100, ends: true)
    harness.decode(2, 0..<100, ends: true, in: other)
    #expect(harness.joiner.conversion == nil)
    #expect(harness.write(lead: 10) == .holding(until: 90))
    #expect(harness.output == Harness.samples(1, 0..<100))
    harness.joiner.heard(90)
    #expect(harness.write(lead: 10) == .reopening(other))
  }

  @Test("Rates from 44.1 kHz on count as equal for an overlap", arguments: [44_100, 48_000, 192_000])
  func equalRates(rate: Int) throws {
    let disc = try #require(PCMFormat(.int16, rate: 44_100, channels: 2))
    #expect(try disc.carries(#require(PCMFormat(.int24, rate: rate, channels: 2))))
    #expect(
      try !#require(PCMFormat(.int16, rate: 32_000, channels: 2)).carries(
        #require(PCMFormat(.int16, rate: rate, channels: 1))))
  }

  @Test("A track keeps its channels in an overlap; a single one may become two")
  func channels() throws {
    let formats = try [1, 2, 6, 8].map { try #require(PCMFormat(.int16, rate: 44_100, channels: $0)) }
    for (format, carried) in zip(formats, [[1], [1, 2], [6], [8]]) {
      #expect(formats.filter { format.carries($0) }.map(\.channels) == carried)
    }
  }

  @Test("Gains and curves follow the media time, and a sample at the full level is exact")
  func gains() {
    var harness = Harness()
    let curve = VolumeCurve([.init(from: 1, to: 0, start: .milliseconds(10), end: .milliseconds(20))])
    harness.plan([Part(1, to: 30, curve: curve), Part(2, gain: 0.5)])
    harness.decode(constant(10_000, 50), of: 1, ends: true)
    harness.decode(constant(10_000, 10), of: 2, ends: true)
    #expect(harness.write(step: 4) == .ended)
    let expected =
      constant(10_000, 10) + (0..<10).map { Int16(10_000 - $0 * 1_000) } + constant(0, 10) + constant(5_000, 10)
    #expect(harness.output == expected)
  }

  @Test("A jump of a curve takes effect at its frame")
  func curveJump() {
    var harness = Harness()
    let curve = VolumeCurve([.init(from: 1, to: 0.5, start: .milliseconds(10), end: .milliseconds(10))])
    harness.plan([Part(1, curve: curve)])
    harness.decode(constant(10_000, 20), of: 1, ends: true)
    harness.write()
    #expect(harness.output == constant(10_000, 10) + constant(5_000, 10))
  }

  @Test("Each encoding is copied exactly, and mixed to the nearest value", arguments: PCMFormat.Encoding.allCases)
  func encodings(encoding: PCMFormat.Encoding) {
    let format = PCMFormat(encoding, rate: 1_000, channels: 2).required
    var joiner = Joiner(format)
    let bytes = (0..<format.bytesPerFrame * 8).map { UInt8(truncatingIfNeeded: $0 * 37 % 120) }
    let (full, half) = (Harness.passage(1), Harness.passage(2))
    joiner.setPlan([Part(1), Part(2, gain: 0.5)], from: 0)
    for passage in [full, half] {
      if let block = Block(passage, format, first: 0, bytes: bytes) { joiner.append(block) }
      joiner.finish(passage)
    }
    #expect(joiner.next(8) == .samples(bytes))
    guard case .samples(let halved) = joiner.next(8) else { return #expect(Bool(false), "no samples") }
    for sample in 0..<16 {
      let (whole, part) = (value(bytes, sample, encoding), value(halved, sample, encoding))
      #expect(abs(part - whole / 2) <= (encoding == .float32 || encoding == .float64 ? abs(whole) * 1e-7 : 0.5))
    }
  }

  @Test("A gain of NaN is silence", arguments: [PCMFormat.Encoding.int16, .int24, .int32])
  func noNumber(encoding: PCMFormat.Encoding) {
    let format = PCMFormat(encoding, rate: 1_000, channels: 1).required
    var joiner = Joiner(format)
    joiner.setPlan([Part(1, gain: .nan)], from: 0)
    let block = Block(Harness.passage(1), format, first: 0, bytes: [UInt8](repeating: 1, count: 4 * encoding.bytes))
    joiner.append(block.required)
    #expect(joiner.next(4) == .samples([UInt8](repeating: 0, count: 4 * encoding.bytes)))
  }

  /// Reads a sample in steps of its encoding.
  private func value(_ bytes: [UInt8], _ index: Int, _ encoding: PCMFormat.Encoding) -> Double {
    let size = encoding.bytes
    let bits = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[index * size + $1]) << UInt64(8 * $1) }
    return switch encoding {
    case .int16: Double(Int16(truncatingIfNeeded: bits))
    case .int24: Double(Int32(truncatingIfNeeded: bits << 8) >> 8)
    case .int32: Double(Int32(truncatingIfNeeded: bits))
    case .float32: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .float64: Double(bitPattern: bits)
    }
  }
}
