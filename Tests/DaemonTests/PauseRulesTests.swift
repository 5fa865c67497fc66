import DBus
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService

@Suite("Pausing other players, and pausing for them")
struct PauseRulesTests {
  private typealias Event = PauseRules.Event
  private typealias Step = PauseRules.Step

  private static let firefox: BusName = ":1.10"
  private static let vlc: BusName = ":1.11"
  private static let start = PauseRules.Instant.now

  /// Returns the steps of events, each with its time in seconds.
  private func steps(_ policy: PauseRules.Policy, _ events: [(Double, Event)]) -> [Step] {
    var rules = PauseRules()
    return events.flatMap { rules.steps(for: $1, policy, at: Self.start.advanced(by: .seconds($0))) }
  }

  private func policy(_ pausesOthers: Bool, _ forOthers: PauseForOthers = .off) -> PauseRules.Policy {
    PauseRules.Policy(pausesOthers: pausesOthers, forOthers: forOthers)
  }

  @Test("At each start, pause-others pauses the players that play then, and no others")
  func pausesOthers() {
    let events: [(Double, Event)] = [
      (0, .began(isPlaying: false, isStart: false)), (0, .found(Self.firefox, isPlaying: true)),
      (0, .found(Self.vlc, isPlaying: false)), (1, .own(isPlaying: true)), (2, .other(Self.firefox, isPlaying: false)),
      (3, .own(isPlaying: false)), (4, .other(Self.vlc, isPlaying: true)), (5, .own(isPlaying: true)),
      // A player that starts later, and another report of the same status, cause nothing.
      (6, .other(Self.firefox, isPlaying: true)), (7, .own(isPlaying: true)),
    ]
    #expect(
      steps(policy(true), events)
        == [.stopWaiting, .pauseOther(Self.firefox), .stopWaiting, .pauseOther(Self.vlc)])
    #expect(steps(policy(false), events) == [.stopWaiting, .stopWaiting])
  }

  @Test("A start before the first event pauses the players that are found; playback at a reload does not")
  func found() {
    for isStart in [true, false] {
      #expect(
        steps(
          policy(true),
          [(0, .began(isPlaying: true, isStart: isStart)), (0, .found(Self.firefox, isPlaying: true))])
          == (isStart ? [.pauseOther(Self.firefox)] : []))
    }
  }

  @Test("With pause-for-others, another player's start pauses this one, which resumes only if that is set")
  func pausesForOthers() {
    let events: [(Double, Event)] = [
      (0, .began(isPlaying: true, isStart: true)), (1, .other(Self.firefox, isPlaying: true)),
      (1, .own(isPlaying: false)), (9, .other(Self.firefox, isPlaying: false)), (10, .waited),
    ]
    #expect(steps(policy(false, .pause), events) == [.pause(for: Self.firefox)])
    #expect(steps(policy(false, .resume), events) == [.pause(for: Self.firefox), .wait, .resume])
    #expect(steps(policy(true, .off), events).isEmpty)
  }

  @Test("Another player that leaves the bus has stopped, and one that is new and plays has started")
  func gone() {
    #expect(
      steps(
        policy(false, .resume),
        [
          (0, .began(isPlaying: true, isStart: true)), (1, .other(Self.vlc, isPlaying: true)),
          (1, .own(isPlaying: false)), (2, .gone(Self.vlc)), (3, .waited),
        ]) == [.pause(for: Self.vlc), .wait, .resume])
  }

  @Test("A player that was paused or stopped is not paused for another one, and does not resume after it")
  func notPlaying() {
    #expect(
      steps(
        policy(true, .resume),
        [
          (0, .began(isPlaying: false, isStart: true)), (1, .other(Self.firefox, isPlaying: true)),
          (2, .other(Self.firefox, isPlaying: false)), (3, .waited),
        ]
      ).isEmpty)
  }

  @Test("Playback resumes after the last of the other players, and not between two tracks of one")
  func lastOther() {
    #expect(
      steps(
        policy(false, .resume),
        [
          (0, .began(isPlaying: true, isStart: true)), (1, .other(Self.firefox, isPlaying: true)),
          (1, .own(isPlaying: false)), (2, .other(Self.vlc, isPlaying: true)),
          (3, .other(Self.firefox, isPlaying: false)), (4, .other(Self.vlc, isPlaying: false)),
          (4.2, .other(Self.vlc, isPlaying: true)), (5, .waited), (6, .other(Self.vlc, isPlaying: false)), (7, .waited),
        ])
        == [
          .pause(for: Self.firefox), .stopWaiting, .stayPaused(for: Self.vlc), .wait, .stopWaiting, .wait, .resume,
        ])
  }

  @Test("A player that starts again within a second after this one has paused it does not pause this one")
  func reaction() {
    for (delay, steps) in [(0.5, [Step]()), (1.5, [.pause(for: Self.firefox)])] {
      let all = self.steps(
        policy(true, .pause),
        [
          (0, .began(isPlaying: false, isStart: false)), (0, .found(Self.firefox, isPlaying: true)),
          (1, .own(isPlaying: true)), (1.1, .other(Self.firefox, isPlaying: false)),
          (1 + delay, .other(Self.firefox, isPlaying: true)),
        ])
      #expect(all == [.stopWaiting, .pauseOther(Self.firefox)] + steps)
    }
  }

  @Test("Two players that resume after each other end with the other one's playback")
  func mutualResume() {
    #expect(
      steps(
        policy(false, .resume),
        [
          (0, .began(isPlaying: true, isStart: true)), (1, .other(Self.vlc, isPlaying: true)),
          (1, .own(isPlaying: false)), (1.1, .other(Self.vlc, isPlaying: false)), (2.1, .waited),
          (2.1, .own(isPlaying: true)), (2.2, .other(Self.vlc, isPlaying: true)), (2.2, .own(isPlaying: false)),
          (2.3, .other(Self.vlc, isPlaying: false)), (3.3, .waited),
        ]) == [.pause(for: Self.vlc), .wait, .resume, .stopWaiting, .pause(for: Self.vlc)])
  }

  @Test("More than 64 other players are ignored")
  func limit() throws {
    var rules = PauseRules()
    _ = rules.steps(for: .began(isPlaying: true, isStart: true), policy(true), at: Self.start)
    var paused = 0
    for number in 0..<100 {
      let other = try BusName(":1.\(number)")
      paused += rules.steps(for: .found(other, isPlaying: true), policy(true), at: Self.start).count
    }
    #expect(paused == PauseRules.limit)
  }
}

/// Several programs on a bus that orders their signals: with these rules, or with simple ones of other programs.
@Suite("Programs that pause each other", .seeded) struct PauseExchangeTests {
  /// A program that plays, or pauses others, in its own way.
  private struct Program {
    var rules = PauseRules()
    var policy = PauseRules.Policy()
    /// Whether it is this player; another program reacts to what it receives without an order or a limit.
    var isOurs: Bool
    var isPlaying = false
    /// Of this player: whether the coordinator knows another player as the reason of the pause.
    var isPausedForOther = false
    var waits: Double?
    var delay: Double
    var pausedFor: BusName?
  }

  private enum Action {
    /// The user plays or pauses a program.
    case user(Int, plays: Bool)
    case pause(Int)
    case status(of: Int, isPlaying: Bool, to: Int)
    case waited(Int)
    case resume(Int)
  }

  private struct World {
    var programs: [Program]
    var queue: [(time: Double, order: Int, action: Action)] = []
    var count = 0
    var changes = 0
    let names: [BusName]

    mutating func plan(_ action: Action, at time: Double) {
      count += 1
      queue.append((time, count, action))
    }

    /// Changes the status of a program; the bus sends the signal to all in one order.
    mutating func set(_ index: Int, _ isPlaying: Bool, at time: Double) {
      guard programs[index].isPlaying != isPlaying else { return }
      programs[index].isPlaying = isPlaying
      changes += 1
      for receiver in programs.indices {
        plan(.status(of: index, isPlaying: isPlaying, to: receiver), at: time + 0.001)
      }
    }

    mutating func run(until end: Double) {
      while let next = queue.indices.min(by: { (queue[$0].time, queue[$0].order) < (queue[$1].time, queue[$1].order) }),
        queue[next].time <= end, changes < 1000
      {
        let (time, _, action) = queue.remove(at: next)
        perform(action, at: time)
      }
    }

    mutating func perform(_ action: Action, at time: Double) {
      switch action {
      case .user(let index, let plays):
        programs[index].isPausedForOther = false
        programs[index].pausedFor = nil
        set(index, plays, at: time)
      case .pause(let index): set(index, false, at: time)
      case .status(let index, let isPlaying, let receiver):
        if programs[receiver].isOurs {
          take(
            index == receiver ? .own(isPlaying: isPlaying) : .other(names[index], isPlaying: isPlaying), receiver, time)
        } else if index != receiver {
          react(receiver, to: index, isPlaying, time)
        } else if isPlaying, programs[receiver].policy.pausesOthers {
          for other in programs.indices where other != receiver && programs[other].isPlaying {
            plan(.pause(other), at: time + programs[receiver].delay)
          }
        }
      case .waited(let index): if programs[index].waits == time { take(.waited, index, time) }
      case .resume(let index):
        if programs[index].pausedFor != nil {
          programs[index].pausedFor = nil
          set(index, true, at: time)
        }
      }
    }

    mutating func take(_ event: PauseRules.Event, _ index: Int, _ time: Double) {
      let now = PauseExchangeTests.start.advanced(by: .seconds(time))
      for step in programs[index].rules.steps(for: event, programs[index].policy, at: now) {
        switch step {
        case .pauseOther(let other):
          if let other = names.firstIndex(of: other) { plan(.pause(other), at: time + 0.001) }
        case .pause:
          programs[index].isPausedForOther = true
          set(index, false, at: time)
        case .stayPaused: break
        case .wait:
          programs[index].waits = time + 1
          plan(.waited(index), at: time + 1)
        case .stopWaiting: programs[index].waits = nil
        case .resume:
          if programs[index].isPausedForOther { set(index, true, at: time) }
          programs[index].isPausedForOther = false
        }
      }
    }

    /// Another program pauses for each start, and resumes after each end.
    mutating func react(_ index: Int, to other: Int, _ isPlaying: Bool, _ time: Double) {
      let delay = programs[index].delay
      guard programs[index].policy.forOthers != .off else { return }
      if isPlaying, programs[index].isPlaying {
        programs[index].pausedFor = names[other]
        plan(.pause(index), at: time + delay)
      } else if !isPlaying, programs[index].pausedFor == names[other], programs[index].policy.forOthers == .resume {
        plan(.resume(index), at: time + delay)
      }
    }
  }

  fileprivate static let start = PauseRules.Instant.now

  @Test("Each exchange ends soon, and of players with these rules at most one plays")
  func ends() throws {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      let ours = 1 + Int(random.next(below: 3))
      let foreign = Int(random.next(below: 2))
      let names = try (0..<ours + foreign).map { try BusName(":1.\($0)") }
      let policies: [PauseForOthers] = [.off, .pause, .resume]
      let programs = names.indices.map { index in
        var program = Program(isOurs: index < ours, delay: Double(random.next(below: 3000)) / 1000)
        program.policy.forOthers = policies[Int(random.next(below: 3))]
        program.policy.pausesOthers = random.next(below: 2) == 0
        return program
      }
      var world = World(programs: programs, names: names)
      for index in 0..<ours { world.take(.began(isPlaying: false, isStart: false), index, 0) }
      var time = 0.0
      for _ in 0..<6 {
        // Some commands of the user are close together.
        time += random.next(below: 2) == 0 ? 0.0005 : Double(random.next(below: 5000)) / 1000
        let program = Int(random.next(below: UInt64(names.count)))
        world.plan(.user(program, plays: random.next(below: 4) > 0), at: time)
      }
      world.run(until: time)
      let before = world.changes
      world.run(until: time + 1000)
      #expect(world.queue.isEmpty, "the players still react to each other: \(programs.map(\.policy))")
      #expect(world.changes - before <= 4 * names.count, "\(world.changes - before) changes: \(programs.map(\.policy))")
      let isComplete = programs.allSatisfy { $0.isOurs && $0.policy.pausesOthers && $0.policy.forOthers != .off }
      let playing = world.programs.count(where: \.isPlaying)
      #expect(!isComplete || playing <= 1, "\(playing) players play: \(programs.map(\.policy))")
    }
  }
}
