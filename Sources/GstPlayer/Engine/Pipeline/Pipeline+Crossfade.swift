import CGst
import EngineProcess
import Playback

/// The crossfade at the end of the loaded stream.
extension Pipeline {
  /// The maximum duration by which a start is reported ahead.
  private static let reportedAhead = Duration.seconds(1)

  /// Fades the loaded stream out from a media time on, and starts a second stream at that time.
  ///
  /// Samples that have passed to the output are not changed, so the fade-out begins after them.
  func crossfade(at time: Duration, _ shape: CrossfadeShape, _ start: CrossfadeStart?) {
    endCrossfade()
    guard unsafe playbin != nil else { return }
    let ramp = CrossfadeRamp(.fadeOut, shape, from: time)
    unsafe context.output.with { unsafe GLib.withPad("sink", of: $0) { unsafe ramp.attach(to: $0) } }
    context.gate.endFade(of: stream, at: time + shape.length * speed)
    (crossfade.fadeOut, crossfade.start) = (ramp, start)
    if start == nil { crossfade.nextFadeIn = shape }
    scheduleCrossfade()
  }

  /// Lets the loaded stream continue at the full level; the part that has faded is not repeated.
  func cancelCrossfade() {
    crossfade.fadeOut?.cancel()
    context.gate.endFade(of: stream, at: nil)
    (crossfade.fadeOut, crossfade.start, crossfade.nextFadeIn) = (nil, nil, nil)
    crossfadeTimer.set(nil) {}
  }

  /// Forgets the crossfade of a stream that has ended or was unloaded.
  func endCrossfade() {
    crossfade.fadeOut?.end()
    context.gate.endFade(of: stream, at: nil)
    (crossfade.fadeOut, crossfade.start) = (nil, nil)
    crossfadeTimer.set(nil) {}
  }

  /// The speed of the loaded stream: the media time that passes in a second.
  private var speed: Double {
    if case .seek(_, let rate, _, _, _) = lastSeek { rate } else { 1 }
  }

  /// Sets the timer for the start of the second stream; a pause stops it.
  func scheduleCrossfade() {
    guard let start = crossfade.start else { return }
    crossfadeTimer.set(nil) {}
    guard requestedState == GST_STATE_PLAYING, let instant = start.runningTime, let now = runningTime else { return }
    let wait = instant - now - CrossfadeStart.lead
    guard wait > .milliseconds(1) else { return startSecond() }
    crossfadeTimer.set(.now + wait) { [weak self] in self?.assumeIsolated { $0.scheduleCrossfade() } }
  }

  /// Starts the second stream if it has not been started; it then waits silently for its instant.
  func startSecond() {
    guard let start = crossfade.start else { return }
    crossfade.start = nil
    start.begin(start)
  }

  // MARK: The second stream

  /// Opens a stream that stays paused, with its first sample before the output.
  func prepare(_ uri: String, _ stream: StreamToken, _ headers: HTTPRequestHeaders?) {
    crossfade.role = .prepared
    if unsafe playbin == nil { open() }
    guard unsafe playbin != nil, !isSilent else {
      let error = failure ?? PlayerError(code: .output, message: "no second audio output can be opened")
      return report(.failed(stream, error))
    }
    unsafe context.output.with {
      unsafe GLib.withPad("sink", of: $0) {
        let context = context
        unsafe crossfade.entrance.attach(to: $0, context) {
          context.deliver(.crossfadeBegins(runningTime: UInt64(clamping: $0.wholeNanoseconds)))
        }
      }
    }
    load(uri, stream, headers)
  }

  /// Starts a prepared stream, whose first sample waits for its instant.
  func begin(_ start: CrossfadeStart) {
    guard crossfade.role == .prepared else { return }
    crossfade.fadeIn = start.shape.length > .zero ? CrossfadeRamp(.fadeIn, start.shape) : nil
    crossfade.entrance.set(start, crossfade.fadeIn)
    crossfade.isHeld = crossfade.isPaused
    if !crossfade.isHeld { startPrepared() }
  }

  private func startPrepared() {
    (crossfade.isHeld, crossfade.hasBegun) = (false, true)
    setPlaying(true)
  }

  /// Starts or pauses this pipeline together with the loaded one; a prepared stream only if its start was requested.
  func follow(isPlaying: Bool) {
    switch crossfade.role {
    case .loaded: setPlaying(isPlaying)
    case .prepared:
      crossfade.isPaused = !isPlaying
      if isPlaying, crossfade.isHeld { return startPrepared() }
      if crossfade.hasBegun { setPlaying(isPlaying) }
    case .outgoing:
      setPlaying(isPlaying)
      stepLeaving()
    }
  }

  /// Reports the start of a prepared stream, at most a second before its first sample is audible.
  func reportCrossfade() {
    guard let first = crossfade.firstSample, requestedState == GST_STATE_PLAYING, let delay = delay(of: first) else {
      return
    }
    crossfadeTimer.set(nil) {}
    guard delay <= Self.reportedAhead else {
      return crossfadeTimer.set(.now + (delay - Self.reportedAhead)) { [weak self] in
        self?.assumeIsolated { $0.reportCrossfade() }
      }
    }
    crossfade.firstSample = nil
    var facts = facts(isLive: false)
    facts.position = .zero
    report(.nextStarted(stream, in: max(.zero, delay), facts, previousEnd: nil))
  }

  /// Makes this pipeline the loaded one.
  func enter() {
    crossfade.role = .loaded
    // A later stream of this pipeline does not wait for the instant.
    crossfade.entrance.cancel()
    reportCrossfade()
    outputChanged()
  }

  /// Attaches the fade-in of a load after a fade-out; that of a load before it that has not played is attached again.
  func fadeIn() {
    let shape = crossfade.nextFadeIn ?? crossfade.fadeIn?.awaitedShape
    crossfade.fadeIn?.end()
    (crossfade.nextFadeIn, crossfade.fadeIn) = (nil, nil)
    guard let shape else { return }
    let ramp = CrossfadeRamp(.fadeIn, shape, awaitsStart: true)
    crossfade.fadeIn = ramp
    unsafe context.output.with { unsafe GLib.withPad("sink", of: $0) { unsafe ramp.attach(to: $0) } }
  }
}
