import TestSupport
import Testing

@testable import Playback

/// The table of transitions, compared with a search through all inputs in all states.
@Suite("Table of the stream's transitions") struct TransitionTableTests {
  @Test("The table lists the transitions that inputs cause, and no others")
  func table() throws {
    var search = TransitionSearch()
    search.run()
    try TransitionTable.document.expect(TransitionTable(search.transitions).text)
  }

  @Test(
    "An event of an earlier stream is ignored",
    arguments: [StreamState.none, .loading, .running, .released, .outputLost])
  func staleEvents(state: StreamState) {
    var harness = MachineHarness(configuration: Player.Configuration(releaseOutputAfter: .seconds(5)))
    harness.start()
    let old = harness.token
    switch state {
    case .loading: _ = harness.next()
    case .running:
      _ = harness.next()
      harness.settle()
      harness.run()
    case .released:
      _ = harness.pause()
      harness.advance(.seconds(5))
    case .outputLost: harness.fail(.output)
    default: _ = harness.stop()
    }
    #expect(harness.streamState == state)
    for event in TransitionSearch.streamEvents(of: old, at: .seconds(1)) {
      #expect(harness.report(event).isEmpty, "\(event)")
    }
    #expect(harness.offer(after: old) == nil)
    #expect(harness.streamState == state)
  }
}

/// A search for transitions: every input in every state that inputs lead to.
///
/// Two states are the same if their outlines are, so the search ends. For a broadcast, two orders of the search reach states
/// that differ in values that the outlines leave out. The random tests of the machine check the table too.
struct TransitionSearch {
  private typealias Start = (scheme: String, loop: Player.LoopMode, action: Player.ActionAtItemEnd)

  /// The values that a rule might check before an input that only describes an item or changes a setting.
  private struct Situation: Hashable {
    var state: StreamState
    var intent: PlaybackMachine.Intent
    var isLocal: Bool?
    var isSeeking, isLive, hasSuccessor, hasEnded: Bool

    init(_ outline: MachineHarness.Outline) {
      (state, intent, isLocal) = (outline.state, outline.intent, outline.isLocal)
      (isSeeking, isLive) = (outline.isSeeking, outline.isLive)
      (hasSuccessor, hasEnded) = (outline.hasSuccessor, outline.hasEnded)
    }
  }

  private(set) var transitions: Set<StreamTransition> = []
  private(set) var states = 0
  private var seen: Set<MachineHarness.Outline> = []
  private var situations: Set<Situation> = []
  private var pending: [MachineHarness] = []

  mutating func run() {
    let broadcast: Start = ("http", .none, .advance)
    run(
      [("file", .none, .advance), ("file", .track, .advance), ("file", .none, .none), broadcast], newestFirst: true)
    seen = []
    run([broadcast], newestFirst: false)
  }

  private mutating func run(_ starts: [Start], newestFirst isNewestFirst: Bool) {
    for start in starts {
      let limit = Duration.seconds(2)
      var configuration = Player.Configuration(
        loadTimeout: limit, releaseOutputAfter: limit, networkTimeout: limit, reconnectTimeout: limit * 2,
        fade: start.loop == .track ? .zero : .milliseconds(200))
      configuration.shuffleSeed = 1
      var harness = MachineHarness(3, at: 1, loop: start.loop, configuration: configuration, scheme: start.scheme)
      harness.decide(.setActionAtItemEnd(start.action))
      visit(harness)
    }
    while !pending.isEmpty {
      let harness = isNewestFirst ? pending.removeLast() : pending.removeFirst()
      states += 1
      let isNew = situations.insert(Situation(harness.outline)).inserted
      let inputs = Self.commands(for: harness) + Self.events(for: harness)
      for input in isNew ? inputs + Self.descriptions(for: harness) : inputs {
        var next = harness
        next.decide(input)
        // A pause by the server has the outline of one by a command, and another end.
        if case .event(.output(.pauseRequested)) = input {
          var resumed = next
          resumed.report(.output(.resumeRequested))
          transitions.formUnion(resumed.transitions)
        }
        // The settings of each start are kept.
        switch input {
        case .setActionAtItemEnd, .setLoop: transitions.formUnion(next.transitions)
        default: visit(next)
        }
      }
      wait(harness)
    }
  }

  /// Notes the transitions that led to a state, and adds the state if it is another one.
  private mutating func visit(_ harness: MachineHarness) {
    transitions.formUnion(harness.transitions)
    guard seen.insert(harness.outline).inserted else { return }
    var harness = harness
    harness.report(.stream(harness.token, .audioTracks([AudioTrack(), AudioTrack()], current: 0)))
    harness.forget()
    pending.append(harness)
  }

  /// Wakes the machine up at each instant that it requests, with a position that advances, that stands, or
  /// that is not measured.
  private mutating func wait(_ start: MachineHarness) {
    for answer in ["advancing", "standing", nil] {
      var harness = start
      let held = harness.position
      for _ in 0..<10 {
        guard let wake = harness.nextWake else { break }
        harness.now = max(harness.now, wake)
        let effects = harness.decide(.wake)
        visit(harness)
        guard let answer, effects.contains(.command(.samplePosition(of: harness.token))) else { continue }
        harness.sample(answer == "standing" ? held : harness.position)
        visit(harness)
      }
    }
  }

  // MARK: Inputs

  private static let output = AudioOutput(id: "other", name: "", isDefault: false, sinkDescription: "other")

  private static func commands(for harness: MachineHarness) -> [PlaybackInput] {
    let (ids, ticket) = (harness.queue.prefix(3).map(\.id), SeekTicket(number: 1))
    let scheme = harness.items[0].uri.prefix(4)
    let new = Player.Item(uri: "\(scheme):///new")
    let clip = Player.Item(uri: "\(scheme):///clip", externalMetadata: nil, start: .seconds(1), end: .seconds(2))
    let places = ids.flatMap { [PlaybackInput.playItem($0), .remove($0), .insert([new], after: $0), .move($0, to: 0)] }
    let settings =
      Player.LoopMode.allCases.map { PlaybackInput.setLoop($0) }
      + Player.ActionAtItemEnd.allCases.map { .setActionAtItemEnd($0) }
    return places + settings + [
      .play, .prepare, .stop, .advance(by: 1), .advance(by: -1), .pause(fading: true), .pause(fading: false),
      .cancelPendingSeeks,
      .playImmediately(rate: 1), .playImmediately(rate: 2), .seek(to: .zero, within: .zero, ticket),
      .seek(to: .seconds(5), within: .infinity, ticket), .setRate(2), .setRate(1),
      .setAudioOutput(output), .setAudioOutput(nil), .setShuffled(true), .setAutomaticallyWaits(false),
      .setCrossfade(Player.Crossfade(length: .seconds(2), skipLength: .seconds(1))), .selectAudioTrack(0),
      .selectAudioTrack(1),
      .replaceQueue([]), .replaceQueue([new]), .replaceQueue([clip]), .insertAtStart([new]), .remove(Set(ids)),
    ]
  }

  /// The open streams, and the positions of their events.
  private static func streams(of harness: MachineHarness) -> [(StreamToken, at: Duration)] {
    let fading = harness.openStreams.filter { $0 != harness.token && harness.machine.loaded.successors[$0] == nil }
    let others = ([harness.lastSuccessor].compactMap(\.self) + fading).map { ($0, at: Duration.zero) }
    return [(harness.token, at: harness.position)] + others
  }

  private static func events(for harness: MachineHarness) -> [PlaybackInput] {
    let other: [EngineEvent] = [
      .output(.failed(PlayerError(code: .output, message: ""))), .output(.fadeOutEnds(in: .zero)),
      .output(.removed("other")), .output(.added("other")), .output(.unplugged("other")),
      .output(.suspended),
      .output(.pauseRequested), .output(.resumeRequested), .output(.found), .replaced, .starting(true),
      .starting(false),
    ]
    return (streams(of: harness).flatMap { changes(of: $0.0, at: $0.at) } + other).map { .event($0) }
  }

  /// The inputs that describe an item or the output, or change a setting of later items.
  private static func descriptions(for harness: MachineHarness) -> [PlaybackInput] {
    let streams = streams(of: harness)
    let other: [EngineEvent] = [
      .output(.inUse("other")), .output(.volumeChanged(volume: 0.5, isMuted: false)),
      .output(.opened(isSilent: true)), .warning(""),
    ]
    let events = streams.flatMap { descriptions(of: $0.0) } + other
    let reports = streams.map { PlaybackInput.loudness(.silence(from: .seconds(10), of: $0.0)) }
    return events.map { .event($0) } + reports + [
      .sampleForReader, .progress(StreamProgress(), of: harness.token), .setDefaultRate(2), .setVolume(0),
      .setMuted(true), .setForwardBuffer(.seconds(9)), .setNetworkTimeout(.seconds(9)), .setAudioLanguages(["de"]),
      .setLowPowerMode(true), .setTimePitch(.varispeed),
    ]
  }

  /// Every event of a stream, with the values that the rules distinguish.
  static func streamEvents(of stream: StreamToken, at position: Duration) -> [EngineEvent] {
    changes(of: stream, at: position) + descriptions(of: stream)
  }

  private static func descriptions(of stream: StreamToken) -> [EngineEvent] {
    let events: [StreamEvent] = [
      .redirected(to: "http:///"), .tags(MediaMetadata(), about: .stream), .titleStarts("", at: .zero),
      .timedTag(ID3Metadata(fields: MediaMetadata(), frames: []), at: .zero), .timedTagsFlushed, .songEnded,
      .chapters([]), .leftOut(""), .interrupted(""), .audioTracks([AudioTrack(), AudioTrack()], current: 0),
    ]
    return events.map { .stream(stream, $0) }
  }

  private static func changes(of stream: StreamToken, at position: Duration) -> [EngineEvent] {
    let (duration, progress) = (Duration.seconds(10), StreamProgress())
    var cut = PlayerError(code: .networkCut, message: "")
    cut.isFromSource = true
    let errors =
      [PlayerError.Code.corrupt, .output, .networkRefused].map { PlayerError(code: $0, message: "") } + [cut]
    let facts = [
      StreamFacts(duration: duration, progress: .decoded(until: .seconds(9))),
      StreamFacts(duration: nil, isSeekable: false), StreamFacts(duration: nil, isSeekable: false, isLive: true),
    ]
    return facts.map { .stream(stream, .settled($0)) } + errors.map { .stream(stream, .failed($0)) } + [
      .audible(stream, at: position), .audible(stream, at: nil),
      .stream(stream, .readingOn), .stream(stream, .seekRefused(position: position)),
      .stream(stream, .seekRefused(position: duration)),
      .stream(stream, .sampled(position: position, progress)), .stream(stream, .sampled(position: duration, progress)),
      .stream(stream, .progressed(.decoded(until: duration))), .stream(stream, .ranOut(.ended(at: duration))),
      .audible(stream, at: .zero), .stream(stream, .read), .stream(stream, .ended(at: duration)),
      .stream(stream, .ended(at: nil)), .stream(stream, .startMissed(position: position)),
      .stream(stream, .startMissed(position: duration)), .stream(stream, .durationChanged(duration)),
      .stream(stream, .durationChanged(nil)), .stream(stream, .buffering(percent: 0, progress)),
      .stream(stream, .buffering(percent: 100, .decoded(until: duration))),
      .stream(stream, .buffering(percent: 5, .decoded(until: position + .milliseconds(300)))),
    ]
  }
}
