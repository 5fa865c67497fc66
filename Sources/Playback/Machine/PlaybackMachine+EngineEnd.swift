/// The start of the engine's process, and the recovery from its end.
extension PlaybackMachine {
  /// Begins the time limit of a load when the engine has started.
  mutating func engineStarts(_ isStarting: Bool, now: MonotonicTime) {
    isEngineStarting = isStarting
    if !isStarting, phase.isLoading { loaded.limitLoad(to: configuration.loadTimeout, now: now) }
  }

  /// Continues with a new process at the same position; an item during which the engine ended twice fails.
  mutating func engineEnded(_ end: EngineEnd, now: MonotonicTime) {
    isEngineStarting = false
    let isAffected = phase.isLoaded && token.number <= end.newestStream.number
    // A newer load was sent to the next process.
    guard isAffected else { return emit(.warning(EngineHang.process(end).sentence)) }
    scheduledStart = nil
    // If the engine had opened another item too, either may be at fault. Opened alone, the one at fault is found.
    if let next = loaded.successors.first {
      current.rejectedSuccessors.insert(next.item.id)
    } else if outgoing == nil {
      current.engineEnds += 1
    }
    guard current.engineEnds < Self.engineEndLimit else {
      return fail(PlayerError(code: .engineEnded, message: "the engine process ended twice: \(end.reason)"), now: now)
    }
    emit(.warning(EngineHang.process(end).sentence, of: queue.current))
    log(PlayerError(code: .engineEnded, message: EngineHang.process(end).sentence), .reloading, now: now)
    if isBroadcast { return reconnect(now: now) }
    if phase.isAtEnd { return unload(to: .released(isAtEnd: true), at: position(at: now)) }
    let shown = position(at: now)
    // A process that did not respond has played nothing for an unknown time: no audio is left out.
    let reached = end.silence > .zero ? min(shown, position(at: now + (.zero - end.silence))) : shown
    loadAgain(at: reached, now: now)
    emitTimeJump(from: shown, to: reached)
    emit(.changed)
  }

  /// Notes that the process of a stream has ended, and that the stream continues in another one.
  mutating func decodingInterrupted(_ stream: StreamToken, _ text: String, now: MonotonicTime) {
    guard let item = item(of: stream) else { return }
    emit(.warning(text, of: item))
    if stream == token { log(PlayerError(code: .engineEnded, message: text), .reloading, now: now) }
  }

  /// The number of ends of the engine's process at which an item fails.
  private static let engineEndLimit = 2
}
