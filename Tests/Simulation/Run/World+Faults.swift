import Playback

/// The faults of the surroundings, and the recovery at the end of a run.
extension World {
  /// Notes a fault, which disturbs playback until an instant.
  func noteFault(until end: Int64) {
    checker.progress.disturbed = max(checker.progress.disturbed, end)
    model.overlap?.isFaulty = true
  }

  /// Carries out a fault.
  func inflict(_ action: Action) {
    let (model, output) = (model, model.output)
    let networks = model.decks.filter(\.isNetwork)
    switch action {
    case .outputFails(let time):
      model.outputDownUntil = max(model.outputDownUntil, now + Int64(time) * 1_000_000)
      if output.isOpen { output.fail() }
    case .outputRemoved: model.post(.output(.removed("output-1")))
    case .pauseRequested: model.post(.output(.pauseRequested))
    case .resumeRequested: model.post(.output(.resumeRequested))
    case .outputInUse(let number): model.post(.output(.inUse("output-\(number)")))
    case .volumeChanges(let volume, let isMuted):
      // The engine reports it at once, after the commands that it has carried out; one that starts has no output.
      guard !model.hasCommands, now >= model.outputStart else { return }
      model.changeVolume(Double(volume) / 100, isMuted: isMuted)
      deliver(.output(.volumeChanged(volume: Double(volume) / 100, isMuted: isMuted)))
    case .outputSilent(let isSilent):
      model.isSilent = isSilent
      model.post(.output(.opened(isSilent: isSilent)))
    case .outputFound:
      guard model.isSilent else { return }
      model.isSilent = false
      model.post(.output(.found))
    case .outputStops(let time):
      output.settle()
      model.outputStopsUntil = max(model.outputBlockedUntil, now + Int64(time) * 1_000_000)
      output.update()
    case .outputBlocks(let time):
      output.settle()
      model.outputBlockedUntil = max(model.outputBlockedUntil, now + Int64(time) * 1_000_000)
      model.outputStopsUntil = max(model.outputStopsUntil, model.outputBlockedUntil)
      output.update()
    case .callHangs(let time):
      let place = model.random.number(0...model.decks.count)
      if place == 0 {
        model.hang = Int64(time) * 1_000_000
      } else {
        model.decks[place - 1].hang = Int64(time) * 1_000_000
      }
      model.longestHang = max(model.longestHang, Int64(time) * 1_000_000)
    case .suspended(let time, let playsOn):
      output.settle()
      if !playsOn { model.outputStopsUntil = max(model.outputBlockedUntil, now) + Int64(time) * 1_000_000 }
      suspend(for: Int64(time) * 1_000_000)
      output.update()
    case .networkStops(let time):
      for deck in networks { deck.networkDue() }
      model.networkDownUntil = max(model.networkDownUntil, now + Int64(time) * 1_000_000)
      for deck in networks { deck.networkDue() }
    case .connectionsCut: for deck in networks { deck.closeConnection() }
    case .decksEnd(let isLocal):
      checker.processEnds()
      guard model.endDecks(local: isLocal) else { return }
      noteFault(until: model.start(ofLocal: isLocal))
      checker.decksHaveEnded(local: isLocal)
    case .outputEnds:
      checker.processEnds()
      let heard = checker.heardPart
      guard model.endOutput() else { return }
      noteFault(until: model.outputStart)
      checker.outputHasEnded(heard)
    case .decoderFails: if !model.decks.isEmpty { model.random.pick(model.decks).failDecoder() }
    default: break
    }
  }

  /// Ends all faults, and checks that a queue of playable items plays to its end.
  func recover() {
    let end =
      max(
        now, model.startOfAll, model.outputDownUntil, model.networkDownUntil, model.outputStopsUntil,
        model.abandonedUntil) + 30_000_000_000
    model.hang = nil
    for deck in model.decks { deck.hang = nil }
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
      let seen = player.internals.snapshot
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
