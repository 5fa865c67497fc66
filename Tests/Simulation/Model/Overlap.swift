import Playback

/// A crossfade in progress: the time in which two streams are audible.
struct Overlap {
  let number: Int
  let start: SecondStart
  /// The streams that are audible; the first one fades out.
  let first: UInt64
  let second: UInt64
  /// The instants at which the second stream began and the first one ended.
  let begin: Int64
  /// Whether a command was in progress at the begin: a pause may have been sent before it.
  let isHasty: Bool
  /// Whether a command changes its course.
  var isCommanded: Bool
  /// Whether a fault or the media changes its course.
  var isFaulty: Bool
  /// The instant since which nothing has been audible.
  var silentSince: Int64?
  /// The instant since which one of the streams runs alone.
  var aloneSince: Int64?

  var isDisturbed: Bool { isCommanded || isFaulty }
}

/// The measurement of crossfades.
extension EngineModel {
  /// Notes that the second stream begins.
  func overlapBegins(_ start: SecondStart, _ second: PipelineModel) {
    guard let first = loaded.streams.first, let next = second.streams.first else { return }
    let isPlain = { [world] (stream: StreamModel) in
      stream.media.fault == .none && stream.media.isLocal && stream.media.stated == stream.media.length
        && world.scenario.behaviour.drift == 0
    }
    let isQuiet = pipelines.allSatisfy { $0.commands.isEmpty && !$0.isWorking }
    let checker = world.checker
    let isFaulty =
      !isPlain(first) || !isPlain(next) || !isQuiet || now < outputStopsUntil || now < outputDownUntil
      || now - checker.progress.disturbed < 15_000_000_000 || now - checker.fades.commanded < 1_000_000_000
    // A pause that fades out is not carried out yet, or the first stream still fades in after a skip.
    let isCommanded = world.player.inspection.isFading || loaded.fades.contains { $0.isIn && $0.end > start.position }
    overlap = Overlap(
      number: newNumber(), start: start, first: first.token, second: next.token, begin: now, isHasty: !isQuiet,
      isCommanded: isCommanded, isFaulty: isFaulty)
    measureLevels(overlap?.number ?? 0)
  }

  /// Notes that a stream has ended, or is released.
  func overlapEnds(_ pipeline: PipelineModel) {
    guard let overlap, let stream = pipeline.streams.first?.token, [overlap.first, overlap.second].contains(stream)
    else { return }
    world.noteOverlap(isDisturbed: overlap.isDisturbed)
    if !overlap.isDisturbed {
      let (length, planned) = (now - overlap.begin, overlap.start.shape.length.wholeNanoseconds)
      world.checker.require(
        .overlapHasLength, abs(length - planned) <= 5_000_000 && stream == overlap.first,
        "\(length / 1_000_000) ms instead of \(planned / 1_000_000)")
    }
    self.overlap = nil
  }

  /// Measures the levels during a crossfade, about 40 times a second at most.
  func measureLevels(_ number: Int) {
    guard let overlap, overlap.number == number else { return }
    checkOverlap()
    let wait = max(25_000_000, overlap.start.shape.length.wholeNanoseconds / 32)
    world.schedule(.levels(number), at: now + wait)
  }

  private func checkOverlap() {
    guard let overlap else { return }
    let sum = loudness
    if !overlap.isDisturbed {
      world.checker.require(
        .overlapIsEvenlyLoud, (0.89...1.122).contains(sum) || now - overlap.begin < 6_000_000, "the sum is \(sum)")
    }
    let isSilent = sum < 0.01 && !overlap.isDisturbed
    self.overlap?.silentSince = isSilent ? overlap.silentSince ?? now : nil
    if let since = self.overlap?.silentSince {
      world.checker.require(
        .overlapIsAudible, now - since <= 50_000_000, "silence for \((now - since) / 1_000_000) ms")
    }
    let running = [outgoing ?? loaded, outgoing == nil ? prepared : loaded].count { $0?.isRunning == true }
    self.overlap?.aloneSince = running == 1 && !overlap.isFaulty ? overlap.aloneSince ?? now : nil
    if let since = self.overlap?.aloneSince {
      // Each pipeline takes its own time for a pause and a start.
      world.checker.require(
        .pauseHoldsBoth, now - since <= 3_000_000_000, "one stream runs alone for \((now - since) / 1_000_000) ms")
    }
    if !overlap.isFaulty {
      // Pauses that take their time in each pipeline shift the streams against each other.
      let slack = overlap.isDisturbed ? 0.2 : 0.02
      world.checker.require(.overlapIsNotTooLoud, sum <= 1 + slack || isOutOfStep, "the sum is \(sum)")
    }
  }

  /// Whether a pause has shifted the streams against each other.
  private var isOutOfStep: Bool {
    guard let overlap, let first = outgoing ?? loaded, first.isRunning, let second = outgoing == nil ? prepared : loaded
    else { return true }
    let gap = first.position(at: now) - overlap.start.position - second.position(at: now)
    return abs(gap) > overlap.start.shape.length.wholeNanoseconds / 20
  }

  /// The power of all audible streams together; if all curves are linear, the level.
  var loudness: Double {
    // The curve may have changed since a skip.
    let isLinear = [overlap?.start.shape.curve, leaving?.fadeOut?.curve].allSatisfy { $0 ?? .linear == .linear }
    return pipelines.reduce(0) { $0 + (isLinear ? $1.audibleLevel : $1.audibleLevel * $1.audibleLevel) }
  }
}
