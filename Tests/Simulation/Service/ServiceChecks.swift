import DBus
import MPRISService
import Playback

@testable import PlayerdService

/// The invariants of the service on the bus: its messages are compared with the events of the player.
final class ServiceChecks {
  /// A call that the service is handling.
  ///
  /// A class, because it is checked after each event, and large.
  final class Handled {
    let message: BusMessage
    let call: ClientCall?
    let before: MPRISSnapshot
    let tracks: [MPRISTrackID]
    let player: Player.Snapshot
    let items: [Player.Item]
    let since: Int64

    init(_ message: BusMessage, _ call: ClientCall?, _ bridge: PlayerBridge, since: Int64) {
      self.message = message
      self.call = call
      before = bridge.snapshot()
      tracks = bridge.tracks()
      player = bridge.player.snapshot
      items = bridge.player.items
      self.since = since
    }
  }

  /// A signal that an event of the player requires.
  private struct Expected {
    var member: String
    /// The number of the item; nil for a signal without a track.
    var item: UInt64?
    var times: [Int64]
    var since: Int64
  }

  unowned let service: SimulatedService
  private var handled: Handled?
  /// The calls whose replies are deferred, by client and serial number.
  private var waiting: [String: Handled] = [:]
  /// The part of a track that is repeated.
  var repetition: Repetition?
  private var calls: [String: ClientCall] = [:]
  private var isConnected = false
  private var track: Player.Item?
  private var seeks: [Expected] = []
  private var events: [Expected] = []
  /// The last signalled values, by interface and property.
  private var signalled: [String: [String: DBusValue]] = [:]
  /// The observers of each connected client.
  private(set) var observers: [String: [UInt32]] = [:]
  /// The observers whose client has left, with the instant.
  private var leaving: [(instant: Int64, count: Int)] = []
  private var lastChange: Int64 = 0

  init(_ service: SimulatedService) { self.service = service }

  var world: World { service.world }
  private var now: Int64 { world.now }

  func require(_ invariant: Invariant, _ holds: Bool, _ detail: @autoclosure () -> String) {
    if !holds { service.broke(invariant, detail()) }
  }

  // MARK: The connection

  /// Records that the service follows the events from now on.
  func connected() { isConnected = true }

  func disconnected() {
    isConnected = false
    handled = nil
    waiting = [:]
    calls = [:]
    (seeks, events, signalled) = ([], [], [:])
    for name in observers.keys.sorted() { left(name) }
  }

  /// Records that a client has left.
  func left(_ name: String) {
    if let own = observers.removeValue(forKey: name), !own.isEmpty { leaving.append((now, own.count)) }
    lastChange = now
  }

  // MARK: Events of the player

  func playerEvent(_ event: Player.Event) {
    switch event {
    case .currentItemChanged(_, let item): track = item
    case .itemRepeated(let item, _): track = item
    case .timeJumped(let from, let to):
      seek(to)
      if let track { expect("TimeJumped", track, [from.microseconds, to.microseconds]) }
    case .playbackResumed(_, let position): seek(position)
    case .itemDidPlayToEnd(let item): expect("ItemDidPlayToEnd", item)
    case .itemFailed(let item, _): expect("ItemFailedToPlayToEnd", item)
    case .playbackStalled(let item): expect("PlaybackStalled", item)
    case .chapterChanged(let item, _, _): expect("ChapterChanged", item)
    default: break
    }
  }

  private func seek(_ position: Duration) {
    // No client knows a position before the service has its name.
    guard isConnected, service.bus.link?.ownedNames == 2 else { return }
    seeks.append(Expected(member: "Seeked", times: [max(0, position.microseconds)], since: now))
  }

  private func expect(_ member: String, _ item: Player.Item, _ times: [Int64] = []) {
    guard isConnected else { return }
    events.append(Expected(member: member, item: item.id.number, times: times, since: now))
  }

  // MARK: Signals

  /// Checks a message that the service sends.
  func sent(_ message: BusMessage) {
    world.note(
      "  service → \(message.destination): \(message.kind) \(message.member) \(message.error) \(message.values)")
    var hash: Int64 = 17
    for byte in message.member.utf8 { hash = hash &* 31 &+ Int64(byte) }
    world.checker.mix(hash)
    switch message.kind {
    case .call: break
    case .reply, .error: answered(message)
    case .signal: signal(message)
    }
    let limit = ModelBus.Link.mostUnsent
    if let link = service.bus.link {
      require(.unsentBounded, link.unsentBytes <= limit + 65_536, "\(link.unsentBytes) bytes are unsent")
    }
  }

  private func signal(_ signal: BusMessage) {
    if let changes = signal.changedProperties { return propertiesChanged(changes.interface, changes.values) }
    switch signal.member {
    case "Seeked": match(signal, &seeks, .seekedPerJump)
    case "TimeJumped", "ItemDidPlayToEnd", "ItemFailedToPlayToEnd", "PlaybackStalled", "ChapterChanged":
      match(signal, &events, .monitorSignalsInOrder)
    case "PeriodicTime", "BoundaryReached":
      let number = UInt32(signal.values.first?.asInt64 ?? 0)
      let owner = observers.first { $0.value.contains(number) }?.key
      require(
        .noticesReachOwner,
        owner == signal.destination || !service.bus.clients.contains { $0.name == signal.destination },
        "\(signal.member) of observer \(number) for \(signal.destination), owner \(owner ?? "nobody")")
    default: break
    }
  }

  private func match(_ signal: BusMessage, _ expected: inout [Expected], _ invariant: Invariant) {
    guard isConnected else { return }
    guard let next = expected.first else { return service.broke(invariant, "\(signal.member) without an event") }
    expected.removeFirst()
    let path = signal.values.first?.asObjectPath?.rawValue ?? ""
    let base = next.item.map { "/org/playerd/track/\($0)" } ?? ""
    let times = next.times.isEmpty ? [] : signal.values.compactMap(\.asInt64)
    require(
      invariant,
      signal.member == next.member && (next.item == nil || path == base || path.hasPrefix(base + "/"))
        && times == next.times, "\(signal.member) \(signal.values) instead of \(next.member) \(next.times)")
  }

  private func propertiesChanged(_ interface: String, _ values: [(String, DBusValue)]) {
    for (name, value) in values {
      require(.positionNotSignalled, name != "Position", "Position is signalled")
      let old = signalled[interface, default: [:]].updateValue(value, forKey: name)
      require(.signalsChange, old != value, "\(interface).\(name) is signalled again: \(value)")
    }
  }

  /// A value that a client has read before it was signalled may change back; it is then signalled again.
  private func noteRead(_ call: BusMessage, _ reply: BusMessage) {
    guard let interface = call.values.first?.asString, let values = reply.values.first?.entries else { return }
    guard let known = signalled[interface] else { return }
    for (name, value) in values where known[name] != nil && known[name] != value { signalled[interface]?[name] = nil }
  }

  // MARK: Calls

  /// Records that a client sends a call.
  func clientSends(_ message: BusMessage, _ call: ClientCall?) {
    if let call { calls["\(message.sender) \(message.serial)"] = call }
  }

  /// Records that the service begins to handle a call.
  func callBegins(_ message: BusMessage) {
    checkAnswered()
    let call = calls.removeValue(forKey: "\(message.sender) \(message.serial)")
    handled = Handled(message, call, service.parts.bridge, since: now)
  }

  private func answered(_ reply: BusMessage) {
    if let late = waiting.removeValue(forKey: "\(reply.destination) \(reply.replySerial)") {
      return checkLate(late, reply)
    }
    guard let handled, handled.message.serial == reply.replySerial, handled.message.sender == reply.destination,
      handled.message.expectsReply
    else { return service.broke(.callsAnsweredOnce, "a reply to \(reply.destination) without a call") }
    self.handled = nil
    if handled.message.member == "GetAll" { noteRead(handled.message, reply) }
    check(handled, reply)
  }

  /// Checks that the last call has been answered.
  func checkAnswered() {
    if let handled, handled.message.expectsReply, handled.call?.isDeferred == true {
      waiting["\(handled.message.sender) \(handled.message.serial)"] = handled
    } else if let handled, handled.message.expectsReply {
      service.broke(.callsAnsweredOnce, "\(handled.message.member) has no answer")
    }
    handled = nil
  }

  private func check(_ handled: Handled, _ reply: BusMessage) {
    let (before, after) = (handled.before, service.parts.bridge.snapshot())
    let error = reply.kind == .error ? String(reply.error.split(separator: ".").last ?? "") : nil
    func call() -> String { handled.call.map { "\($0)" } ?? handled.message.member }
    let isKept = before.isUnchanged(in: after) && abs((before.position - after.position).microseconds) < 50_000
    if let error {
      require(.wrongCallsRefused, isKept, "\(call()) is answered with \(error), but has changed the state")
    }
    guard let made = handled.call else {
      return require(.wrongCallsRefused, error == nil, "\(call()) is answered with \(error ?? "")")
    }
    if let expected = made.error(before) ?? refusal(of: made, handled) {
      return require(.wrongCallsRefused, error == expected, "\(call()) is answered with \(error ?? "success")")
    }
    require(
      .wrongCallsRefused, error == nil || made.mayFail, "\(call()) is answered with \(error ?? "") \(reply.values)")
    guard error == nil else { return }
    noteObservers(made, handled.message, reply)
    // It stops at once with “stop after”, also if its duration is not known, or if it waits for the next item.
    let isEmpty = handled.player.currentItem.flatMap { service.world.media(of: $0.uri) }?.fault == .silent
    let isAtEnd = isEmpty || before.metadata.length.map { before.position >= $0 } ?? false
    let isHeldAtEnd = handled.player.transport == .playing && (handled.player.timeControlStatus == .paused || isAtEnd)
    let tracks = service.parts.bridge.tracks()
    // Of a station, a seek reaches what is kept.
    let range = handled.player.stationRange
    if let fault = made.fault(
      before, after, isKept: isKept, isHeldAtEnd: isHeldAtEnd, within: range, handled.tracks, tracks)
    {
      service.broke(.callsTakeEffect, "\(call()): \(fault); \(before.brief) → \(after.brief)")
    }
    checkDaemonCall(made, handled, reply)
  }

  private func noteObservers(_ call: ClientCall, _ message: BusMessage, _ reply: BusMessage) {
    switch call {
    case .observePeriodically, .observeTimes, .observeFractions:
      lastChange = now
      guard let number = reply.values.first?.asInt64.map({ UInt32($0) }) else { return }
      // A client that has left since is reported to the service later.
      guard service.bus.clients.contains(where: { $0.name == message.sender }) else {
        return leaving.append((now, 1))
      }
      observers[message.sender, default: []].append(number)
    case .removeObserver:
      lastChange = now
      observers[message.sender]?.removeAll { Int64($0) == message.values.first?.asInt64 }
    default: break
    }
  }

  // MARK: After each event

  /// The patience with clients that leave, and with signals behind slow observers; a suspended process does nothing.
  private static let patience: Int64 = 5_000_000_000
  /// The longest time until a deferred reply.
  private static let longestDeferral: Int64 = 900_000_000_000

  private func isOverdue(_ instant: Int64) -> Bool {
    now - max(instant, service.bus.stalledUntil, world.resumed) > Self.patience
  }

  /// The numbers of observers of the player that the service may have.
  var playerObservers: ClosedRange<Int> {
    // One more repeats a part of a track.
    let own = 6 + observers.values.reduce(0) { $0 + $1.count }
    leaving.removeAll { isOverdue($0.instant) }
    return own...(own + 1 + leaving.reduce(0) { $0 + $1.count })
  }

  func afterEvent() {
    checkAnswered()
    checkRepetition()
    checkSleepTimer()
    guard isConnected, let link = service.bus.link, !service.bus.isStalled else { return lastChange = now }
    require(.callsAnsweredOnce, link.isCongested || !link.hasMessages, "calls wait although the bus reads")
    for late in waiting.values where now - max(late.since, world.resumed) > Self.longestDeferral {
      service.broke(.callsAnsweredOnce, "\(late.message.member) has no answer after \(Self.longestDeferral) ns")
    }
    if let first = seeks.first {
      require(.seekedPerJump, !isOverdue(first.since), "Seeked to \(first.times) is missing")
    }
    if let first = events.first {
      require(.monitorSignalsInOrder, !isOverdue(first.since), "\(first.member) is missing")
    }
    guard isOverdue(lastChange) else { return }
    let watched = observers.values.count { !$0.isEmpty }
    require(
      .subscriptionsEnd, service.bus.rules.count == watched,
      "\(service.bus.rules.count) rules for \(watched) clients with observers")
  }
}

extension MPRISSnapshot {
  fileprivate var brief: String { "\(status) at \(position) of \(track?.path.rawValue ?? "none")" }
}

extension ClientCall {
  /// Returns the error that a call must be answered with.
  func error(_ before: MPRISSnapshot) -> String? {
    switch self {
    case .nonsense(let number): Nonsense.all[number % Nonsense.all.count].error
    case .chooseOutput(let number): number > 3 ? "InvalidArgs" : nil
    case .sleepTimer(let time, _): (0...604_800_000).contains(time) ? nil : "InvalidArgs"
    case .repeatPart(let start, let end): start >= 0 && end - start >= 100 ? nil : "InvalidArgs"
    case .setLoop(let mode): MPRISLoopStatus(rawValue: ModelClient.loopWord(mode)) == nil ? "InvalidArgs" : nil
    case .setRate(let rate):
      rate == 0 || (before.minimumRate...before.maximumRate).contains(Double(rate) / 100) ? nil : "InvalidArgs"
    case .observePeriodically(let interval): interval < 10 ? "InvalidArgs" : nil
    case .observeTimes(let times): times.isEmpty || times.contains { $0 < 0 } ? "InvalidArgs" : nil
    case .observeFractions(let fractions):
      fractions.isEmpty || fractions.contains { !(0...1_000).contains($0) } ? "InvalidArgs" : nil
    default: nil
    }
  }

  /// Whether the service may refuse the call for another reason: a limit, or an observer that does not exist.
  var mayFail: Bool {
    switch self {
    case .observePeriodically, .observeTimes, .observeFractions, .removeObserver: true
    case .repeatPart, .save: true
    default: false
    }
  }

  /// Returns the fault of the state after a call that succeeded; nil if it is the requested one.
  fileprivate func fault(
    _ before: MPRISSnapshot, _ after: MPRISSnapshot, isKept: Bool, isHeldAtEnd: Bool, within range: Range<Duration>?,
    _ oldTracks: [MPRISTrackID], _ newTracks: [MPRISTrackID]
  ) -> String? {
    let hasMoved = before.track != after.track || oldTracks.count <= 1
    let same: String? = isKept ? nil : "the state has changed"
    switch self {
    case .next: return before.canGoNext ? (hasMoved ? nil : "the track is the same") : same
    case .previous: return before.canGoPrevious ? (hasMoved ? nil : "the track is the same") : same
    case .pause:
      guard before.canPause, before.status == .playing else { return same }
      return after.status == .paused ? nil : "not paused"
    case .play:
      guard before.canPlay, before.status != .playing else { return same }
      return after.status == .playing ? nil : "not playing"
    case .playPause:
      guard before.canPause, before.canPlay || before.status == .playing else { return same }
      return after.status == (before.status == .playing ? .paused : .playing) ? nil : "not toggled"
    case .stop:
      guard before.status != .stopped else { return same }
      return after.status == .stopped ? nil : "not stopped"
    case .seek(let offset):
      guard before.canSeek, before.track != nil else { return same }
      var target = max(.zero, before.position + .milliseconds(offset))
      if let range, before.metadata.length.map({ target <= $0 }) ?? true {
        if target >= range.upperBound, before.position >= range.upperBound { return nil }
        target = min(max(range.lowerBound, target), range.upperBound)
      }
      guard let length = before.metadata.length, target > length else { return after.position(at: target) }
      return before.canGoNext ? (hasMoved ? nil : "the track is the same") : after.status == .stopped ? nil : "plays on"
    case .setPositionElsewhere: return same
    case .setVolume(let percent):
      let volume = min(max(0, Double(percent) / 100), before.maximumVolume)
      return abs(after.volume - volume) < 1e-5 ? nil : "the volume is \(after.volume)"
    case .setRate(let percent):
      guard percent != 0 else { return before.canPause && before.status == .playing ? nil : same }
      return after.rate == Double(percent) / 100 ? nil : "the rate is \(after.rate)"
    case .setLoop(let mode): return after.loop.rawValue == ModelClient.loopWord(mode) ? nil : "\(after.loop)"
    case .setShuffle(let isOn): return after.shuffle == isOn ? nil : "shuffle is \(after.shuffle)"
    case .open: return after.status == .playing ? nil : "not playing"
    case .removeTrack: return newTracks.count <= oldTracks.count ? nil : "the list has grown"
    case .stopAfterCurrent: return isHeldAtEnd ? nil : same
    case .consume, .stopRepeating, .sleepTimer, .refreshOutputs, .status, .queue, .playlistNames,
      .playlistURI, .configuration, .recording, .playlists:
      return same
    case .clear: return after.status == .stopped && newTracks.isEmpty ? nil : "the queue is not empty"
    case .position, .trackMetadata, .observePeriodically, .observeTimes, .observeFractions, .removeObserver: return same
    default: return nil
    }
  }
}

extension MPRISSnapshot {
  fileprivate func position(at target: Duration) -> String? {
    abs((position - target).microseconds) <= 1_000 ? nil : "the position is \(position), not \(target)"
  }
}
