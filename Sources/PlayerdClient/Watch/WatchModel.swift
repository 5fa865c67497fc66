import DBus
import MPRISService
import PlayerdInterfaces

/// Keeps the state of the daemon, and converts its signals to the records of `watch`.
struct WatchModel: Sendable {
  private(set) var player: WatchedPlayer
  /// The last reported state; it combines properties of MPRIS and Monitor1.
  private var lastReported: WatchRecord.Event?
  /// A time jump whose target MPRIS has not yet confirmed by Seeked.
  private var jump: (from: Int64, to: Int64)?
  /// The instant of the first sample of a track that is not reported yet.
  private var started: (track: String, instant: Int64)?
  /// The last reported metadata, and the track in its record.
  private var lastTrack: (metadata: DBusValue?, event: WatchRecord.Event?)
  /// The instant of the last record; instants never decrease.
  private var last = Int64.min

  init(_ player: WatchedPlayer) {
    self.player = player
  }

  /// Returns the records of the initial state.
  mutating func begin(at now: Int64) -> [WatchRecord] {
    state(at: now) + (player.trackID == nil ? [] : track(at: now))
  }

  /// Returns the records of a signal; their instants never decrease.
  mutating func take(_ signal: DBusSignalMessage, at now: Int64) -> [WatchRecord] {
    records(of: signal, at: now).map { record in
      var record = record
      last = max(last, record.monotonic)
      record.monotonic = last
      return record
    }
  }

  private mutating func records(of signal: DBusSignalMessage, at now: Int64) -> [WatchRecord] {
    if let change = signal.changedProperties { return take(change.values, of: change.interface, at: now) }
    switch (signal.interface, signal.member) {
    case (PlayerInterface.name, PlayerInterface.seeked.name):
      let target = signal.arguments.first?.asInt64
      let origin = jump.flatMap { $0.to == target ? $0.from : nil }
      jump = nil
      return [record(.seeked(from: origin), position: target, at: now)]
    case (MonitorInterface.name, let member): return take(member, signal.arguments, at: now)
    default: return []
    }
  }

  // MARK: Properties

  private mutating func take(_ changed: [String: DBusValue], of interface: String, at now: Int64) -> [WatchRecord] {
    switch interface {
    case PlayerInterface.name.rawValue:
      let before = player
      player.mpris.merge(changed) { $1 }
      return track(at: now) + state(at: now) + settings(since: before, at: now)
    case MonitorInterface.name.rawValue:
      let before = player
      player.monitor.merge(changed) { $1 }
      let isBuffering = player.bufferingPercent != before.bufferingPercent
      return track(at: now) + state(at: now)
        + (isBuffering ? [record(.buffering(percent: player.bufferingPercent), at: now)] : [])
        + settings(since: before, at: now)
    case ExtrasInterface.name.rawValue:
      let before = player
      player.extras.merge(changed) { $1 }
      return extras(since: before, at: now)
    case ControlInterface.name.rawValue:
      let before = player
      player.control.merge(changed) { $1 }
      return (player.queueRevision == before.queueRevision ? [] : [record(.queue, at: now)])
        + settings(since: before, at: now)
    default: return []
    }
  }

  /// Returns a record for each setting of Extras1 that has changed.
  private func extras(since before: WatchedPlayer, at now: Int64) -> [WatchRecord] {
    let isSleepEqual =
      player.sleepDeadline == before.sleepDeadline && player.sleepsAfterTrack == before.sleepsAfterTrack
    let isCrossfadeEqual = player.crossfade == before.crossfade && player.crossfadeOnSkip == before.crossfadeOnSkip
    let remaining = player.sleepDeadline.map { max(0, $0.subtractingReportingOverflow(now).partialValue) }
    let events: [WatchRecord.Event?] = [
      player.output == before.output ? nil : .output(player.output),
      isSleepEqual ? nil : .sleepTimer(remaining: remaining, afterTrack: player.sleepsAfterTrack),
      player.stopsAfterTracks == before.stopsAfterTracks ? nil : .stopAfter(player.stopsAfterTracks),
      player.repeatedPart == before.repeatedPart ? nil : .repeatAB(player.repeatedPart),
      isCrossfadeEqual ? nil : .crossfade(player.crossfade, onSkip: player.crossfadeOnSkip),
      player.isConsuming == before.isConsuming ? nil : .consume(player.isConsuming),
      player.pausedFor == before.pausedFor ? nil : .pausedFor(player.pausedFor),
      player.book == before.book ? nil : .book(player.book),
    ]
    return events.compactMap { $0.map { record($0, at: now) } }
  }

  /// Returns the state if it has changed and both objects have reported their part.
  private mutating func state(at now: Int64) -> [WatchRecord] {
    let isWhole = (player.status == "Playing") == (player.timeControlStatus != "paused")
    let state = WatchRecord.Event.state(
      status: player.status, timeControlStatus: player.timeControlStatus, reason: player.reasonForWaiting)
    guard isWhole, state != lastReported else { return [] }
    lastReported = state
    return [record(state, at: now)]
  }

  /// Returns a record for each setting that has changed.
  private func settings(since before: WatchedPlayer, at now: Int64) -> [WatchRecord] {
    let events: [WatchRecord.Event?] = [
      player.volume == before.volume ? nil : .volume(player.volume),
      player.isMuted == before.isMuted ? nil : .mute(player.isMuted),
      player.shuffleMode == before.shuffleMode ? nil : .shuffle(player.shuffleMode),
      player.loop == before.loop ? nil : .loop(player.loop), player.rate == before.rate ? nil : .speed(player.rate),
    ]
    return events.compactMap { $0.map { record($0, at: now) } }
  }

  /// Returns the track if its metadata or duration has changed and both objects describe the same track.
  private mutating func track(at now: Int64) -> [WatchRecord] {
    let metadata = player.mpris[PlayerInterface.metadata]
    let track = WatchRecord.Event.track(
      title: player.title, artist: player.artist, album: player.album, uri: player.uri,
      duration: player.duration ?? player.length)
    let isNew = metadata != lastTrack.metadata || lastTrack.event.map { $0 != track } ?? false
    guard isNew, player.trackID == player.monitoredTrackID else { return [] }
    lastTrack = (metadata, track)
    var record = record(track, at: now)
    if let started, started.track == player.trackID {
      record.monotonic = max(started.instant, last)
      record.position = player.position(at: record.monotonic)
    }
    started = nil
    return [record]
  }

  // MARK: Signals of Monitor1

  private mutating func take(_ member: MemberName, _ arguments: [DBusValue], at now: Int64) -> [WatchRecord] {
    func value(_ index: Int) -> DBusValue? { arguments.dropFirst(index).first }
    func number(_ index: Int) -> Int64? { value(index)?.asInt64 }
    func text(_ index: Int) -> String { value(index)?.asString ?? "" }
    func path(_ index: Int) -> String? { value(index)?.asObjectPath?.rawValue }
    func record(_ event: WatchRecord.Event, track: String?, position: Int64?, at instant: Int64? = nil) -> WatchRecord {
      WatchRecord(event: event, trackID: track, position: position, monotonic: instant ?? now)
    }
    switch member {
    case MonitorInterface.periodicTime.name: return [record(.periodic, track: path(1), position: number(2))]
    case MonitorInterface.boundaryReached.name:
      return [record(.boundary(number(2) ?? 0), track: path(1), position: number(3), at: number(4))]
    case MonitorInterface.trackBoundary.name:
      if let track = path(1), let instant = number(2) { started = (track, instant) }
      return []
    case MonitorInterface.timeJumped.name:
      if let origin = number(1), let target = number(2) { jump = (origin, target) }
      return []
    case MonitorInterface.playbackStalled.name: return [record(.stalled, track: path(0), position: number(1))]
    case MonitorInterface.itemDidPlayToEnd.name:
      let isCurrent = path(0) == player.trackID
      return [record(.ended, track: path(0), position: isCurrent ? player.duration : nil)]
    case MonitorInterface.itemFailedToPlayToEnd.name:
      return [
        record(.failed(code: text(1), message: text(2), uri: nil), track: path(0), position: player.position(at: now))
      ]
    case MonitorInterface.chapterChanged.name:
      let index = number(1).flatMap { (0..<Int64.max).contains($0) ? $0 : nil }
      return [record(.chapter(index: index, title: text(2)), track: path(0), position: player.position(at: now))]
    case MonitorInterface.lyricsLine.name:
      let end = number(1).flatMap { $0 < 0 ? nil : $0 }
      return [record(.lyrics(text: text(2), end: end), track: player.trackID, position: number(0))]
    default: return []
    }
  }

  private func record(_ event: WatchRecord.Event, position: Int64? = nil, at now: Int64) -> WatchRecord {
    WatchRecord(
      event: event, trackID: player.monitoredTrackID, position: position ?? player.position(at: now), monotonic: now)
  }
}
