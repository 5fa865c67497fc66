/// Sends the commands that follow from the state, after each decision: which streams are open, which parts are played, and how.
extension PlaybackMachine {
  /// Opens a stream for the current item at a position, or for a successor.
  mutating func open(
    _ item: Player.Item, _ stream: StreamToken, audioTrack: Int? = nil, at position: Duration = .zero
  ) {
    engine.streams.append(stream)
    requestLoudness(of: item, stream)
    perform(
      .open(
        StreamRequest(
          uri: item.uri, stream: stream, headers: item.httpHeaders, audioTrack: audioTrack,
          start: item.start + position)))
  }

  /// Sends the difference between the state and the commands that were sent before.
  mutating func updateEngine() {
    let hasClosed = closeStreams()
    let settings = engineSettings
    if settings != engine.settings {
      engine.settings = settings
      perform(.settings(settings))
    }
    // A part that is to wait is in the plan of an output that is paused. No other part then cancels a start.
    if !playsOutput { setPlaying(false) }
    let start = hasPart ? scheduledStart?.heldInstant : nil
    if start != engine.start {
      engine.start = start
      perform(.start(at: start))
    }
    let plan = plan
    // A plan without parts releases the output when no stream is open.
    if plan != engine.plan || hasClosed && engine.streams.isEmpty {
      engine.plan = plan
      perform(.plan(plan))
    }
    if playsOutput { setPlaying(true) }
  }

  private mutating func setPlaying(_ plays: Bool) {
    guard plays != engine.isPlaying else { return }
    engine.isPlaying = plays
    perform(.setPlaying(plays))
  }

  /// Closes the streams that nothing needs any more, before others are opened; returns whether there were any.
  private mutating func closeStreams() -> Bool {
    // A stop that fades out needs the audible streams until its end.
    guard fade.unloadDue == nil else { return false }
    let needed =
      [phase.isLoaded ? token : nil, outgoing?.token, skipped?.token].compactMap(\.self)
      + loaded.successors.map(\.token)
    guard needed.count < engine.streams.count else { return false }
    let closed = engine.streams.filter { !needed.contains($0) }
    engine.streams.removeAll { closed.contains($0) }
    let first = effects.firstIndex { if case .command = $0 { true } else { false } } ?? effects.endIndex
    effects.insert(contentsOf: closed.map { .command(.close($0)) }, at: first)
    return true
  }

  /// Whether the output is to play.
  ///
  /// While an item loads, an output that plays continues: the item is not in the plan yet.
  private var playsOutput: Bool {
    if fade.unloadDue != nil { return engine.isPlaying }
    guard hasPart else { return phase.isLoaded && intent == .playing && engine.isPlaying }
    return loaded.isWanted || skipped != nil
  }

  /// The parts that are to be played.
  private var plan: [PlannedPart] {
    if fade.unloadDue != nil { return engine.plan }
    let fading = [skipped?.part, outgoing?.part].compactMap(\.self)
    // Beside an item that fades out, the current one waits for its data.
    guard hasPart, skipped == nil || loaded.isWanted else { return fading }
    return fading + [currentPart] + successorParts
  }

  /// Whether the current item can be in the plan: its stream is ready, and its gain is known.
  private var hasPart: Bool { phase.isReady && loaded.gain != .awaited }

  /// The part of the current item, and of the items that continue it in its media.
  var currentPart: PlannedPart {
    // A part that has ended does not become longer.
    let end =
      loaded.ended == nil
      ? loaded.successors.first?.overlap.map { mediaTime($0.end) } ?? stopTime
      : engine.plan.first { $0.stream == token }?.end
    return PlannedPart(
      token, end: end, join: loaded.join, curve: queue.current.flatMap { volumeCurves[$0.id] },
      measured: loaded.gain.decided)
  }

  private var successorParts: [PlannedPart] {
    loaded.successors.prefix { $0.gain != .awaited }.enumerated().map { index, next in
      PlannedPart(
        next.token, end: endOfClips(from: next.item, at: index + 1, media: next.media), join: join(of: next),
        curve: volumeCurves[next.item.id], measured: next.gain.decided)
    }
  }

  /// How a successor follows the current item.
  func join(of next: Successor) -> PartJoin {
    guard let length = next.overlap?.length, length > .zero else { return .gapless }
    return .overlap(CrossfadeShape(length: length / loaded.rate, curve: settings.crossfade.curve))
  }

  /// The settings that the engine needs.
  var engineSettings: EngineSettings {
    var settings = engine.settings
    (settings.volume, settings.isMuted) = (self.settings.volume, self.settings.isMuted)
    (settings.timePitch, settings.sink) = (self.settings.timePitch, self.settings.audioOutput?.sinkDescription)
    (settings.forwardBuffer, settings.audioLanguages) = (self.settings.forwardBuffer, self.settings.audioLanguages)
    settings.isLowPowerModeEnabled = self.settings.isLowPowerModeEnabled
    guard phase.isLoaded else { return settings }
    // While an item is opened, a skipped one may be audible.
    if phase.isReady { settings.rate = loaded.rate }
    if configuration.application != nil, let item = queue.current {
      settings.description = StreamDescription(item, current.details.metadata)
    }
    return settings
  }

  // MARK: Volume curves

  /// Sets the volume curve of an item of the queue; nil for a constant volume.
  mutating func setVolumeCurve(_ curve: VolumeCurve?, of item: Player.Item.ID) { volumeCurves[item] = curve }

  /// Forgets the curves of items that have left the queue.
  mutating func forgetVolumeCurves() {
    guard !volumeCurves.isEmpty else { return }
    volumeCurves = volumeCurves.filter { queue.index(of: $0.key) != nil }
  }
}
