import Playback

/// The crossfades of a pipeline, and its parts in the engine.
extension PipelineModel {
  /// Fades the audible stream out from a position on, and starts another one there.
  func crossfade(to stream: StreamToken?, at position: Int64, _ shape: CrossfadeShape) {
    guard streams.first != nil else { return }
    settlePosition()
    fades.removeAll { !$0.isIn }
    fades.append(FadeRamp(out: shape, from: position, rate: rate, fixedUntil: self.position(at: now) + Self.fixedAudio))
    streams[0].fadeEnd = position + shape.length.scaled(by: rate).wholeNanoseconds
    second = stream.map { SecondStart(stream: $0.number, position: position, shape: shape) }
    if stream == nil { engine.nextFadeIn = shape }
    replan()
  }

  /// Continues at the full level.
  func cancelFade() {
    if !streams.isEmpty { streams[0].fadeEnd = nil }
    fades.removeAll { !$0.isIn }
    (second, engine.nextFadeIn) = (nil, nil)
    replan()
  }

  /// The positions at which a step of a crossfade is due.
  var fadesDue: [Int64] {
    guard let second, role == .loaded, !second.hasBegun else { return [] }
    return [second.position]
  }

  /// Performs the steps of a crossfade that are due at a position.
  func passFades(_ position: Int64) {
    guard role == .loaded, let start = second, let prepared = engine.prepared, engine.preparedToken == start.stream
    else { return }
    guard position >= start.position, !start.hasBegun else { return }
    second?.hasBegun = true
    prepared.hasBegun = true
    engine.overlapBegins(start, prepared)
    prepared.begin()
  }

  // MARK: The prepared stream

  /// Starts the stream, at the latest now.
  func begin() {
    guard isPrerolled, !isRunning, !isHeld, let stream = streams.first else { return }
    lastChange = now
    guard now >= engine.outputDownUntil, stream.media.fault != .missedStart else {
      return post(failure: .output, of: stream.token)
    }
    post(.nextStarted(StreamToken(number: stream.token), in: .zero, facts(of: stream, position: 0), previousEnd: nil))
    (wantsPlay, isRunning) = (true, true)
    // The stream may have begun before a pause.
    anchor = (anchor.position, now)
    let shape = engine.loaded.second?.shape
    fades = shape.map { [FadeRamp(in: $0, from: 0, rate: 1)] } ?? []
    replan()
    if stream.isNetwork { networkDue() }
  }

  /// Makes the pipeline of the prepared stream the loaded one.
  func enter() {
    let isPaused = isHeld
    (role, isHeld) = (.loaded, false)
    lastChange = now
    guard !isRunning else { return }
    // A pause or start that it has not carried out yet comes after the entry.
    (wantsPlay, hasBegun) = (!isPaused, true)
    if wantsPlay { begin() }
  }

  // MARK: Faults

  func loseOutput() {
    guard let stream = streams.first else { return }
    settlePosition()
    isRunning = false
    isStarting = false
    replan()
    post(failure: .output, of: stream.token)
  }

  func failDecoder() {
    guard isPrerolled, let stream = streams.first else { return }
    streams[0].hasFailed = true
    post(failure: .corrupt, of: stream.token)
  }

  // MARK: The end

  /// Ends the stream; its pipeline is released after the present event.
  func end() {
    guard role != .over else { return }
    noteHeard()
    engine.overlapEnds(self)
    role = .over
    after(0, .release)
  }

  /// Returns the event as the engine reports it: all of a loaded stream, and the end of an outgoing one.
  func reported(_ event: EngineEvent) -> EngineEvent? {
    switch (role, event) {
    case (.loaded, _): event
    case (.prepared, .failed(let stream, let error)): .failed(stream, unusable(error))
    case (.prepared, .startMissed(let stream, _)):
      .failed(stream, unusable(PlayerError(code: .output, message: EngineHang.output.sentence)))
    case (.prepared, .running), (.prepared, .seekRefused), (.prepared, .sampled), (.prepared, .fadeOutEnds),
      (.prepared, .outputOpened), (.prepared, .outputInUse), (.prepared, .pauseRequested),
      (.prepared, .resumeRequested):
      nil
    case (.prepared, _): event
    case (.outgoing, .ended), (.outgoing, .failed): event
    case (.outgoing, .startMissed(let stream, _)): .ended(stream)
    case (.leaving, .ended), (.leaving, .failed):
      ended()
    case (.outgoing, _), (.leaving, _), (.over, _): nil
    }
  }

  /// Ends a stream of which nothing is reported.
  private func ended() -> EngineEvent? {
    end()
    return nil
  }

  /// Returns the error of a prepared stream: the output that it cannot use still plays the loaded one.
  func unusable(_ error: PlayerError) -> PlayerError {
    var error = error
    if role == .prepared, error.code == .output { error.isUnusableOutput = true }
    return error
  }

  /// The level at which the pipeline is audible; 0 if it is not.
  var audibleLevel: Double {
    guard isAdvancing, role != .over else { return 0 }
    let position = position(at: now)
    return fades.reduce(fadeOut?.level(at: now) ?? 1) { $0 * $1.level(at: position) }
  }
}
