import DBus
import MPRISService
import Playback
import PlayerdInterfaces

@testable import PlayerdService
@testable import PlayerdStorage

/// The playlists that a run has, by number: those below 4 are written by other programs, and all may be saved.
enum PlaylistChecks {
  static let folder = "/playlists"

  static func name(_ number: Int) -> String { number < 4 ? "list \(number)" : number < 8 ? "saved \(number)" : "none" }
  static func file(_ number: Int) -> String { name(number) + (number < 4 ? ".m3u" : ".m3u8") }
  static func id(_ file: String) -> ObjectPath { PlaylistFile.id(of: Array(file.utf8)) }
  static func order(_ order: Int) -> String { ["Alphabetical", "Modified", "Played", "Colour"][abs(order) % 4] }
}

/// A part of a track that is repeated.
struct Repetition {
  var item: Player.Item
  var part: Range<Duration>
  /// Whether playback has been before the end of the part since the last command.
  var isWithin = false
}

extension ClientCall {
  /// Whether the reply may come after those of later calls.
  var isDeferred: Bool {
    switch self {
    case .queue, .chooseOutput, .recording, .openAll, .save: true
    case .nonsense(let number): Nonsense.all[number % Nonsense.all.count].member == "Save"
    default: false
    }
  }
}

/// Checks Playlists, Extras1 and Control1.
extension ServiceChecks {
  private var disk: SimulatedDisk { service.disk }

  /// The files of the playlists in the order by name.
  private var lists: [String] {
    disk.names(in: PlaylistChecks.folder).filter { $0.hasSuffix(".m3u") || $0.hasSuffix(".m3u8") }
  }

  private static func title(_ file: String) -> String { String(file.prefix { $0 != "." }) }

  /// Returns the error that the state before a call requires.
  func refusal(of call: ClientCall, _ handled: Handled) -> String? {
    let valid = handled.items.indices
    switch call {
    case .activatePlaylist(let number): return lists.contains(PlaylistChecks.file(number)) ? nil : "InvalidArgs"
    case .removeTracks(let indices): return indices.allSatisfy(valid.contains) ? nil : "InvalidArgs"
    case .moveTrack(let from, let to): return valid.contains(from) && valid.contains(to) ? nil : "InvalidArgs"
    case .playTrack(let index): return valid.contains(index) ? nil : "InvalidArgs"
    case .reload: return service.isConfigurationValid ? nil : "InvalidArgs"
    case .openAll(_, let placement, _): return ModelClient.placement(placement).isPlacement ? nil : "InvalidArgs"
    default: return nil
    }
  }

  /// Checks a call that has succeeded at once.
  func checkDaemonCall(_ call: ClientCall, _ handled: Handled, _ reply: BusMessage) {
    let state = service.parts.bridge.player.snapshot
    let extras = service.parts.extras.snapshot(of: state)
    let value = reply.values.first
    var fault: String?
    switch call {
    case .sleepTimer(let time, let isAfterTrack):
      let deadline = time == 0 ? nil : Int64(time) * 1_000 + world.now / 1_000
      if extras.sleepDeadline != deadline { fault = "the deadline is \(extras.sleepDeadline ?? 0)" }
      if deadline != nil, extras.sleepsAfterTrack != isAfterTrack { fault = "after the track is \(!isAfterTrack)" }
    case .repeatPart(let start, let end):
      let part = Duration.milliseconds(start)..<Duration.milliseconds(end)
      if extras.abRepeat != part { fault = "the part is \(extras.abRepeat.map { "\($0)" } ?? "none")" }
      if let item = state.currentItem { repetition = Repetition(item: item, part: part) }
    case .stopRepeating:
      if extras.abRepeat != nil { fault = "the part is still repeated" }
      repetition = nil
    case .stopAfterCurrent(let stops):
      if extras.stopsAfterCurrent != stops { fault = "StopAfterCurrent is \(extras.stopsAfterCurrent)" }
    case .consume(let isOn): if extras.consumes != isOn { fault = "Consume is \(extras.consumes)" }
    case .nextChapter, .previousChapter: fault = chapterFault(call, handled.player, state)
    case .removeTracks(let indices):
      let removed = Set(indices)
      let kept = handled.items.indices.filter { !removed.contains($0) }.map { handled.items[$0] }
      if service.parts.bridge.player.items != kept { fault = "the other tracks have changed" }
    case .moveTrack(let from, let to):
      var items = handled.items
      items.insert(items.remove(at: from), at: to)
      if service.parts.bridge.player.items != items { fault = "the order is another one" }
    case .playTrack(let index):
      if state.currentItem != handled.items[index] || state.transport != .playing { fault = "the track does not play" }
    case .setMuted(let isMuted): if state.isMuted != isMuted { fault = "muted is \(state.isMuted)" }
    case .reload: fault = service.reloadFault
    case .status: checkStatus(handled, value?.entries ?? [])
    case .playlists(let order, let isReversed, let from, let count):
      checkPlaylists(value?.playlists ?? [], order, isReversed, from, count)
    case .playlistNames:
      let (names, expected) = (value?.asStrings ?? [], lists.map(Self.title))
      require(.playlistsFollowFolder, names == expected, "GetPlaylists returns \(names) instead of \(expected)")
    case .playlistURI(let number):
      let file = lists.first { Self.title($0) == PlaylistChecks.name(number) }
      let uri = file.map { "file://\(PlaylistChecks.folder)/\($0.replacing(" ", with: "%20"))" } ?? ""
      require(.playlistsFollowFolder, value?.asString == uri, "\(value?.asString ?? "") instead of \(uri)")
    default: break
    }
    if let fault { service.broke(.callsTakeEffect, "\(call): \(fault)") }
  }

  private func chapterFault(_ call: ClientCall, _ before: Player.Snapshot, _ after: Player.Snapshot) -> String? {
    guard before.isSeekable, before.transport != .stopped, before.itemStatus == .readyToPlay else { return nil }
    let starts = before.chapters.map(\.start)
    switch call {
    case .nextChapter:
      guard let start = starts.first(where: { $0 > before.position }) else { return nil }
      let limit = before.duration ?? start
      return after.position == min(start, limit) ? nil : "the position is \(after.position) instead of \(start)"
    default: return after.position <= before.position || starts.isEmpty ? nil : "the position is later"
    }
  }

  private func checkPlaylists(
    _ seen: [(String, DBusValue)], _ order: Int, _ isReversed: Bool, _ from: Int, _ count: Int
  ) {
    var expected = lists
    let isByDate = PlaylistChecks.order(order) == "Modified"
    if isByDate {
      let dates = expected.map { disk.modified(Array("\(PlaylistChecks.folder)/\($0)".utf8)) ?? .zero }
      expected = expected.indices.sorted { (dates[$0], $0) < (dates[$1], $1) }.map { expected[$0] }
    }
    if isReversed { expected.reverse() }
    var ids = expected.dropFirst(max(0, from)).prefix(max(0, count)).map { PlaylistChecks.id($0).rawValue }
    var found = seen.map(\.0)
    if PlaylistChecks.order(order) == "Played" {
      // The times of playback are those of the daemon.
      guard from <= 0, count >= expected.count else { return }
      ids.sort()
      found.sort()
    }
    require(.playlistsFollowFolder, found == ids, "\(found) instead of \(ids)")
  }

  private func checkStatus(_ handled: Handled, _ values: [(String, DBusValue)]) {
    let (before, state) = (handled.before, handled.player)
    let values = Dictionary(values) { $1 }
    let extras = service.parts.extras.snapshot(of: state)
    var expected: [(String, DBusValue?)] = [
      ("status", .string(before.status.rawValue)), ("loop", .string(before.loop.rawValue)),
      ("shuffle", .boolean(state.isShuffled)), ("rate", .double(state.rate)), ("muted", .boolean(state.isMuted)),
      ("volume", .double(before.volume)), ("queueCount", .int64(Int64(state.itemCount))),
      ("queueIndex", state.currentIndex.map { .int64(Int64($0)) }), ("hasNext", .boolean(state.hasNext)),
      ("hasPrevious", .boolean(state.hasPrevious)), ("output", .string(state.audioOutput?.id ?? "")),
      ("chapterCount", .int64(Int64(state.chapters.count))), ("uri", state.currentItem.map { .string($0.uri) }),
      ("stopsAfterCurrent", .boolean(extras.stopsAfterCurrent)),
      ("sleepRemaining", extras.sleepDeadline.map { .int64(max(0, $0 - world.now / 1_000)) }),
      ("repeatStart", extras.abRepeat.map { .int64($0.lowerBound.microseconds) }),
      ("repeatEnd", extras.abRepeat.map { .int64($0.upperBound.microseconds) }),
    ]
    if state.currentItem != nil { expected.append(("position", .int64(state.position.microseconds))) }
    for (key, value) in expected where values[key] != value {
      service.broke(
        .controlReadsAgree,
        "\(key) is \(values[key].map { "\($0)" } ?? "missing") instead of \(value.map { "\($0)" } ?? "nothing")")
    }
  }

  // MARK: Deferred replies

  func checkLate(_ handled: Handled, _ reply: BusMessage) {
    guard let call = handled.call else { return }
    let error = reply.kind == .error ? String(reply.error.split(separator: ".").last ?? "") : nil
    let expected = call.error(handled.before)
    require(
      .wrongCallsRefused, error == expected || expected == nil && call.mayFail,
      "\(call) is answered with \(error ?? "success")")
    guard error == nil else { return }
    switch call {
    case .queue(let from, let count): checkQueue(from, count, reply)
    case .openAll(let media, _, _):
      let report = OpenReport(reply.values.first?.asDictionary ?? [:])
      require(
        .callsTakeEffect, report.trackCount <= media.count && report.rejectionCount <= media.count,
        "\(report.trackCount) tracks of \(media.count)")
    case .save(let number, _):
      let path = "\(PlaylistChecks.folder)/\(PlaylistChecks.name(number)).m3u8"
      require(
        .callsTakeEffect, reply.values.first?.asString == path && disk.content(path) != nil, "\(path) is not there")
    default: break
    }
  }

  private func checkQueue(_ from: Int, _ count: Int, _ reply: BusMessage) {
    let (items, state) = (service.parts.bridge.player.items, service.parts.bridge.player.snapshot)
    guard reply.values.count == 3, case .array(_, let rows) = reply.values[2],
      reply.values[0].asUInt64 == state.queueRevision
    else { return }
    let expected = items.dropFirst(max(0, from)).prefix(min(500, max(0, count))).map(\.uri)
    let uris = rows.map { row in row.entries.first { $0.0 == "uri" }?.1.asString ?? "" }
    require(
      .controlReadsAgree, reply.values[1].asInt64 == Int64(items.count) && uris == Array(expected),
      "GetQueue returns \(uris) of \(items.count) tracks instead of \(expected)")
    let current = rows.filter { row in row.entries.contains { $0.0 == "current" && $0.1.asBool == true } }
    let index = current.first?.entries.first { $0.0 == "index" }?.1.asInt64
    require(
      .controlReadsAgree,
      current.count <= 1 && (index == nil || index == state.currentIndex.map { Int64($0) }),
      "track \(index ?? -1) is current instead of \(state.currentIndex ?? -1)")
  }

  // MARK: After each event

  /// Checks that a repeated part is not left without a command.
  func checkRepetition() {
    guard let repetition else { return }
    let state = world.player.internals.snapshot
    guard state.currentItem == repetition.item,
      service.parts.extras.snapshot(of: state).abRepeat == repetition.part,
      let media = world.player.media(of: repetition.item)
    else { return self.repetition = nil }
    // A seek may fail; then playback continues.
    guard media.fault == .none, state.isSeekable else { return }
    let end = repetition.part.upperBound
    if world.checker.isCommand || !repetition.isWithin {
      self.repetition?.isWithin = state.position < end
    } else if world.now - world.resumed > 1_000_000_000 {
      // After a suspension, only a measurement shows how much was played.
      require(
        .repeatStaysInPart, state.position <= end + .milliseconds(1_500) * max(1, state.rate),
        "at \(state.position) of a part until \(end)")
    }
  }

  /// Checks that the sleep timer is not overdue.
  func checkSleepTimer() {
    guard let deadline = service.sleepDeadline else { return }
    let late = world.now - max(deadline * 1_000, world.resumed)
    require(.sleepTimerPauses, late < 1_000_000_000, "the timer is \(late / 1_000_000) ms late")
  }

  /// Checks the state after the event loop's timers have run, if that ended the sleep timer.
  func checkSleepEnd(_ setting: SleepTimer.Setting) {
    let state = service.parts.bridge.player.snapshot
    require(.sleepTimerPauses, setting.deadline * 1_000 <= world.now, "the timer ends early")
    let ends = setting.isAfterTrack && state.actionAtItemEnd == .stop
    require(
      .sleepTimerPauses, state.transport != .playing || ends,
      "playback goes on; after the track is \(setting.isAfterTrack)")
  }
}

extension String {
  fileprivate var isPlacement: Bool { ["replace", "append", "next", "now"].contains(self) }
}
