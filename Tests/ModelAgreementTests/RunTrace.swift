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
  /// The requests for successors, their failures, and the measurements of the position.
  ///
  /// The times of the requests depend on how far GStreamer has read ahead, so they are not compared.
  private(set) var offers: [String] = []
  /// What readers see at the end.
  private(set) var end = ""
  private(set) var endTimes: [Int] = []
  /// The milliseconds of the run.
  private let length: Int
  /// The first broken rule of the player.
  private(set) var violation: String?
  private var failed: Set<StreamToken> = []
  /// The streams whose source has failed.
  private var cut: Set<StreamToken> = []
  private var ordinals: [Player.Item.ID: Int] = [:]
  private var streams: [StreamToken: Int] = [:]
  private var wantsPlay = false
  private var status = "status paused"
  /// Whether a command is to be answered by a preroll.
  private var awaitsPreroll = false

  /// Derives the trace from the recorded inputs of a player, up to an instant in nanoseconds.
  init(_ recording: PlaybackRecording?, until end: Int64) {
    length = recording.map { Int((end - $0.base.at) / 1_000_000) } ?? 0
    guard let recording else { return }
    var machine = recording.base.replayed
    for recorded in recording.inputs {
      let now = MonotonicTime(nanoseconds: recorded.at)
      let instant = Int((recorded.at - recording.base.at) / 1_000_000)
      if case .event(let event) = recorded.input { note(event, instant, machine.token) }
      let next = machine.decide(recorded.input, now: now)
      if case .offerNext(let stream) = recorded.input {
        offers.append("\(instant): \(stream.number) → \(next?.stream.number ?? 0)")
      }
      for effect in machine.takeEffects() { note(effect, instant) }
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
    case .settled(let stream, let facts):
      // While a successor is opened, GStreamer repeats the report.
      guard awaitsPreroll else { return }
      awaitsPreroll = false
      add(instant, "< settled \(number(stream)), seekable \(facts.isSeekable)", facts.duration, facts.position)
    case .running(let stream, let position):
      // After a seek, the pipeline may run again before it is paused.
      guard wantsPlay else {
        offers.append("\(instant): running \(stream.number)")
        return
      }
      add(instant, "< running \(number(stream))", position)
    case .seekRefused(let stream, let position): add(instant, "< seekRefused \(number(stream))", position)
    case .nextStarted(let stream, let delay, let facts, let end):
      add(instant, "< nextStarted \(number(stream)), seekable \(facts.isSeekable)", delay, facts.duration, end)
    case .endFound(let stream, let time): add(instant, "< endFound \(number(stream))", time)
    case .ended(let stream):
      // The end of a stream may be reported when it has been unloaded.
      if current.number != 0 { add(instant, "< ended \(number(stream))") }
    case .startMissed(let stream, let position): add(instant, "< startMissed \(number(stream))", position)
    case .failed(let stream, let error):
      // The error of a source comes when the rest has been read. The further errors of a failure have no effect.
      if error.isFromSource { cut.insert(stream) }
      guard !error.isFromSource, failed.insert(stream).inserted else { return }
      if stream != current {
        offers.append("\(instant): failed \(stream.number)")
      } else {
        add(instant, "< failed \(number(stream)) \(error.code.rawValue)")
      }
    case .sampled(let stream, let position, _):
      offers.append("\(instant): position of \(stream.number) \(Self.milliseconds(position))")
    case .buffering(let stream, let percent, let progress):
      offers.append(
        "\(instant): buffering of \(stream.number) \(percent) received \(progress.received ?? -1) decoded \(Self.milliseconds(progress.decoded))"
      )
    case .fadeOutEnds(let delay): add(instant, "< fadeOutEnds", delay)
    case .replaced: add(instant, "< replaced")
    default: break
    }
  }

  private mutating func note(_ effect: Effect, _ instant: Int) {
    switch effect {
    case .command(let command): note(command, instant)
    case .finishSeek(_, let isDone): add(instant, "seek \(isDone)")
    case .emit(let event): note(event, instant)
    case .log: break
    }
  }

  private mutating func note(_ command: EngineCommand, _ instant: Int) {
    switch command {
    case .load, .seek, .setPlaying(false): awaitsPreroll = true
    case .unload: awaitsPreroll = false
    default: break
    }
    switch command {
    case .setPlaying(let isPlaying): wantsPlay = isPlaying
    case .load, .unload: wantsPlay = false
    default: break
    }
    switch command {
    case .load(_, let stream, _): add(instant, "> load \(number(stream))")
    case .unload: add(instant, "> unload")
    case .setPlaying(let isPlaying): add(instant, "> setPlaying \(isPlaying)")
    case .seek(let target, let rate, let isExact, let end, _):
      add(instant, "> seek rate \(rate) exact \(isExact) end \(end != nil)", target, end)
    case .endStream(let stream, let time): add(instant, "> endStream \(number(stream))", time)
    case .withdraw(let stream):
      if failed.contains(stream) || cut.contains(stream) {
        offers.append("\(instant): withdraw \(stream.number)")
      } else {
        add(instant, "> withdraw \(number(stream))")
      }
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
          || min(time, real) == -1 && (text.hasPrefix("< settled") || text.hasPrefix("< running"))
      }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
