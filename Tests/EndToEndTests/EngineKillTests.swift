import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The processes of the engine are ended at events of a session; `KILLS` is the number of ends.
@Suite("Ends of the engine's processes", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct EngineKillTests {
  private static let count = variable("KILLS") ?? 10

  @Test(
    "After each end of a process of the engine, the daemon and its names are the same, and each track ends or fails once",
    .seeded,
    .timeLimit(.minutes(120)))
  func kills() async throws {
    let titles = ["First", "Second", "Third"]
    var files: [String] = []
    for title in titles { files.append(try await Media.sine(seconds: 3, format: .flac, tags: Tags(title: title))) }
    try await withTemporaryDirectory { directory in
      let broken = try directory.write(String(repeating: "not media ", count: 100), to: "broken.flac")
      try await withDaemon(["--loop", "playlist"] + files + [broken]) { daemon in
        try await withMonitor(of: daemon) { monitor in
          try await daemon.titled(titles[0])
          var session = EngineKillSession(daemon: daemon, monitor: monitor)
          try await session.begin()
          for number in 0..<Self.count { try await session.kill(number, isRandom: Self.count > 10) }
          try await session.check()
        }
      }
    }
  }

  @Test("A crash of the decoders is logged with the item, the signal and the thread")
  func crashOfDecoders() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Crash"))
    // While it is paused, the decks keep the file open, however slow the machine is.
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.titled("Crash")
      try await withMonitor(of: daemon) { try await $0.wait("ItemStatus", is: .string("readyToPlay")) }
      let decks = try await deadline(30, "a process with decks") {
        while true {
          if let decks = try await daemon.deckProcessIDs().first { return decks }
          try await daemon.barrier()
        }
      }
      #expect(Glibc.kill(decks, SIGSEGV) == 0)
      let line = try await daemon.process.waitForLine(containing: "the decoding process ended: signal 11 (SIGSEGV)")
      #expect(line.element.text.hasPrefix("mpris-playerd: \(file): the decoding process ended: "))
      #expect(line.element.text.contains(" in the thread "), "\(line.element.text)")
    }
  }

  @Test("A crash of the output is logged with its signal and its thread, and doctor names the new process")
  func crash() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Crash"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("Crash")
      let engine = try #require(try await daemon.engineProcessID())
      #expect(Glibc.kill(engine, SIGSEGV) == 0)
      let line = try await daemon.process.waitForLine(containing: "the output process ended: signal 11 (SIGSEGV)")
      #expect(line.element.text.hasPrefix("mpris-playerd: the output process ended: "))
      #expect(line.element.text.contains(" in the thread "), "\(line.element.text)")
      let other = try await daemon.engine(after: engine)
      let doctor = try await run(
        [DaemonUnderTest.executable, "doctor", "--verbose"], environment: daemon.bus.environment)
      #expect(doctor.output.contains("ok: the engine runs as process \(other), sandbox: "), "\(doctor.output)")
    }
  }

  private static func variable(_ name: String) -> Int? {
    unsafe getenv(name).flatMap { unsafe Int(String(cString: $0)) }
  }
}

/// A session of commands, in which the engine is ended after an event of each.
private struct EngineKillSession {
  /// The events after which the engine ends.
  private enum Moment: CaseIterable {
    case seek, gaplessChange, edit, failure, pause, start, skip
  }

  private static let signals = [SIGKILL, SIGSEGV]
  let daemon: DaemonUnderTest
  let monitor: MonitorClient
  private var generator = SeededGenerator()
  private var owners: [BusName?] = []

  init(daemon: DaemonUnderTest, monitor: MonitorClient) {
    (self.daemon, self.monitor) = (daemon, monitor)
  }

  mutating func begin() async throws {
    owners = try await currentOwners()
    // There is always a next signal while a track plays.
    _ = try await monitor.observe("AddPeriodicTimeObserver", .int64(50_000))
  }

  private func currentOwners() async throws -> [BusName?] {
    [await daemon.client.owner(of: DaemonUnderTest.name), await daemon.client.owner(of: MonitorClient.name)]
  }

  // MARK: Kills

  /// Ends the engine after an event, and waits until the track plays in another one.
  mutating func kill(_ number: Int, isRandom: Bool) async throws {
    let moment =
      isRandom ? Moment.allCases.randomElement(using: &generator) : Moment.allCases[number % Moment.allCases.count]
    // A process that is stopped is noticed after eight seconds.
    let stops = isRandom ? generator.next(below: 20) == 0 : number == 3
    let signal = stops ? SIGSTOP : Self.signals[number / 2 % 2]
    let engine = try await daemon.engine(after: nil)
    let place = daemon.process.lines.count
    try await cause(moment ?? .seek)
    if isRandom { try await signals(Int(generator.next(below: 6))) }
    if stops {
      // A process that starts may take a minute for its first answer; one that has started is known with its sandbox.
      try await daemon.call("Play")
      repeat {
        try await monitor.signal("PeriodicTime", from: monitor.signals.count, within: 30)
      } while try await daemon.engineSandbox() == nil
    }
    let output = try await daemon.engineProcessID() ?? engine
    // Decks that have decoded everything are asked nothing, so that a stop is not noticed.
    let endsDecks = !stops && number % 2 == 1
    let present = endsDecks ? try await daemon.deckProcessIDs().first ?? output : output
    #expect(Glibc.kill(present, signal) == 0)
    // Only a process that plays, or has to answer a command, is noticed.
    if stops { try await daemon.call("Play") }
    // After many failures without an item that has played, further ones are only counted.
    if !isRandom {
      // It is a warning, or the failure of the item.
      try await daemon.process.waitForLine(
        containing: stops ? ": no answer" : ": signal \(signal)", on: .error, from: place, within: 12)
    }
    try await daemon.call("Play")
    if present == output { _ = try await daemon.engine(after: present) }
    #expect(daemon.process.isRunning)
    #expect(try await currentOwners() == owners)
  }

  /// Gives a command, and waits for its event.
  private func cause(_ moment: Moment) async throws {
    let (start, mprisStart) = (monitor.signals.count, daemon.signals.count)
    switch moment {
    case .seek:
      try await daemon.call("Seek", [.int64(500_000)])
      try await daemon.signals.first("Seeked or another track", from: mprisStart, within: 30) {
        $0.isSeeked || $0.changes?["Metadata"] != nil
      }
    case .gaplessChange: try await monitor.signal("TrackBoundary", from: start, within: 10)
    case .edit:
      // The broken file stays the last one.
      try await control("MoveTrack", .uint32(0), .uint32(2))
    case .failure:
      try await control("PlayTrack", .uint32(3))
      try await monitor.signal("ItemFailedToPlayToEnd", from: start, within: 10)
    case .pause:
      try await daemon.call("Pause")
      try await monitor.wait("TimeControlStatus", is: .string("paused"))
    case .start:
      try await daemon.call("Stop")
      try await daemon.call("Play")
    case .skip: try await daemon.call("Next")
    }
  }

  private func control(_ member: MemberName, _ arguments: DBusValue...) async throws {
    _ = try await daemon.client.call(
      on: MonitorClient.name, at: MonitorClient.path, of: "org.playerd.Control1", member, arguments)
  }

  /// Waits for a number of signals, unless playback is paused.
  private func signals(_ count: Int) async throws {
    guard count > 0, try await monitor.get("TimeControlStatus") == .string("playing") else { return }
    let last = monitor.signals.count + count - 1
    try await monitor.signals.first("\(count) signals", from: last, within: 60)
  }

  // MARK: Checks

  /// Checks the signals of the whole session.
  func check() async throws {
    try await daemon.barrier()
    checkTracks()
    // The state that a client has gathered from signals equals the daemon's.
    for key in ["PlaybackStatus", "LoopStatus", "Volume"] {
      guard let signalled = daemon.signals.elements.last(where: { $0.changes?[key] != nil })?.changes?[key] else {
        continue
      }
      #expect(try await daemon.get(key) == signalled, "\(key)")
    }
  }

  /// Checks that each track has one end or failure at most while it is current and playback was not stopped.
  private func checkTracks() {
    var (current, ends) = (DBusValue?.none, 0)
    let signals = monitor.signals.elements
    for (index, signal) in signals.enumerated() {
      switch signal.member {
      case "PropertiesChanged":
        guard signal.arguments.count == 3, let changes = signal.arguments[1].asDictionary else { continue }
        if let track = changes["Track"] { (current, ends) = (track, 0) }
        if changes["PlaybackStatus"] == .string("Stopped") { ends = 0 }
      case "ItemDidPlayToEnd", "ItemFailedToPlayToEnd":
        if signal.arguments.first != current { (current, ends) = (signal.arguments.first, 0) }
        ends += 1
        let before = signals[..<index].filter { $0.member != "PeriodicTime" }.suffix(20)
        #expect(ends == 1, "\(signal), after \(before.map { "\($0)" }.joined(separator: "\n"))")
      default: break
      }
    }
  }
}

extension DaemonUnderTest {
  /// Returns the process ID of the engine; nil while there is none.
  func engineProcessID() async throws -> Int32? {
    try await status("engineProcessId")?.asInt64.map { Int32(truncatingIfNeeded: $0) }
  }

  /// Returns the process IDs of the engine's decks: the other processes that have the samples of a stream.
  func deckProcessIDs() async throws -> [Int32] {
    let output = try await engineProcessID()
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
    return names.filter { number in
      guard number != output, let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let memory = try? String(contentsOfFile: "/proc/\(number)/maps", encoding: .utf8)
      else { return false }
      // After the name of the program: its state, and its parent.
      let fields = state[(state.lastIndex(of: ")") ?? state.startIndex)...].split(separator: " ")
      return fields.count > 2 && Int32(fields[2]) == process.processID && memory.contains("mpris-playerd-samples")
    }
  }

  /// Returns what restricts the engine; nil while there is none.
  func engineSandbox() async throws -> String? { try await status("engineSandbox")?.asString }

  private func status(_ key: String) async throws -> DBusValue? {
    let status = try await client.call(
      on: MonitorClient.name, at: MonitorClient.path, of: "org.playerd.Control1", "GetStatus")
    return status.first?.asDictionary?[key]
  }

  /// Plays, and waits for an engine other than one that has ended.
  func engine(after ended: Int32?) async throws -> Int32 {
    try await withMonitor(of: self) { monitor in
      if let engine = try await engineProcessID(), engine != ended { return engine }
      // The track that the engine opens becomes ready to play.
      return try await deadline(30, "the engine after \(ended ?? 0)") {
        for await _ in monitor.signals.entries() {
          // Playback stops when every track of the queue has failed.
          try await call("Play")
          if let engine = try await engineProcessID(), engine != ended { return engine }
        }
        throw UnexpectedReply(text: "no engine")
      }
    }
  }
}
