import Playback

/// The record of the ends of the engine's processes.
struct ProcessRecord {
  /// The ends of processes with decks since each open stream was opened.
  var ends: [UInt64: Int] = [:]
  /// The ends of processes in the stream that failed last because of them.
  var endsOfFailed = 0
  /// The instant of the last fault of another kind.
  var otherFault = Int64.min / 2
  /// What was heard when a process ended, until a command, another fault or another part.
  var heard: Heard?

  /// A part that sounded alone when a process ended.
  struct Heard {
    var stream: UInt64
    /// The media time of its sample at the output.
    var position: Int64
    var instant: Int64
    /// Whether the process of the output has ended, and not begun to play since.
    var awaitsOutput = false
    /// Whether its samples were missing for some time.
    var hasWaited = false
  }
}

extension Checker {
  /// The greatest difference of what is heard before and after the end of a process.
  private static let processTolerance: Int64 = 20_000_000
  /// The time in which what is heard is compared after the end of a process with decks.
  private static let processWatch: Int64 = 30_000_000_000
  /// The time in which a process starts and a message arrives, in milliseconds.
  private static let longestReopening = 1_000

  /// The time in which a fault of another kind may make an item fail.
  private static let otherFaultTime: Int64 = 300_000_000_000

  /// The part that sounds alone, without anything in progress; nil if there is none.
  var heardPart: ProcessRecord.Heard? {
    let (model, output, seen) = (world.model, world.model.output, world.player.internals)
    output.settle()
    guard output.voices.count == 1, let deck = output.current?.deck, output.isAdvancing, deck.isSettled,
      deck.token == seen.stream, seen.isAdvancing, !seen.isSeeking, !seen.isFading, seen.scheduledStart == nil,
      seen.skippedStream == nil, seen.outgoingStream == nil, deck.failedAt == nil, !model.hasCommands,
      model.busyUntil <= now, now >= model.outputStopsUntil, !world.scenario.behaviour.slowObservers
    else { return nil }
    return ProcessRecord.Heard(
      stream: deck.token, position: deck.position,
      instant: max(now, output.current?.anchor.instant ?? now))
  }

  /// Notes that a process is about to end: what was heard after an earlier end is not compared further.
  func processEnds() { processes.heard = nil }

  /// Notes that a process with decks has ended.
  func decksHaveEnded(local isLocal: Bool) {
    for stream in engine.open where world.model.deck(stream)?.media.isLocal == isLocal {
      processes.ends[stream, default: 0] += 1
    }
    guard let heard = heardPart, let deck = world.model.deck(heard.stream) else { return }
    // A stream that fails or is cut does not go on.
    if deck.tail == nil || deck.processState != .closed { processes.heard = heard }
  }

  /// Notes that the process of the output has ended, which has played a part.
  func outputHasEnded(_ heard: ProcessRecord.Heard?) {
    guard world.model.outputEnds <= 2 else { return }
    processes.heard = heard
    processes.heard?.awaitsOutput = true
  }

  func processCommand(_ command: EngineCommand) {
    switch command {
    case .open(let request): processes.ends[request.stream.number] = 0
    case .close(let stream):
      processes.ends[stream.number] = nil
      requireUntouched(stream, command)
    case .seek(let stream, _, _): requireUntouched(stream, command)
    case .setPlaying, .start, .reopenOutput: processes.heard = nil
    case .settings(let new): if new.rate != engine.settings?.rate { processes.heard = nil }
    case .plan, .selectAudioTrack, .fade, .samplePosition: break
    }
  }

  /// Checks that the player does not change a stream because a process has ended.
  private func requireUntouched(_ stream: StreamToken, _ command: EngineCommand) {
    guard let heard = processes.heard, heard.stream == stream.number else { return }
    processes.heard = nil
    let deck = world.model.deck(heard.stream)
    // A decoder that delivers nothing more is given up, and so is an item whose time stamps jump.
    guard !isCommand, !heard.hasWaited, deck?.hasEnded == false, deck?.hasRunOut == false, deck?.failedAt == nil,
      world.service == nil
    else {
      return
    }
    broke(heard.awaitsOutput ? .outputEndSkipsNothing : .deckEndIsUnheard, "\(command)")
  }

  /// Returns the state before a message about the end of a process.
  func beforeProcessMessage(_ event: EngineEvent) -> PlayerInternals? {
    switch event {
    case .stream(_, .interrupted): return world.player.internals
    case .stream(let stream, .failed(let error)) where error.code == .engineEnded:
      processes.endsOfFailed = processes.ends[stream.number] ?? 0
    default: break
    }
    return nil
  }

  /// Checks that the ends of processes are the reason for a failure, or are none.
  func checkProcessFailure(_ item: Player.Item, _ error: PlayerError) {
    guard !world.scenario.behaviour.slowObservers else { return }
    if error.code == .engineEnded {
      require(.processEndsTwice, processes.endsOfFailed >= 2, "\(item.uri) after \(processes.endsOfFailed) ends")
    }
    guard let media = world.player.media(of: item), media.isLocal, media.isPlayable, media.stated == media.length,
      media.isSeekable, !item.isClip, now - processes.otherFault > Self.otherFaultTime
    else { return }
    // A suspension of the machine may use up the time limit of a load.
    require(.processEndsTwice, [.engineEnded, .loadTimeout].contains(error.code), "\(item.uri): \(error)")
  }

  /// Checks that the end of a process that goes on elsewhere changes nothing.
  func checkProcessMessage(_ event: EngineEvent, _ before: PlayerInternals) {
    let after = world.player.internals
    let isSame =
      before.stream == after.stream && before.snapshot.position == after.snapshot.position
      && before.snapshot.timeControlStatus == after.snapshot.timeControlStatus
      && before.snapshot.transport == after.snapshot.transport
    require(
      .deckEndIsUnheard, isSame,
      "\(event) leads from \(before.stream) at \(before.snapshot.position) to \(after.stream) at \(after.snapshot.position)"
    )
  }

  /// Checks where the output begins in another process.
  func outputStarts(_ voice: OutputModel.Voice?) {
    guard var heard = processes.heard, heard.awaitsOutput, let voice else { return }
    heard.awaitsOutput = false
    require(
      .outputEndSkipsNothing, voice.deck.token == heard.stream, "\(voice.deck.token) instead of \(heard.stream)")
    let position = world.model.output.position(of: voice)
    require(
      .outputEndSkipsNothing, abs(position - heard.position) <= Self.processTolerance,
      "from \(heard.position / 1_000_000) to \(position / 1_000_000) ms")
    (heard.position, heard.instant) = (position, now + Int64(world.scenario.behaviour.startDelay) * 1_000_000)
    processes.heard = heard
  }

  /// Checks what is heard after the end of a process.
  func checkProcesses(_ after: PlayerInternals) {
    guard let heard = processes.heard else { return }
    let (model, output) = (world.model, world.model.output)
    guard !isCommand, after.outgoingStream != heard.stream, let deck = model.deck(heard.stream), !deck.hasEnded,
      deck.failedAt == nil, !deck.failsWhenDry,
      deck.isSettled, after.snapshot.transport == .playing, now >= model.outputStopsUntil,
      heard.awaitsOutput || now - heard.instant < Self.processWatch
    else { return processes.heard = nil }
    let rule = heard.awaitsOutput ? Invariant.outputEndSkipsNothing : .deckEndIsUnheard
    require(rule, after.stream == heard.stream, "\(after.stream) instead of \(heard.stream)")
    guard !heard.awaitsOutput else { return }
    let (behaviour, elapsed) = (world.scenario.behaviour, output.scaled(max(0, now - heard.instant)))
    let expected = heard.position + elapsed
    let slack = Self.processTolerance + elapsed / 1_000_000 * Int64(abs(behaviour.drift))
    let position = deck.position
    if !output.isAdvancing { processes.heard?.hasWaited = true }
    require(
      rule, position <= expected + slack, "\(position / 1_000_000) ms is heard instead of \(expected / 1_000_000) ms")
    // The samples that are decoded have to last until another process decodes.
    let isGapless =
      !heard.hasWaited && !deck.isNetwork && behaviour.readAhead >= Self.longestReopening
      && expected <= min(deck.end, deck.tail ?? .max)
    require(
      rule, position >= (isGapless ? expected : heard.position) - slack,
      "\(position / 1_000_000) ms is heard instead of \(expected / 1_000_000) ms")
  }
}
