import Testing

@testable import Playback

@Suite("Clips: items that play a range of their media")
struct ClipRuleTests {
  private func part(_ from: Double, _ to: Double?, of uri: String = "file:///a") -> Player.Item {
    Player.Item(uri: uri, externalMetadata: nil, start: .seconds(from), end: to.map { .seconds($0) })
  }

  /// Returns a harness that plays the first of these clips of media that lasts `media` seconds.
  private func playing(_ parts: [Player.Item], media: Double = 60) -> MachineHarness {
    var harness = MachineHarness(0)
    harness.decide(.replaceQueue(parts))
    _ = harness.play()
    harness.settle(duration: media)
    harness.run(measured: parts.first.map { Double($0.start.components.seconds) })
    return harness
  }

  @Test("A clip is opened at its start; an adjoining clip becomes current at its start in the same stream")
  func joined() {
    let parts = [part(5, 9), part(9, 12)]
    var harness = playing(parts)
    #expect(
      harness.effects.opened == [StreamRequest(uri: "file:///a", stream: harness.token, start: .seconds(5))])
    #expect(harness.plan == [PlannedPart(harness.token, end: .seconds(12))])
    #expect(harness.snapshot.duration == .seconds(4))
    #expect(harness.position == .zero)
    let effects = harness.advance(.seconds(5))
    #expect(effects.events == [.itemDidPlayToEnd(parts[0]), .currentItemChanged(from: parts[0], to: parts[1])])
    #expect(effects.engineCommands.allSatisfy { $0 == .samplePosition(of: harness.token) })
    #expect(harness.position == .seconds(1))
    #expect(harness.snapshot.duration == .seconds(3))
  }

  @Test("A refused seek leaves the position of a clip")
  func refused() {
    let parts = [part(5, 9), part(20, 25)]
    var playing = playing(parts)
    playing.advance(.seconds(1))
    _ = playing.seek(3, ticket: 1)
    let refused = playing.report(.stream(playing.token, .seekRefused(position: .seconds(6))))
    #expect(refused.events.isEmpty)
    #expect(refused.finished == [1: [false]])
    #expect(playing.position == .seconds(1))
    #expect(playing.current == parts[0])
  }

  @Test("A clip that begins beyond the end of media of unknown duration fails, and is not repeated")
  func beyondMedia() {
    let clip = part(12, 20)
    var harness = MachineHarness(0)
    harness.decide(.replaceQueue([clip]))
    harness.decide(.setLoop(.track))
    _ = harness.play()
    harness.settle(duration: nil)
    harness.run(measured: 12)
    let events = harness.report(.stream(harness.token, .ended(at: .seconds(12)))).events
    let error = PlayerError(code: .corrupt, message: "start position 12.0 seconds is beyond the end of the media")
    #expect(events.first == .itemFailed(clip, error: error))
    #expect(events.contains(.queueEnded))
  }

  @Test("A clip at the start of the media with an adjoining next clip plays without a seek")
  func firstJoined() {
    let harness = playing([part(0, 9), part(9, nil)])
    #expect(!harness.effects.engineCommands.contains { if case .seek = $0 { true } else { false } })
    #expect(harness.effects.opened == [StreamRequest(uri: "file:///a", stream: harness.token)])
    #expect(harness.plan == [PlannedPart(harness.token)])
    #expect(harness.snapshot.duration == .seconds(9))
  }

  @Test(
    "If the next clip does not adjoin, the part ends at the end of the clip",
    arguments: [(9.5, 12.0, "file:///a"), (9, 12, "file:///b"), (0, 5, "file:///a")])
  func apart(from: Double, to: Double, uri: String) {
    var harness = playing([part(5, 9), part(from, to, of: uri)])
    #expect(harness.effects.opened.map(\.start) == [.seconds(5)])
    #expect(harness.plan == [PlannedPart(harness.token, end: .seconds(9))])
    #expect(harness.advance(.seconds(6)).events.isEmpty)
    #expect(harness.end().loads == [uri])
  }

  @Test("A seek is relative to the start of the clip and is clamped to its end")
  func seek() {
    var harness = playing([part(5, 9)])
    #expect(harness.seek(2).engineCommands == [.seek(harness.token, to: .seconds(7))])
    harness.settle(duration: 60)
    #expect(harness.position == .seconds(2))
    #expect(harness.seek(100).engineCommands == [.seek(harness.token, to: .seconds(9))])
    #expect(harness.plan == [PlannedPart(harness.token, end: .seconds(9))])
  }

  @Test("At another rate, the next clip becomes current at the adjusted time")
  func rate() {
    let parts = [part(5, 9), part(9, nil)]
    var harness = playing(parts)
    harness.decide(.setRate(2))
    harness.run(measured: 5)
    #expect(harness.advance(.milliseconds(1900)).events.isEmpty)
    #expect(harness.advance(.milliseconds(200)).events.contains(.currentItemChanged(from: parts[0], to: parts[1])))
    #expect(harness.position == .milliseconds(200))
  }

  @Test("A looped clip repeats from its start")
  func loop() {
    var harness = MachineHarness(0)
    harness.decide(.replaceQueue([part(5, 9), part(9, 12)]))
    harness.decide(.setLoop(.track))
    _ = harness.play()
    harness.settle(duration: 60)
    #expect(harness.lastEffects.plan == [PlannedPart(harness.token, end: .seconds(9))])
    harness.run(measured: 5)
    #expect(harness.end().engineCommands == [.seek(harness.token, to: .seconds(5))])
  }

  @Test("A looped clip that is decoded to its end is opened again from its start, and follows itself")
  func gaplessLoop() throws {
    let clip = part(5, 9)
    var harness = playing([clip])
    harness.decide(.setLoop(.track))
    let again = try harness.requireOffer()
    #expect(again == StreamRequest(uri: "file:///a", stream: again.stream, start: .seconds(5)))
    #expect(
      harness.plan == [PlannedPart(harness.token, end: .seconds(9)), PlannedPart(again.stream, end: .seconds(9))])
    harness.settleNext(again.stream, duration: 60)
    harness.advance(.seconds(4))
    harness.end()
    let effects = harness.report(.audible(again.stream, at: .seconds(5)))
    #expect(effects.events == [.itemDidPlayToEnd(clip), .itemRepeated(clip, loopCount: 1)])
    #expect(harness.position == .zero && harness.snapshot.duration == .seconds(4))
  }

  /// An edit after which the clip from 5 to 9 s is no longer followed by the clip from 9 to 12 s.
  struct SeparatingEdit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Returns the commands that follow the end of the first clip, whose stream is the second argument.
    var commands: @Sendable (MachineHarness, StreamToken) -> [EngineCommand]
    var input: @Sendable ([Player.Item]) -> PlaybackInput

    static let all = [
      SeparatingEdit(testDescription: "loop the part") {
        [.seek($1, to: .seconds(5))]
      } input: { _ in
        .setLoop(.track)
      },
      SeparatingEdit(testDescription: "insert another item") {
        [.close($1), .open(StreamRequest(uri: "file:///b", stream: $0.token)), .plan([])]
      } input: {
        .insert([Player.Item(uri: "file:///b")], after: $0[0].id)
      },
      SeparatingEdit(testDescription: "remove the next part") {
        [.close($1), .setPlaying(false), .plan([])]
      } input: {
        .remove($0[1].id)
      },
      SeparatingEdit(testDescription: "pause at the end") { _, _ in
        [.setPlaying(false)]
      } input: { _ in
        .setActionAtItemEnd(.pause)
      },
    ]
  }

  @Test("An edit that separates adjoining clips makes the output end the clip exactly", arguments: SeparatingEdit.all)
  func parted(edit: SeparatingEdit) {
    let parts = [part(5, 9), part(9, 12)]
    var harness = playing(parts)
    let stream = harness.token
    let shorter = [PlannedPart(stream, end: .seconds(9))]
    #expect(harness.decide(edit.input(parts)).engineCommands == [.plan(shorter)])
    // The clock may be ahead of the audible position, so the end comes from the output.
    #expect(harness.advance(.milliseconds(4100)).events.isEmpty)
    let effects = harness.end()
    #expect(effects.events.first == .itemDidPlayToEnd(parts[0]))
    #expect(effects.engineCommands == edit.commands(harness, stream))
  }

  @Test("Undoing an edit makes the clips adjoin again")
  func joinedAgain() {
    let parts = [part(5, 9), part(9, 12)]
    var harness = playing(parts)
    harness.decide(.setLoop(.track))
    let effects = harness.decide(.setLoop(.none))
    #expect(effects.engineCommands == [.plan([PlannedPart(harness.token, end: .seconds(12))])])
    #expect(harness.advance(.seconds(5)).events.contains(.currentItemChanged(from: parts[0], to: parts[1])))
  }

  @Test(
    "The part ends exactly at the end of the last adjoining clip, whatever follows",
    arguments: [nil, "file:///b", "file:///a"], [0.0, 5])
  func stops(next: String?, start: Double) {
    let parts = [part(start, 9), part(9, 12), part(12, 15)] + (next.map { [part(20, nil, of: $0)] } ?? [])
    var harness = playing(parts)
    #expect(harness.effects.opened.map(\.start) == [.seconds(start)])
    #expect(harness.plan == [PlannedPart(harness.token, end: .seconds(15))])
    harness.advance(.seconds(15 - start - 0.1))
    #expect(harness.current == parts[2])
    #expect(harness.advance(.seconds(1)).events.isEmpty)
    let end = harness.end()
    #expect(end.events.first == .itemDidPlayToEnd(parts[2]))
    #expect(end.loads == [next].compactMap(\.self))
  }

  @Test("A clip without an audible sample keeps its length")
  func nothingPlayed() {
    var harness = MachineHarness(0)
    harness.decide(.replaceQueue([part(60, 70)]))
    _ = harness.play()
    harness.settle(duration: nil)
    harness.report(.audible(harness.token, at: nil))
    #expect(harness.end().events.last == .queueEnded)
    #expect(harness.snapshot.duration == .seconds(10))
  }

  @Test("The end of the media ends each remaining clip in order")
  func unnoticed() {
    let parts = [part(0, 59.99), part(59.99, nil)]
    var harness = playing(parts)
    harness.advance(.milliseconds(59_950))
    #expect(harness.current == parts[0])
    let effects = harness.end()
    #expect(
      effects.events == [
        .itemDidPlayToEnd(parts[0]), .currentItemChanged(from: parts[0], to: parts[1]), .itemDidPlayToEnd(parts[1]),
        .queueEnded,
      ])
  }

  @Test("A clip is measured before its end, and the next one begins when the output reaches it")
  func lateOutput() {
    let parts = [part(0, 100), part(100, 200), part(200, nil)]
    var harness = playing(parts, media: 300)
    // The output has stood.
    harness.advance(.seconds(99))
    #expect(harness.advance(.milliseconds(500)).engineCommands == [.samplePosition(of: harness.token)])
    #expect(harness.sample(.seconds(10)).events == [.timeJumped(from: .seconds(99.5), to: .seconds(10))])
    harness.advance(.seconds(87))
    // It is a second late, which is corrected gradually.
    harness.sample(.seconds(96))
    harness.advance(.seconds(3.999))
    #expect(harness.current == parts[0] && harness.position == .seconds(100))
    harness.advance(.milliseconds(1))
    #expect(harness.current == parts[1] && harness.position == .zero)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(1))
    // The next part is measured as well, although it is as long, and also after a seek.
    for _ in 0..<2 {
      harness.seek(to: .seconds(99))
      harness.settle(duration: 300)
      harness.run(measured: 199)
      harness.advance(.milliseconds(499))
      #expect(harness.advance(.milliseconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    }
  }

  @Test("A clip that has begun by the clock is measured until the output has reached it")
  func notReached() {
    let parts = [part(5, 9), part(9, 30)]
    var harness = playing(parts)
    harness.advance(.seconds(6))
    #expect(harness.current == parts[1] && harness.position == .seconds(2))
    // The output has stood for some seconds.
    for media in [7.5, 8.5] {
      harness.sample(.seconds(media))
      #expect(harness.advance(.seconds(1)).engineCommands.contains(.samplePosition(of: harness.token)))
    }
    harness.sample(.seconds(9.5))
    harness.advance(.seconds(1))
    harness.sample(.seconds(10.5))
    #expect(harness.position == .seconds(1.5))
    #expect(!harness.advance(.seconds(2)).engineCommands.contains(.samplePosition(of: harness.token)))
  }

  @Test("After a suspension of the process, a measurement determines whether the clip has ended")
  func uncertainty() {
    let parts = [part(0, 30), part(30, nil)]
    var harness = playing(parts)
    harness.advance(.seconds(10))
    harness.now = harness.now + .seconds(600)
    #expect(harness.decide(.wake).engineCommands == [.samplePosition(of: harness.token)])
    harness.sample(.seconds(12))
    #expect(harness.current == parts[0])
    #expect(harness.position == .seconds(12))
    harness.advance(.seconds(19))
    #expect(harness.current == parts[1])
  }

  @Test("If playback continued during a suspension of the process, one measurement shows that the clip has ended")
  func certainty() {
    let parts = [part(0, 30), part(30, nil)]
    var harness = playing(parts)
    harness.advance(.seconds(10))
    harness.now = harness.now + .seconds(22)
    #expect(harness.decide(.wake).engineCommands == [.samplePosition(of: harness.token)])
    harness.sample(.seconds(32))
    let effects = harness.decide(.wake)
    #expect(effects.engineCommands.isEmpty)
    #expect(effects.events.contains(.itemDidPlayToEnd(parts[0])))
    #expect(harness.current == parts[1])
  }

  @Test("A clip that starts beyond its media's end, or cannot be reached, fails and completes a pending seek")
  func misplaced() {
    for (media, isSeekable, code) in [(4.0, true, PlayerError.Code.corrupt), (60, false, .unknown)] {
      var harness = MachineHarness(0)
      let parts = [part(5, 9)]
      harness.decide(.replaceQueue(parts))
      _ = harness.play()
      _ = harness.seek(1, ticket: 1)
      let events = harness.settle(duration: media, isSeekable: isSeekable).events
      #expect(harness.effects.finished == [1: [false]])
      let codes = events.compactMap { if case .itemFailed(_, let error) = $0 { error.code } else { nil } }
      #expect(codes == [code])
    }
  }

  @Test("The item after the last clip is opened at its start, and its part ends at its end")
  func successors() throws {
    let cases: [([Player.Item], end: Duration?)] = [
      ([Player.Item(uri: "file:///b")], nil),
      ([part(0, 9, of: "file:///b"), part(9, nil, of: "file:///b")], nil),
      ([part(0, 9, of: "file:///b"), part(9, 12, of: "file:///b")], .seconds(12)),
      ([part(5, nil, of: "file:///b")], nil), ([part(5, 9, of: "file:///b")], .seconds(9)),
      ([part(0, 9, of: "file:///b"), part(20, 30, of: "file:///b")], .seconds(9)),
    ]
    for (next, end) in cases {
      var harness = playing([part(5, nil)] + next)
      let request = try harness.requireOffer()
      #expect(request == StreamRequest(uri: "file:///b", stream: request.stream, start: next[0].start))
      #expect(harness.plan == [PlannedPart(harness.token), PlannedPart(request.stream, end: end)])
    }
  }

  @Test(
    "A next clip that cannot be reached is closed, and fails when it is current", arguments: [(4.0, true), (60, false)])
  func misplacedSuccessor(media: Double, isSeekable: Bool) throws {
    let parts = [part(0, 9), part(5, 9, of: "file:///b")]
    var harness = playing(parts)
    let next = try harness.requireOffer()
    let effects = harness.settleNext(next.stream, duration: media, isSeekable: isSeekable)
    #expect(effects.closed == [next.stream] && effects.events.isEmpty)
    harness.advance(.seconds(9))
    #expect(harness.end().opened.map(\.start) == [.seconds(5)])
    let failed = harness.settle(duration: media, isSeekable: isSeekable).events.first
    guard case .itemFailed(parts[1], _) = failed else {
      Issue.record("no failure: \(String(describing: failed))")
      return
    }
  }

  @Test("The part of a cue sheet that follows ends with its last clip, and an edit moves that end")
  func endOfSuccessor() throws {
    let parts = [Player.Item(uri: "file:///b"), part(0, 9), part(9, 12)]
    var harness = playing(parts)
    let next = try harness.requireOffer().stream
    #expect(harness.nextPart == PlannedPart(next, end: .seconds(12)))
    let edit = harness.decide(.remove(parts[2].id))
    let plan = [PlannedPart(harness.token), PlannedPart(next, end: .seconds(9))]
    #expect(edit.engineCommands == [.plan(plan)])
    harness.settleNext(next, duration: 20)
    harness.enterNext(next)
    #expect(harness.current == parts[1])
    #expect(harness.offer() == nil)
    #expect(harness.advance(.seconds(10)).events.isEmpty)
    #expect(harness.end().events == [.itemDidPlayToEnd(parts[1]), .queueEnded])
  }

  @Test("After a gapless transition into a cue sheet, its clips follow each other")
  func gaplessCueSheet() throws {
    let parts = [Player.Item(uri: "file:///b"), part(0, 9), part(9, nil)]
    var harness = playing(parts)
    let next = try harness.requireOffer().stream
    harness.settleNext(next, duration: 20)
    harness.enterNext(next)
    harness.advance(.seconds(1))
    #expect(harness.current == parts[1])
    #expect(harness.snapshot.duration == .seconds(9))
    harness.advance(.seconds(9))
    #expect(harness.current == parts[2])
    #expect(harness.snapshot.duration == .seconds(11))
    #expect(harness.position == .seconds(1))
  }

  @Test("An edit that separates adjoining clips lets the next one be opened when the shorter part is decoded")
  func openedAfterSeparation() throws {
    let parts = [part(5, 9), part(9, 12)]
    var harness = playing(parts)
    #expect(harness.offer() == nil)
    // All of the longer part is decoded, so what follows is opened at once.
    let other = Player.Item(uri: "file:///b")
    let opened = harness.decide(.insert([other], after: parts[0].id)).opened
    #expect(opened.map(\.uri) == ["file:///b"])
    let next = try #require(opened.first?.stream)
    #expect(harness.plan == [PlannedPart(harness.token, end: .seconds(9)), PlannedPart(next)])
    harness.settleNext(next)
    harness.advance(.seconds(4))
    #expect(harness.enterNext(next).events.first == .itemDidPlayToEnd(parts[0]))
    #expect(harness.current == other && harness.position == .zero)
  }
}
