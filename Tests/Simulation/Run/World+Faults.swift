import Playback

/// The faults of the surroundings, and the recovery at the end of a run.
extension World {
  /// Carries out a fault.
  func inflict(_ action: Action) {
    let pipeline = pipeline
    let stream = StreamToken(number: pipeline.streams.first?.token ?? 0)
    switch action {
    case .outputFails(let time):
      pipeline.outputDownUntil = max(pipeline.outputDownUntil, now + Int64(time) * 1_000_000)
      guard !pipeline.streams.isEmpty else { return }
      pipeline.settlePosition()
      pipeline.isRunning = false
      pipeline.isStarting = false
      pipeline.replan()
      pipeline.post(failure: .output, of: stream.number)
    case .outputRemoved: pipeline.post(.outputRemoved("output-1"))
    case .outputInUse(let number): pipeline.post(.outputInUse(stream, "output-\(number)"))
    case .volumeChanges(let volume, let isMuted):
      // The engine reports it at once, after the commands that it has carried out; one that starts has no stream.
      guard pipeline.commands.isEmpty, !pipeline.isEngineStarting else { return }
      pipeline.volume = Double(volume) / 100
      pipeline.isMuted = isMuted
      deliver(.outputVolumeChanged(volume: pipeline.volume, isMuted: isMuted))
    case .outputSilent(let isSilent):
      pipeline.isSilent = isSilent
      pipeline.post(.outputOpened(isSilent: isSilent))
    case .outputFound:
      guard pipeline.isSilent else { return }
      pipeline.isSilent = false
      pipeline.post(.outputFound)
    case .outputStops(let time):
      pipeline.settlePosition()
      pipeline.outputStopsUntil = max(pipeline.outputBlockedUntil, now + Int64(time) * 1_000_000)
      pipeline.replan()
    case .outputBlocks(let time):
      pipeline.settlePosition()
      pipeline.outputBlockedUntil = max(pipeline.outputBlockedUntil, now + Int64(time) * 1_000_000)
      pipeline.outputStopsUntil = max(pipeline.outputStopsUntil, pipeline.outputBlockedUntil)
      pipeline.replan()
    case .callHangs(let time):
      pipeline.hang = Int64(time) * 1_000_000
      pipeline.longestHang = max(pipeline.longestHang, Int64(time) * 1_000_000)
    case .suspended(let time, let playsOn):
      pipeline.settlePosition()
      if !playsOn { pipeline.outputStopsUntil = max(pipeline.outputBlockedUntil, now) + Int64(time) * 1_000_000 }
      suspend(for: Int64(time) * 1_000_000)
      pipeline.replan()
    case .networkStops(let time):
      if pipeline.streams.first?.isNetwork == true { pipeline.networkDue() }
      pipeline.networkDownUntil = max(pipeline.networkDownUntil, now + Int64(time) * 1_000_000)
      if pipeline.streams.first?.isNetwork == true { pipeline.networkDue() }
    case .connectionsCut: if pipeline.isPrerolled { pipeline.closeConnection() }
    case .decoderFails:
      guard pipeline.isPrerolled, !pipeline.streams.isEmpty else { return }
      pipeline.streams[0].hasFailed = true
      pipeline.post(failure: .corrupt, of: stream.number)
    case .engineEnds: endEngine()
    default: break
    }
  }

  /// Ends the engine's process with everything in it, and reports that another one has taken its place.
  private func endEngine() {
    let shown = player.inspection
    let newest = StreamToken(number: checker.engine.lastStream)
    pipeline.replaceEngine()
    checker.engineEnds(shown)
    deliver(.replaced(after: .process(EngineEnd(reason: "signal 9 (SIGKILL)", newestStream: newest))))
    checker.checkEngineEnd(shown)
  }

  /// Ends all faults, and checks that a queue of playable items plays to its end.
  func recover() {
    let pipeline = pipeline
    let end =
      max(
        now, pipeline.startUntil, pipeline.outputDownUntil, pipeline.networkDownUntil, pipeline.outputStopsUntil,
        pipeline.abandonedUntil) + 30_000_000_000
    pipeline.hang = nil
    // A client may set the sleep timer until then.
    run(until: end)
    guard checker.breach == nil else { return }
    service?.cancelSleepTimer()
    let playable = scenario.media.indices.filter { scenario.media[$0].isPlayable && scenario.media[$0].length < 60_000 }
    guard !playable.isEmpty else { return }
    note("recovery")
    let media = Array(playable.prefix(3))
    for action in [
      Action.stop, .setLoop(0), .setActionAtItemEnd(0), .setRate(100), .setDefaultRate(0), .setShuffled(false),
      .setNetworkTimeout(60_000), .replace(media: media, start: 0), .play,
    ] {
      checker.perform(action)
      settle()
    }
    let ends = checker.ends
    let length = media.reduce(0) { $0 + Int64(scenario.media[$1].length) * 1_000_000 }
    run(until: now + length + 60_000_000_000) { [checker] in checker.ends >= ends + media.count }
    guard checker.breach == nil else { return }
    if checker.ends < ends + media.count {
      let seen = player.inspection.snapshot
      checker.broke(
        .playableItemsPlay,
        "\(checker.ends - ends) of \(media.count) items have ended; \(seen.transport), \(seen.timeControlStatus) at \(seen.position)"
      )
    }
  }

  /// Closes the player with callers that wait, and checks that all are answered.
  func close() {
    player.perform(.play)
    player.perform(.seekAwaited(to: 1_000, tolerance: 0))
    player.perform(.prepare)
    player.close()
    for _ in 0..<4 { settle() }
    checker.checkClosed()
  }
}
