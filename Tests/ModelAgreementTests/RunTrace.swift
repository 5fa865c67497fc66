import Simulation

@testable import Playback

/// What an engine and a player did in a run, in order, without details that are allowed to differ.
struct RunTrace: Sendable {
  /// A command, an event or a decision, with the milliseconds since the start of the run.
  struct Entry: Sendable, CustomStringConvertible {
    var instant: Int
    var text: String
    /// The times in milliseconds that belong to it.
    var times: [Int] = []

    var description: String { "\(instant) \(text) \(times)" }
  }

  private(set) var entries: [Entry] = []
  /// What depends on how far GStreamer has read ahead, and is not compared: the openings and failures of successors, the plans
  /// with them, and the measurements of the position.
  private(set) var offers: [String] = []
  /// What readers see at the end.
  private(set) var end = ""
  private(set) var endTimes: [Int] = []
  /// The milliseconds of the run.
  private let length: Int
  /// The first broken rule of the player.
  private(set) var violation: String?
  private var failed: Set<StreamToken> = []
  private var ordinals: [Player.Item.ID: Int] = [:]
  private var streams: [StreamToken: Int] = [:]
  private var wantsPlay = false
  private var status = "status paused"
  private var rate = 1.0

  /// Derives the trace from the recorded inputs of a player, up to an instant in nanoseconds.
  init(_ recording: PlaybackRecording?, until end: Int64) {
    length = recording.map { Int((end - $0.base.at) / 1_000_000) } ?? 0
    guard let recording else { return }
    var machine = recording.base.replayed
    for recorded in recording.inputs {
      let now = MonotonicTime(nanoseconds: recorded.at)
      let instant = Int((recorded.at - recording.base.at) / 1_000_000)
      if case .event(let event) = recorded.input { note(event, instant, machine.token) }
      machine.decide(recorded.input, now: now)
      for effect in machine.takeEffects() { note(effect, instant, machine.token) }
      note(machine.snapshot(at: now), instant)
      if violation == nil { violation = machine.violations.first.map { "\(instant): \($0)" } }
    }
    entries = Self.withOrderedWaits(entries)
    let seen = machine.snapshot(at: MonotonicTime(nanoseconds: end))
    self.end =
      "\(seen.transport), \(seen.timeControlStatus), item \(seen.currentIndex ?? -1) of \(seen.itemCount), "
      + "\(seen.itemStatus), rate \(seen.rate), loops \(seen.loopCount)"
    endTimes = [Self.milliseconds(seen.position), Self.milliseconds(seen.duration)]
  }

  private static func milliseconds(_ time: Duration?) -> Int {
    time.map { Int($0.wholeNanoseconds / 1_000_000) } ?? -1
  }

  /// Notes a change of the status.
  private mutating func note(_ snapshot: Player.Snapshot, _ instant: Int) {
    let text = "status \(snapshot.timeControlStatus)".replacing("Playback.Player.WaitingReason.", with: "")
    if text != status { add(instant, text) }
    status = text
  }

  /// Returns the number of a stream in the order in which streams occur, because successors that are never rendered count too.
  private mutating func number(_ stream: StreamToken) -> Int {
    let number = streams[stream] ?? streams.count + 1
    streams[stream] = number
    return number
  }

  private mutating func ordinal(_ item: Player.Item?) -> String {
    guard let item else { return "none" }
    let ordinal = ordinals[item.id] ?? ordinals.count
    ordinals[item.id] = ordinal
    return "item \(ordinal)"
  }

  private mutating func add(_ instant: Int, _ text: String, _ times: Duration?...) {
    entries.append(Entry(instant: instant, text: text, times: times.map(Self.milliseconds)))
  }

  private mutating func note(_ event: EngineEvent, _ instant: Int, _ current: StreamToken) {
    switch event {
    case .stream(let stream, let report): note(report, of: stream, instant, current)
    case .audible(let stream, let position):
      // A report may be older than a pause.
      guard wantsPlay else {
        offers.append("\(instant): audible \(stream.number)")
        return
      }
      add(instant, "< audible \(number(stream))", position)
    case .output(.fadeOutEnds(let delay)): add(instant, "< fadeOutEnds", delay)
    case .output(.failed(let error)):
      // It fails again if the plan or the command to play comes after it. The player has closed its streams then.
      if current.number != 0 { add(instant, "< output failed \(error.code.rawValue)") }
    case .replaced: add(instant, "< replaced")
    case .output, .starting, .warning: break
    }
  }

  private mutating func note(
    _ report: StreamEvent, of stream: StreamToken, _ instant: Int, _ current: StreamToken
  ) {
    switch report {
    case .settled(let facts) where stream == current:
      add(instant, "< settled \(number(stream)), seekable \(facts.isSeekable)", facts.duration, facts.position)
    case .settled, .read: offers.append("\(instant): \(stream.number) \(report)")
    case .seekRefused(let position): add(instant, "< seekRefused \(number(stream))", position)
    case .ended(let time):
      // The end of a stream may be reported when it has been closed.
      if current.number != 0 { add(instant, "< ended \(number(stream))", time) }
    case .startMissed(let position): add(instant, "< startMissed \(number(stream))", position)
    case .failed(let error):
      // The error of a source comes when the rest has been read. The further errors of a failure have no effect.
      guard !error.isFromSource, failed.insert(stream).inserted else { return }
      if stream != current {
        offers.append("\(instant): failed \(stream.number)")
      } else {
        add(instant, "< failed \(number(stream)) \(error.code.rawValue)")
      }
    case .sampled(let position, _):
      offers.append("\(instant): position of \(stream.number) \(Self.milliseconds(position))")
    case .buffering(let percent, let progress):
      offers.append(
        "\(instant): buffering of \(stream.number) \(percent) received \(progress.received ?? -1) decoded \(Self.milliseconds(progress.decoded))"
      )
    default: break
    }
  }

  private mutating func note(_ effect: Effect, _ instant: Int, _ current: StreamToken) {
    switch effect {
    case .command(let command): note(command, instant, current)
    case .finishSeek(_, let isDone): add(instant, "seek \(isDone)")
    case .emit(let event): note(event, instant)
    case .log, .announceFiles, .requestLoudness: break
    }
  }

  private mutating func note(_ command: EngineCommand, _ instant: Int, _ current: StreamToken) {
    switch command {
    case .open(let request) where request.stream == current:
      add(instant, "> open \(number(request.stream))", request.start)
    case .open, .close, .plan: offers.append("\(instant): \(command)")
    case .setPlaying(let isPlaying):
      wantsPlay = isPlaying
      add(instant, "> setPlaying \(isPlaying)")
    case .seek(let stream, let target, let isExact):
      add(instant, "> seek \(number(stream)) exact \(isExact)", target)
    case .settings(let settings):
      if settings.rate != rate { add(instant, "> rate \(settings.rate)") }
      rate = settings.rate
    case .fade(let direction): add(instant, "> fade \(direction)")
    default: break
    }
  }

  private mutating func note(_ event: Player.Event, _ instant: Int) {
    switch event {
    case .changed, .warning, .chapterChanged: break
    case .currentItemChanged(let old, let new): add(instant, "current \(ordinal(old)) → \(ordinal(new))")
    case .itemRepeated(let item, let count): add(instant, "repeated \(ordinal(item)) \(count)")
    case .timeJumped(let from, let to): add(instant, "jumped", from, to)
    case .itemDidPlayToEnd(let item): add(instant, "end \(ordinal(item))")
    case .itemFailed(let item, let error): add(instant, "failed \(ordinal(item)) \(error.code.rawValue)")
    case .playbackStalled(let item): add(instant, "stalled \(ordinal(item))")
    case .playbackResumed(let item, let position): add(instant, "resumed \(ordinal(item))", position)
    case .outputFailed(let error): add(instant, "output failed \(error.code.rawValue)")
    case .queueEnded: add(instant, "queue ended")
    }
  }
}

extension RunTrace {
  /// The first difference of two traces: the index of its entry, and its text.
  struct Difference {
    var index: Int
    var text: String
  }

  /// Returns the first difference of two traces, with the entries before it; nil if there is none.
  ///
  /// If `allowsDelay`, an entry may be as late as the one before it, beside the tolerance: a wait for a server that was
  /// longer delays everything after it.
  ///
  /// An entry that is due at the end of the run may be missing, with its consequences.
  func difference(from other: RunTrace, tolerance: Int, allowsDelay: Bool = false) -> Difference? {
    var delay = 0
    for index in 0..<max(entries.count, other.entries.count) {
      let (mine, theirs) = (entries[safe: index], other.entries[safe: index])
      if let mine, let theirs, mine.agrees(with: theirs, tolerance, delay) {
        if allowsDelay { delay = mine.instant - theirs.instant }
        continue
      }
      if [mine, theirs].allSatisfy({ $0.map { $0.instant > length - tolerance } ?? true }) { return nil }
      let before = entries[max(0, index - 12)..<min(index, entries.count)].map { "    \($0)" }
      let after = { (trace: RunTrace) in trace.entries.dropFirst(index).prefix(6).map { "    \($0)" } }
      let lines = ["entry \(index)"] + before + ["  model"] + after(self) + ["  GStreamer"] + after(other)
      return Difference(index: index, text: lines.joined(separator: "\n"))
    }
    if end != other.end { return Difference(index: entries.count, text: "end \(end), \(other.end)") }
    for (mine, theirs) in zip(endTimes, other.endTimes) where abs(mine - theirs) > tolerance {
      return Difference(index: entries.count, text: "end \(endTimes), \(other.endTimes)")
    }
    return nil
  }
}

extension RunTrace.Entry {
  fileprivate func agrees(with other: RunTrace.Entry, _ tolerance: Int, _ delay: Int) -> Bool {
    let late = instant - other.instant
    return text == other.text && min(abs(late), abs(late - delay)) <= tolerance && times.count == other.times.count
      && zip(times, other.times).allSatisfy { time, real in
        // After a seek to the very end, some demuxers do not know the position.
        abs(time - real) <= tolerance
          || min(time, real) == -1 && (text.hasPrefix("< settled") || text.hasPrefix("< audible"))
      }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
