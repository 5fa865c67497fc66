import Playback

/// A crossfade in progress: the time in which two streams are audible.
struct Overlap {
  let number: Int
  let shape: CrossfadeShape
  /// The length that the plan permits, in nanoseconds.
  let planned: Int64
  /// The streams that are audible; the first one fades out.
  let first: UInt64
  let second: UInt64
  /// The instant at which the second stream began.
  let begin: Int64
  /// Whether a command was in progress at the begin: a pause may have been sent before it.
  let isHasty: Bool
  /// Whether a command changes its course.
  var isCommanded: Bool
  /// Whether a fault or the media changes its course.
  var isFaulty: Bool
  /// The instant since which nothing has been audible.
  var silentSince: Int64?

  var isDisturbed: Bool { isCommanded || isFaulty }
}

/// The measurement of crossfades.
extension EngineModel {
  /// Notes that the second stream begins.
  func overlapBegins(
    _ first: OutputModel.Voice, _ second: OutputModel.Voice, _ shape: CrossfadeShape, length: Int64
  ) {
    let whole = output.overlapLength(first.deck, second.deck, shape)
    let planned = Int64(Double(whole) / output.rate)
    // A pause that fades out is not carried out yet, or the first stream still fades in after a skip.
    let isCommanded =
      world.player.internals.isFading || first.fades.contains { $0.kind == .fadeIn && $0.end > output.time }
    overlap = Overlap(
      number: world.newNumber(), shape: shape, planned: planned, first: first.deck.token, second: second.deck.token,
      begin: now, isHasty: hasCommands || busyUntil > now, isCommanded: isCommanded,
      isFaulty: !isUndisturbed(first.deck, second.deck))
    if isExpected(first.deck, second.deck, shape) {
      let requested = world.player.internals.crossfade.length
      world.checker.require(
        .overlapHasLength, first.deck.media.silence != nil || requested - shape.length <= .milliseconds(5),
        "\(shape.length) instead of \(requested)")
      world.checker.require(
        .overlapHasLength, whole - length <= 5_000_000,
        "\(length / 1_000_000) ms instead of \(whole / 1_000_000), because the next stream was late")
    }
    measureLevels(overlap?.number ?? 0)
  }

  /// Notes that a stream begins without its overlap.
  func overlapIsMissed(_ first: DeckModel?, _ second: DeckModel, _ shape: CrossfadeShape) {
    guard let first, first.hasEnded, shape.length > .zero, isExpected(first, second, shape) else { return }
    world.checker.broke(.overlapHasLength, "\(second.uri) does not overlap with \(first.uri)")
  }

  /// Whether nothing prevents the overlap of two streams.
  private func isExpected(_ first: DeckModel, _ second: DeckModel, _ shape: CrossfadeShape) -> Bool {
    let time = shape.length.wholeNanoseconds
    return isUndisturbed(first, second) && first.expectedEnd - first.base > time + 30_000_000_000
      && now - world.checker.fades.commanded > time + 30_000_000_000
  }

  /// Whether the media and the surroundings let two streams overlap as planned.
  private func isUndisturbed(_ first: DeckModel, _ second: DeckModel) -> Bool {
    let arePlain = [first.media, second.media].allSatisfy {
      $0.fault == .none && $0.isLocal && $0.stated == $0.length && behaviour.drift == 0
    }
    let checker = world.checker
    return arePlain && !hasCommands && busyUntil <= now && now >= outputStopsUntil && now >= outputDownUntil
      && now - checker.progress.disturbed >= 15_000_000_000 && now - checker.fades.commanded >= 1_000_000_000
  }

  /// Notes that a stream has ended, or is not played any more.
  func overlapEnds(_ stream: UInt64, hasEnded: Bool) {
    guard let overlap, [overlap.first, overlap.second].contains(stream) else { return }
    world.noteOverlap(isDisturbed: overlap.isDisturbed)
    if !overlap.isDisturbed {
      let length = now - overlap.begin
      world.checker.require(
        .overlapHasLength, abs(length - overlap.planned) <= 5_000_000 && stream == overlap.first && hasEnded,
        "\(length / 1_000_000) ms instead of \(overlap.planned / 1_000_000)")
    }
    self.overlap = nil
  }

  /// Measures the levels during a crossfade, about 40 times a second at most.
  func measureLevels(_ number: Int) {
    guard let overlap, overlap.number == number else { return }
    checkOverlap()
    let wait = max(25_000_000, overlap.planned / 32)
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
    if !overlap.isFaulty { world.checker.require(.overlapIsNotTooLoud, sum <= 1.02, "the sum is \(sum)") }
  }

  /// The power of all audible streams together; if all curves are linear, the level.
  var loudness: Double {
    // The curve may have changed since a skip.
    let time = output.time
    let isLinear = output.voices.flatMap(\.fades).allSatisfy { $0.curve == .linear || $0.end <= time }
    return output.voices.reduce(0) { sum, voice in
      let level = output.level(of: voice)
      return sum + (isLinear ? level : level * level)
    }
  }
}
