/// A part of the inputs of a player, and the state before them: a replay makes the same decisions.
package struct PlaybackRecording: Sendable {
  package var base: RecordedState
  package var inputs: [RecordedInput]

  package init(base: RecordedState, inputs: [RecordedInput]) { (self.base, self.inputs) = (base, inputs) }
}

/// The state of a playback machine at one instant, without the URIs of its items.
package struct RecordedState: Codable, Sendable {
  /// Nanoseconds of the player's clock.
  package let at: Int64
  /// The machine with an empty queue.
  private let machine: PlaybackMachine
  let queue: RecordedQueue

  /// Records a machine between two decisions; `last` is an earlier state, whose unchanged queue is shared.
  init(_ machine: PlaybackMachine, after last: RecordedQueue?, now: MonotonicTime) {
    at = now.nanoseconds
    queue = machine.queue.recorded(after: last)
    self.machine = machine.recorded
  }

  /// The machine with stand-ins for its items.
  var replayed: PlaybackMachine { PlaybackMachine(replaying: machine, PlayQueue(replaying: queue)) }

  /// An upper limit of the size in bytes.
  var weight: Int {
    8_192 + queue.weight + machine.skip.failed.count * 16 + machine.current.weight
      + machine.loaded.successors.reduce(0) { $0 + 2_048 + $1.state.weight }
      // The settings of the engine contain them too.
      + PlaybackInput.setAudioLanguages(machine.settings.audioLanguages).weight * 2
      + PlaybackInput.setAudioLanguages(machine.configuration.preferredAudioLanguages).weight
  }
}

extension CurrentItem {
  /// The state with short texts.
  var recorded: CurrentItem {
    var item = self
    item.details = details.recorded
    item.audio = audio.recorded
    item.redirectedURI = redirectedURI?.recorded
    item.titles = titles.map(\.recorded)
    item.tags = tags.map(\.recorded)
    return item
  }

  /// An upper limit of the size in bytes.
  fileprivate var weight: Int {
    details.weight + rejectedSuccessors.count * 16 + titles.count * 192 + tags.reduce(0) { $0 + $1.weight }
      + audio.tracks.count * AudioTrack.weight + 160
  }
}

/// A recorded input of a playback machine.
package struct RecordedInput: Codable, Sendable {
  /// Nanoseconds of the player's clock.
  package let at: Int64
  let input: PlaybackInput
  /// The digest of the state after the decision.
  let state: UInt32
}

extension PlaybackMachine {
  /// Returns a number that depends on the state that readers and the engine see, and not on names: the same in each
  /// process.
  func digest(at now: MonotonicTime) -> UInt32 {
    let snapshot = (position: position(at: now).components, duration: current.details.duration?.components)
    var digest: UInt32 = 2_166_136_261
    func add(_ values: Int64...) {
      for value in values {
        digest = (digest ^ UInt32(truncatingIfNeeded: value)) &* 16_777_619
        digest = (digest ^ UInt32(truncatingIfNeeded: value >> 32)) &* 16_777_619
      }
    }
    add(snapshot.position.seconds, snapshot.position.attoseconds)
    add(snapshot.duration?.seconds ?? -1, snapshot.duration?.attoseconds ?? -1)
    add(nextWake?.nanoseconds ?? -1, Int64(queue.currentIndex ?? -1), Int64(queue.items.count))
    add(Int64(bitPattern: queue.current?.id.number ?? 0), Int64(bitPattern: token.number))
    add(Int64(bitPattern: settings.rate.bitPattern), Int64(bitPattern: settings.volume.bitPattern))
    add(Int64(bufferingPercent), Int64(loaded.successors.count), Int64(engine.streams.count))
    let flags = [
      intent == .playing, intent == .stopped, advances, phase.isReady, phase.isLoading, phase.isReleased, isRunning,
      loaded.isWanted, loaded.isSeeking, current.isSeekable, current.status == .failed, settings.isMuted,
      queue.isShuffled, queue.loop == .track, queue.loop == .playlist, fade.due != nil, current.isStalled,
    ]
    add(flags.reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
    return digest
  }
}
