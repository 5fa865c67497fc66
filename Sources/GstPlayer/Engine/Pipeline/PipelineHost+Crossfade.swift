import Dispatch
import EngineProcess
import Playback
import Synchronization

/// The second pipeline: of the stream that is prepared, and then of the one that fades out.
extension PipelineHost {
  /// The fade-out of an audible stream that is released, which prevents a click.
  private static let releaseShape = CrossfadeShape(length: .milliseconds(24), curve: .linear)

  // MARK: Commands

  /// Opens a stream in a pipeline of its own, which has the settings of the loaded one.
  func prepare(_ uri: String, _ stream: StreamToken, _ headers: HTTPRequestHeaders?) {
    state.withLock { state in
      if let prepared = state.others.prepared { release(prepared, &state) }
      guard !state.isClosed, let client = state.client else { return }
      let context = makeContext(client, state)
      state.others.prepared = .init(stream: stream, context: context)
      setUp(context, state)
      if let selection = state.selection { enqueue(nil, in: context) { $0.perform(selection) } }
      enqueue(.output, in: context) { $0.prepare(uri, stream, headers) }
    }
  }

  /// Carries out the settings in a new pipeline.
  private func setUp(_ context: PipelineContext, _ state: State) {
    for command in state.settings.all {
      switch command {
      case .setSink, .measureLoudness: break
      default: enqueue(nil, in: context) { $0.perform(command) }
      }
    }
  }

  func crossfade(to stream: StreamToken?, at time: Duration, _ shape: CrossfadeShape) {
    state.withLock { state in
      guard !state.isClosed, let loaded = state.context else { return }
      let second = state.others.prepared.flatMap { $0.stream == stream ? $0.context : nil }
      enqueue(nil, in: loaded) { [self] pipeline in
        let start = second.map { makeStart(of: $0, after: pipeline.stream, in: pipeline.context, at: time, shape) }
        pipeline.crossfade(at: time, shape, start)
      }
    }
  }

  /// Returns the start of a prepared pipeline at a media time of the loaded stream.
  private func makeStart(
    of second: PipelineContext, after stream: StreamToken, in loaded: PipelineContext, at time: Duration,
    _ shape: CrossfadeShape
  ) -> CrossfadeStart {
    CrossfadeStart(of: stream, in: loaded, at: time, shape) { [weak self] start in
      self?.enqueue(.item, in: second) { $0.begin(start) }
    }
  }

  /// Makes the prepared pipeline the loaded one; the one before it fades out.
  func enter(_ stream: StreamToken) {
    state.withLock { state in
      guard !state.isClosed, let loaded = state.context, let prepared = state.others.prepared,
        prepared.stream == stream
      else { return }
      if let older = state.others.outgoing { release(older, &state) }
      state.others = OtherPipelines(prepared: nil, outgoing: nil, released: state.others.released)
      state.context = prepared.context
      let token = loaded.streamAtSink
      state.others.outgoing = .init(stream: token, context: loaded)
      enqueue(nil, in: loaded) { [weak self] in
        $0.crossfade.role = .outgoing
        if $0.crossfade.hasEnded { self?.left($0.context) }
      }
      enqueue(nil, in: prepared.context) { $0.enter() }
    }
  }

  /// Fades the loaded stream out at once; the next load is carried out by another pipeline.
  func leave(_ stream: StreamToken, _ shape: CrossfadeShape) {
    newestLoad.store(0, ordering: .relaxed)
    state.withLock { state in
      guard !state.isClosed, state.isStarted, let client = state.client, let loaded = state.context else { return }
      for other in state.others.removeAll() { release(other, &state) }
      state.others.outgoing = .init(stream: stream, context: loaded, isSkipped: true)
      let left: @Sendable (isolated Pipeline) -> Void = { [weak self] in self?.left($0.context) }
      enqueue(nil, in: loaded) { $0.leave(shape, left) }
      let context = makeContext(client, state)
      state.context = context
      start(&state)
      setUp(context, state)
      if let selection = state.selection { enqueue(nil, in: context) { $0.perform(selection) } }
      enqueue(nil, in: context) { $0.crossfade.nextFadeIn = shape }
    }
  }

  /// Releases the pipeline of a stream that was skipped and has faded out, or that had ended before the other was entered.
  private func left(_ context: PipelineContext) {
    state.withLock { state in
      if let (entry, _) = state.others.remove(context) { release(entry, &state) }
    }
  }

  /// Releases a prepared stream and cancels the fade-out of the loaded one, or releases the stream that fades out.
  ///
  /// For the loaded stream itself, it cancels its fade-out.
  func release(_ stream: StreamToken) {
    state.withLock { state in
      if let prepared = state.others.prepared, prepared.stream == stream {
        release(prepared, &state)
        if let loaded = state.context { enqueue(nil, in: loaded) { $0.cancelCrossfade() } }
      } else if let outgoing = state.others.outgoing, outgoing.stream == stream {
        release(outgoing, &state)
      } else if let loaded = state.context {
        enqueue(nil, in: loaded) { if $0.stream == stream { $0.cancelCrossfade() } }
      }
    }
  }

  func releaseOthers() {
    state.withLock { state in
      for other in state.others.removeAll() { release(other, &state) }
    }
  }

  /// Queues work for the pipelines beside the loaded one.
  func forOthers(_ hang: EngineHang?, _ work: @escaping @Sendable (isolated Pipeline) -> Void) {
    state.withLock { state in
      guard !state.isClosed else { return }
      for context in state.others.all { enqueue(hang, in: context, work) }
    }
  }

  /// Queues work for the pipeline of a stream: the prepared one, else the loaded one.
  func enqueue(
    _ hang: EngineHang?, for stream: StreamToken, _ work: @escaping @Sendable (isolated Pipeline) -> Void
  ) {
    state.withLock { state in
      let prepared = state.others.prepared.flatMap { $0.stream == stream ? $0.context : nil }
      guard !state.isClosed, let context = prepared ?? state.context else { return }
      enqueue(hang, in: context, work)
    }
  }

  // MARK: The end

  /// Closes a pipeline after a short fade-out, and after the time in which the output plays its last samples.
  func release(_ entry: OtherPipelines.Entry, _ state: inout State) {
    let context = entry.context
    _ = state.others.remove(context)
    state.others.released.append(context)
    let ticket = expect(.tearDown, in: context)
    context.executor.queue.async { [self] in
      guard let pipeline = context.pipeline.value else { return closed(context, ticket) }
      pipeline.assumeIsolated { pipeline in
        pipeline.endLeaving()
        pipeline.leave(pipeline.drainEnd == nil ? Self.releaseShape : nil) { pipeline in
          pipeline.afterDrain {
            $0.close()
            $0.context.forgetRead(before: nil)
            self.closed($0.context, ticket)
          }
        }
      }
    }
  }

  /// Handles a call of another pipeline than the loaded one that takes too long: only that pipeline is abandoned.
  ///
  /// - Returns: Whether the call is no longer expected; nil for the loaded pipeline.
  func otherIsOverdue(_ context: PipelineContext, isInOutput: Bool) -> Bool? {
    let (isHandled, report): (Bool?, (@Sendable () -> Void)?) = state.withLock { state in
      guard state.context !== context else { return (nil, nil) }
      guard let pipeline = context.pipeline.value else { return (true, nil) }
      guard canAbandon(state) else { return (false, nil) }
      let removed = state.others.remove(context)
      state.others.released.removeAll { $0 === context }
      abandon(context, pipeline, isInOutput: isInOutput, &state)
      guard !state.isClosed, let client = state.client, let removed, !removed.entry.isSkipped else {
        return (true, nil)
      }
      let stream = removed.entry.stream
      let hang = isInOutput ? EngineHang.output : .item
      let failure = Self.unusable(PlayerError(code: isInOutput ? .output : .loadTimeout, message: hang.sentence))
      let event = removed.isPrepared ? EngineEvent.failed(stream, failure) : .ended(stream)
      return (true, { client.report(event) })
    }
    if isHandled == true { released(context) }
    report?()
    return isHandled
  }

  // MARK: Events

  /// Reports an event of a pipeline: all of the loaded one, those of its stream from a prepared one, and the end of the one
  /// that fades out.
  func report(_ event: EngineEvent, from context: PipelineContext) {
    let (client, event): (EngineClient?, EngineEvent?) = state.withLock { state in
      guard state.context !== context else {
        follow(event, &state)
        return (state.client, event)
      }
      if let prepared = state.others.prepared, prepared.context === context {
        return (state.client, event.ofPrepared)
      }
      guard let outgoing = state.others.outgoing, outgoing.context === context else { return (nil, nil) }
      let end: EngineEvent? =
        switch event {
        case .ended, .startMissed: .ended(outgoing.stream)
        case .failed(_, let error): .failed(outgoing.stream, error)
        default: nil
        }
      // A skipped stream that fails is released as well.
      let isOver = if case .failed = event { true } else { end != nil }
      if isOver { release(outgoing, &state) }
      return (state.client, outgoing.isSkipped ? nil : end)
    }
    if let event { client?.report(event) }
  }

  /// Applies the change that a mixer has made of the loaded stream's volume to the other streams.
  private func follow(_ event: EngineEvent, _ state: inout State) {
    guard case .outputVolumeChanged(let volume, let isMuted) = event else { return }
    for command in [EngineCommand.setVolume(volume), .setMuted(isMuted)] {
      state.settings.note(command)
      for context in state.others.all { enqueue(nil, in: context) { $0.perform(command) } }
    }
  }

  /// The error of an output that cannot play a second stream beside the first one; the first one is not affected.
  fileprivate static func unusable(_ error: PlayerError) -> PlayerError {
    var error = error
    if error.code == .output { error.isUnusableOutput = true }
    return error
  }
}

extension EngineEvent {
  /// The event as that of a prepared stream; nil if it is about the output, or about a stream that is loaded.
  fileprivate var ofPrepared: EngineEvent? {
    switch self {
    case .failed(let stream, let error): .failed(stream, PipelineHost.unusable(error))
    case .startMissed(let stream, _):
      .failed(stream, PipelineHost.unusable(PlayerError(code: .output, message: EngineHang.output.sentence)))
    case .running, .seekRefused, .sampled, .outputVolumeChanged, .fadeOutEnds, .outputRemoved, .pauseRequested,
      .resumeRequested, .outputFound, .outputOpened, .outputInUse, .starting, .replaced, .warning:
      nil
    case .settled, .readingOn, .progressed, .ranOut, .nextStarted, .endMissed, .endFound, .ended, .durationChanged,
      .silenceFound, .redirected, .tags, .titleStarts, .timedTag, .timedTagsFlushed, .songEnded, .chapters, .leftOut,
      .audioTracks, .buffering:
      self
    }
  }
}
