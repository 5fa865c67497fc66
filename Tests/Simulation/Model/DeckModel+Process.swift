import Playback

/// The ends of processes: the samples that a deck has decoded are played, and it goes on in another process where they end.
extension DeckModel {
  /// What its process has of a deck.
  enum ProcessState {
    /// It decodes, or does so when the process has started.
    case open
    /// Its process has ended, and it begins again after those before it.
    case heldBack
    /// Its process has ended, and it begins again with its next seek.
    case closed
  }

  /// Whether its process has something left to decode.
  var isUnfinished: Bool { processState == .open && !isResolving && phase != .failed && failedAt == nil && !isFinished }

  /// Whether everything up to the end of the media is decoded.
  private var isFinished: Bool { finishPosition.map { position >= $0 } ?? false }

  /// Whether the player knows that the media permits no seek.
  private var isKnownAsUnseekable: Bool {
    phase != .opening && (!media.isSeekable || media.source == .live || hasRefusedStart)
  }

  /// Notes that a suspected deck has decoded everything: the next one may begin again.
  func noteFinished() {
    guard isSuspect, processState == .open, isFinished else { return }
    isSuspect = false
    engine.reopenNext()
  }

  /// Handles that its process has ended, which has decoded everything.
  func closeProcess() {
    guard processState == .open else { return }
    dropWork()
    processState = .closed
  }

  /// Handles that its process has ended in the middle of the media.
  func loseProcess() {
    dropWork()
    (processState, isSuspect) = (.heldBack, true)
    guard phase == .settled else { return }
    if isNetwork { arrive() }
    tail = decodedEnd
    (received, assured) = (isNetwork ? min(received, decodedEnd) : received, 0)
  }

  /// Reports the end of its process, which was lost.
  func reportEnd(_ text: String) {
    if ends > 1 {
      (processState, isSuspect) = (.closed, false)
      guard !isHeard else { return failsWhenDry = true }
      fail(.engineEnded)
    } else if isKnownAsUnseekable {
      (processState, isSuspect) = (.closed, false)
      post(failure: .networkCut, isFromSource: true, losesKeptData: true)
    } else {
      post(.interrupted(text))
    }
  }

  /// Lets the deck begin again, at once or when its process has started.
  func reopen() {
    processState = .open
    engine.begin(self)
  }

  /// Begins in a process that has started.
  func begin() {
    guard processState == .open, !isBegun, !isResolving else { return }
    isBegun = true
    switch phase {
    case .opening: call(.open)
    case .settled, .seeking:
      isReopening = true
      after(Int64(media.server.delay) * 1_000_000 + engine.delay(behaviour.openDuration), .reopened)
    case .failed: break
    }
  }

  /// Goes on in another process.
  func reopened() {
    if isNetwork, now < engine.networkDownUntil { return after(engine.networkDownUntil - now, .reopened) }
    engine.noteChange()
    isReopening = false
    track = nextTrack
    describeMedia()
    if phase == .seeking { return seekInNewProcess() }
    guard phase == .settled, let tail else { return }
    engine.output.settle()
    let wasDry = engine.output.isDry(self)
    (self.tail, hasRunDry) = (nil, false)
    if isNetwork {
      (requested, received, reported, receivedAt, stallsUntil, connectedAt) = (tail, tail, tail, now, 0, now)
      (isCut, isFilling, lastPercent) = (false, true, -1)
      receiveBurst()
      announce()
    }
    if wasDry { engine.output.continues(self) } else { engine.output.update() }
    noteRead()
    noteFinished()
    if isNetwork { networkDue() }
  }

  /// Reports that the output has played all samples of the process that has ended.
  func noteDry() {
    guard let tail, !hasRunDry, tail < end, position >= tail else { return }
    hasRunDry = true
    if failsWhenDry { post(failure: .engineEnded) } else { post(.ranOut(progress)) }
  }
}
