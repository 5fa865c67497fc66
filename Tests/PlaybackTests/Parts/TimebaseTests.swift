import Testing

@testable import Playback

@Suite("Timebase") struct TimebaseTests {
  private let start = MonotonicTime(nanoseconds: 5_000_000_000)

  private func running(from position: Duration = .seconds(1), rate: Double = 1) -> Timebase {
    var timebase = Timebase()
    timebase.run(from: position, rate: rate, at: start)
    return timebase
  }

  @Test("The position advances at the rate and is measured after the start", arguments: [0.5, 1, 2])
  func runs(rate: Double) {
    let timebase = running(rate: rate)
    #expect(timebase.position(at: start + .seconds(4)) == .seconds(1 + 4 * rate))
    #expect(timebase.nextSample == start + .milliseconds(150))
    #expect(timebase.playbackRun.number == 0)
  }

  @Test("Standing is not a jump and schedules no measurement")
  func stands() {
    var timebase = running()
    timebase.stand(at: .seconds(3))
    #expect(timebase.position(at: start + .seconds(60)) == .seconds(3))
    #expect(!timebase.isRunning && timebase.nextSample == nil && timebase.playbackRun.number == 0)
  }

  @Test("A jump and an item change begin a new segment")
  func jumps() {
    var timebase = running()
    timebase.jump(to: .seconds(7))
    #expect(timebase.playbackRun == (1, .seconds(7)) && !timebase.isRunning && timebase.nextSample == nil)
    timebase.enterItem(with: PositionAnchor(position: .milliseconds(20), instant: start, rate: 1), at: start)
    #expect(timebase.playbackRun == (2, .zero) && timebase.nextSample == start + .milliseconds(150))
    #expect(timebase.position(at: start + .seconds(1)) == .milliseconds(1020))
    timebase.enterItem(with: PositionAnchor(position: .zero), at: start)
    #expect(timebase.playbackRun == (3, .zero) && timebase.nextSample == nil)
  }

  @Test("The position is measured three times after a start, also if it is corrected; again after a large difference")
  func startSamples() {
    var timebase = running()
    var instants: [Duration] = []
    while let next = timebase.nextSample {
      instants.append(next - start)
      timebase.takeSample(at: next, then: nil)
      _ = timebase.correct(to: .seconds(1) + (next - start) - .milliseconds(40), at: next + .milliseconds(2))
    }
    #expect(instants == [.milliseconds(150), .milliseconds(250), .milliseconds(1250)])
    let late = start + .seconds(4)
    _ = timebase.correct(to: .milliseconds(4400), at: late)
    #expect(timebase.nextSample == late + Timebase.sampleInterval)
    timebase.enterItem(with: PositionAnchor(position: .zero, instant: start, rate: 1), at: start + .seconds(60))
    timebase.takeSample(at: start + .seconds(60) + .milliseconds(150), then: nil)
    #expect(timebase.nextSample == start + .seconds(60) + .milliseconds(250))
  }

  @Test("The position is measured shortly after a start, then at the requested interval")
  func samples() {
    var timebase = running()
    timebase.takeSample(at: start + .milliseconds(1250), then: nil)
    #expect(timebase.nextSample == nil)
    timebase.takeSample(at: start + .seconds(9), then: .seconds(1))
    #expect(timebase.nextSample == start + .seconds(10))
    timebase.sampleBy(start + .seconds(20))
    #expect(timebase.nextSample == start + .seconds(10))
    timebase.sampleBy(start + .seconds(9))
    #expect(timebase.nextSample == start + .seconds(9))
  }

  @Test("A measurement that agrees with the end of a correction in progress does not begin another")
  func sameCorrection() {
    var timebase = running()
    let now = start + .seconds(10)
    #expect(timebase.correct(to: .seconds(11) + .milliseconds(8), at: now) == false)
    #expect(timebase.correct(to: .seconds(12) + .milliseconds(8), at: now + .seconds(1)) == nil)
    #expect(timebase.position(at: now + .seconds(32)) == .seconds(43) + .milliseconds(8))
  }

  @Test("A difference after a start is corrected at once, also a small one", arguments: [-120, -1, 1, 120])
  func startCorrection(milliseconds: Int) {
    var timebase = running()
    let now = start + .milliseconds(250)
    let measured = Duration.milliseconds(1250 + milliseconds)
    #expect(timebase.correct(to: measured, at: now) == false)
    #expect(timebase.position(at: now) == .milliseconds(1250 + max(0, milliseconds)))
    #expect(timebase.position(at: now + .milliseconds(200)) == measured + .milliseconds(200))
  }

  @Test("A difference that the last measurement after a start shows is corrected at once")
  func lastStartCorrection() {
    var timebase = running()
    let now = start + .milliseconds(1_250)
    #expect(timebase.correct(to: .milliseconds(2_150), at: now) == false)
    #expect(timebase.position(at: now) == .milliseconds(2_250))
    #expect(timebase.position(at: now + .milliseconds(200)) == .milliseconds(2_350))
  }

  @Test("A difference of 0.25 s or more is corrected gradually, and by a jump when another measurement shows it")
  func confirmedDifference() {
    var timebase = running()
    let (first, second) = (start + .seconds(10), start + .seconds(11))
    #expect(timebase.correct(to: .milliseconds(10_500), at: first) == false)
    #expect(timebase.position(at: first) == .seconds(11))
    #expect(timebase.correct(to: .milliseconds(11_500), at: second) == true)
    #expect(timebase.position(at: second) == .milliseconds(11_500))
    // One that has passed is forgotten.
    #expect(timebase.correct(to: .milliseconds(11_000), at: second) == false)
    #expect(timebase.correct(to: .milliseconds(12_500), at: second + .seconds(1)) != true)
    #expect(timebase.correct(to: .milliseconds(13_000), at: second + .seconds(2)) == false)
  }

  @Test(
    "The position after a start is right within 0.2 ms",
    arguments: [(-300, true), (-150, false), (150, false), (300, true)])
  func exactStart(microseconds: Int, isCorrected: Bool) {
    var timebase = running()
    let (now, later) = (start + .milliseconds(250), start + .milliseconds(500))
    let measured = Duration.milliseconds(1250) + .microseconds(microseconds)
    #expect(timebase.correct(to: measured, at: now) == (isCorrected ? false : nil))
    #expect(timebase.position(at: later) == (isCorrected ? measured + .milliseconds(250) : .milliseconds(1500)))
  }

  @Test("Reading the position measures it if the last measurement is older than 5 s")
  func readers() {
    var timebase = running()
    #expect(!timebase.wantsReaderSample(at: start + .seconds(5)))
    #expect(timebase.wantsReaderSample(at: start + .milliseconds(5001)))
    timebase.noteRequest(at: start + .seconds(6))
    #expect(!timebase.wantsReaderSample(at: start + .seconds(11)))
  }

  @Test("A second measurement after a start or a jump shows whether the position stands")
  func standing() {
    var timebase = running()
    #expect(timebase.noteMeasured(.seconds(2)) == nil)
    #expect(timebase.noteMeasured(.seconds(2)) == true)
    #expect(timebase.noteMeasured(.seconds(3)) == false)
    timebase.jump(to: .zero)
    #expect(timebase.noteMeasured(.seconds(3)) == nil)
  }

  @Test(
    "A correction of more than 2 ms is applied; one of two seconds is a jump, and a jump back begins a new segment",
    arguments: [(0, nil), (2, nil), (3, false), (-3, false), (150, false), (-2_500, true), (2_500, true)])
  func corrections(milliseconds: Int, isJump: Bool?) {
    var timebase = running()
    let now = start + .seconds(10)
    let measured = Duration.seconds(11) + .milliseconds(milliseconds)
    #expect(timebase.correct(to: measured, at: now) == isJump)
    #expect(timebase.position(at: now) == (isJump == true ? measured : .seconds(11)))
    #expect(timebase.playbackRun == (milliseconds == -2_500 ? (1, measured) : (0, .zero)))
  }
}
