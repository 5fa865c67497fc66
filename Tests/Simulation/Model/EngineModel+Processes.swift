import Playback

/// The ends of the processes of the engine, and the starts of those that follow them.
extension EngineModel {
  /// The number of ends without an audible part in between after which the output has failed.
  private static let outputLimit = 2
  /// The signal with which all processes end.
  private static let reason = "signal 9 (SIGKILL)"

  /// The instant at which the last one of the processes has started.
  var startOfAll: Int64 { max(outputStart, start(ofLocal: true), start(ofLocal: false)) }

  /// The instant at which a process started now has started.
  private var nextStart: Int64 { now + Int64(behaviour.engineStart) * 1_000_000 }

  // MARK: Decks

  /// Lets a deck begin when its process has started.
  func begin(_ deck: DeckModel) {
    if now >= start(ofLocal: deck.media.isLocal) { deck.begin() }
    reportStart()
  }

  /// Reports whether a stream waits for the start of its process; the player receives no event before its command returns.
  func reportStart() {
    world.schedule(.call { [self] in updateStart() }, at: now)
  }

  /// Ends the process of the decks of local files, or that of streams; returns false if none has started.
  func endDecks(local isLocal: Bool) -> Bool {
    guard now >= start(ofLocal: isLocal) else { return false }
    noteChange()
    output.settle()
    let instant = nextStart
    setStart(instant, ofLocal: isLocal)
    let text = "the \(isLocal ? "decoding" : "streaming") process ended: \(Self.reason)"
    let decks = decks.filter { $0.media.isLocal == isLocal && !$0.isResolving }
    let unfinished = decks.filter(\.isUnfinished).sorted { order(of: $0) < order(of: $1) }
    for deck in decks where !deck.isUnfinished { deck.closeProcess() }
    for deck in unfinished { deck.loseProcess() }
    if unfinished.isEmpty { post(.warning(text)) }
    // Of several, any one may be at fault.
    if unfinished.count == 1 { unfinished[0].ends += 1 }
    for deck in unfinished { deck.reportEnd(text) }
    reopenNext()
    world.schedule(.call { [self] in decksStarted(local: isLocal, at: instant) }, at: instant)
    reportStart()
    output.update()
    return true
  }

  private func decksStarted(local isLocal: Bool, at instant: Int64) {
    guard start(ofLocal: isLocal) == instant else { return }
    for deck in decks where deck.media.isLocal == isLocal { deck.begin() }
    reportStart()
  }

  /// The place of a deck in the plan; the others follow in the order of their openings.
  private func order(of deck: DeckModel) -> (Int, UInt64) {
    (output.plan.firstIndex { $0.stream == deck.stream } ?? .max, deck.token)
  }

  /// Lets the next deck begin again that waits for that, unless one that is suspected decodes.
  func reopenNext() {
    guard !decks.contains(where: { $0.isSuspect && $0.processState == .open }) else { return }
    decks.filter { $0.processState == .heldBack }.min { order(of: $0) < order(of: $1) }?.reopen()
  }

  // MARK: The output

  /// Ends the process of the output; returns false if none has started.
  func endOutput() -> Bool {
    guard now >= outputStart else { return false }
    noteChange()
    outputEnds += 1
    let instant = nextStart
    setOutputStart(instant)
    endCall()
    post(.warning("the output process ended: \(Self.reason)"))
    output.processEnded()
    if outputEnds > Self.outputLimit { output.fail() }
    world.schedule(.call { [self] in if outputStart == instant { output.update() } }, at: instant)
    return true
  }
}
