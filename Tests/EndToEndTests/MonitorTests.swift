import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the daemon over `org.playerd.Monitor1`.
@Suite
struct MonitorTests {
  private let none = DBusValue.objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")

  private func sine(_ seconds: Double, _ title: String) async throws -> String {
    try await Media.sine(seconds: seconds, format: .flac, tags: Tags(title: title))
  }

  private func times(_ seconds: [Double]) -> DBusValue { .array("x", seconds.map { .int64(Int64($0 * 1e6)) }) }

  @Test("A hundred boundaries within two seconds are signalled once each and in order")
  func hundred() async throws {
    let file = try await sine(2, "Long")
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.titled("Long")
      try await withMonitor(of: daemon) { monitor in
        let wanted = (1...100).map { Double($0) / 50 - 0.01 }
        let id = try await monitor.observe("AddBoundaryTimeObserver", times(wanted.reversed() + wanted))
        try await daemon.call("Play")
        try await monitor.signal("ItemDidPlayToEnd", within: 20)
        let crossings = monitor.received("BoundaryReached").map(\.arguments)
        #expect(crossings.map { $0[2].asInt64 } == wanted.map { Int64($0 * 1e6) })
        #expect(crossings.allSatisfy { $0[0] == .uint32(id) })
        let instants = crossings.compactMap { $0[4].asInt64 }
        #expect(instants == instants.sorted())
      }
    }
  }

  @Test("A seek across boundaries signals none of them; playing through them does")
  func seekAcross() async throws {
    let file = try await sine(20, "Long")
    try await withDaemon([file]) { daemon in
      try await daemon.titled("Long")
      try await withMonitor(of: daemon) { monitor in
        try await monitor.wait("TimeControlStatus", is: .string("playing"))
        _ = try await monitor.observe("AddBoundaryTimeObserver", times([8, 9, 10, 15.1]))
        // SetPosition instead of Seek: on a busy machine, a relative seek may also cross the last boundary.
        guard let track = try await daemon.metadata("mpris:trackid") else { throw UnexpectedReply(text: "no track") }
        try await daemon.call("SetPosition", [track, .int64(15_000_000)])
        let crossing = try await monitor.signal("BoundaryReached")
        #expect(crossing.element.arguments[2] == .int64(15_100_000))
        #expect(monitor.received("BoundaryReached").count == 1)
        let jump = try await monitor.signal("TimeJumped").element.arguments
        #expect((jump[2].asInt64 ?? 0) >= 15_000_000 && (jump[1].asInt64 ?? .max) < 8_000_000)
      }
    }
  }

  @Test("Fractions are signalled on every track of the queue, and the end of a track after its last boundary")
  func fractions() async throws {
    let files = [try await sine(1.2, "One"), try await sine(1.4, "Two"), try await sine(1, "Three")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("One")
      try await withMonitor(of: daemon) { monitor in
        _ = try await monitor.observe(
          "AddBoundaryFractionObserver", .array("d", [0.25, 0.5, 0.75, 1].map { .double($0) }))
        try await daemon.call("Play")
        try await monitor.signal("TrackBoundary", within: 30) { [none] in $0[1] == none }
        let order = monitor.signals.elements.filter {
          ["BoundaryReached", "ItemDidPlayToEnd", "TrackBoundary"].contains($0.member)
        }
        let four = Array(repeating: MemberName("BoundaryReached"), count: 4)
        let track = four + ["ItemDidPlayToEnd", "TrackBoundary"]
        #expect(order.map(\.member) == ["TrackBoundary"] + track + track + track, "\(order)")
        let tracks = order.filter { $0.member == "BoundaryReached" }.map { $0.arguments[1] }
        let ended = order.filter { $0.member == "ItemDidPlayToEnd" }.map { $0.arguments[0] }
        #expect(tracks == ended.flatMap { Array(repeating: $0, count: 4) })
        let boundaries = order.filter { $0.member == "TrackBoundary" }.map { Array($0.arguments.prefix(2)) }
        #expect(boundaries == [[none, ended[0]], [ended[0], ended[1]], [ended[1], ended[2]], [ended[2], none]])
      }
    }
  }

  @Test(
    "A gapless change is one PropertiesChanged of each interface, after the end and the boundary; playback emits none")
  func transition() async throws {
    let files = [try await sine(1.2, "First"), try await sine(1.2, "Second")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("First")
      try await withMonitor(of: daemon) { monitor in
        try await daemon.call("Play")
        // After the start, playback is steady. Tracks as short as these emit AboutToFinish at once.
        let start = try await monitor.signal("TrackBoundary")
        let mark = try await monitor.signal("PropertiesChanged", from: start.index)
        let end = try await monitor.signal("ItemDidPlayToEnd")
        let between = monitor.signals.elements[(mark.index + 1)..<end.index].filter { $0.member != "AboutToFinish" }
        #expect(between.count <= 2, "MPRIS' half of the start and one correction of the anchor: \(between)")
        try await monitor.signal("ItemDidPlayToEnd", from: end.index + 1)
        let change = monitor.signals.elements[end.index...].filter { $0.member != "AboutToFinish" }.prefix(5)
        #expect(change.prefix(2).map(\.member) == ["ItemDidPlayToEnd", "TrackBoundary"])
        let objects = change.dropFirst(2).map { $0.member == "PropertiesChanged" ? $0.arguments[0].asString : nil }
        let interfaces = ["org.mpris.MediaPlayer2.Player", "org.playerd.Control1", "org.playerd.Monitor1"]
        #expect(objects.compactMap { $0 }.sorted() == interfaces, "\(change)")
      }
    }
  }

  @Test("Pause and Play emit one PropertiesChanged each, for MPRIS before Monitor1; Seeked precedes TimeJumped")
  func order() async throws {
    let file = try await sine(20, "Long")
    try await withDaemon([file]) { daemon in
      try await daemon.titled("Long")
      try await withMonitor(of: daemon) { monitor in
        try await monitor.wait("TimeControlStatus", is: .string("playing"))
        for (command, status) in [("Pause", "Paused"), ("Play", "Playing")] {
          let first = monitor.signals.count
          try await daemon.call(MemberName(command))
          let change = try await monitor.signal("PropertiesChanged", from: first) {
            $0[0] == .string(MonitorClient.interface.rawValue) && $0[1].asDictionary?["TimeControlStatus"] != nil
          }
          let mpris = monitor.signals.elements[first..<change.index]
            .filter { $0.arguments.first == .string("org.mpris.MediaPlayer2.Player") }
          #expect(mpris.map { $0.arguments[1].asDictionary } == [["PlaybackStatus": .string(status)]], "\(command)")
          try await monitor.wait(
            "TimeControlStatus", is: .string(command == "Play" ? "playing" : "paused"))
        }
        let first = monitor.signals.count
        try await daemon.call("Seek", [.int64(2_000_000)])
        let jump = try await monitor.signal("TimeJumped", from: first)
        let before = monitor.signals.elements[first..<jump.index].filter { $0.member == "Seeked" }
        #expect(before.count == 1)
        // The reply to a call follows the signals that were emitted before.
        _ = try await monitor.get("TimeControlStatus")
        let all = monitor.signals.elements.filter { $0.arguments.first == .string("org.mpris.MediaPlayer2.Player") }
        #expect(all.allSatisfy { $0.arguments[1].asDictionary?["Position"] == nil })
        #expect(monitor.received("Seeked", from: first).count == 1)
      }
    }
  }

  @Test("A repetition is an end and a boundary between two track IDs, and no TimeJumped")
  func repetition() async throws {
    let file = try await sine(1.2, "Only")
    try await withDaemon(["--paused", "--loop", "track", file]) { daemon in
      try await daemon.titled("Only")
      try await withMonitor(of: daemon) { monitor in
        _ = try await monitor.observe("AddBoundaryTimeObserver", times([0.5]))
        try await daemon.call("Play")
        let first = try await monitor.signal("BoundaryReached")
        let second = try await monitor.signal("BoundaryReached", from: first.index + 1)
        let received = monitor.signals.elements[first.index...second.index].filter {
          ["BoundaryReached", "ItemDidPlayToEnd", "TrackBoundary", "TimeJumped"].contains($0.member)
        }
        try #require(
          received.map(\.member) == ["BoundaryReached", "ItemDidPlayToEnd", "TrackBoundary", "BoundaryReached"])
        let track = try #require(received.first?.arguments[1].asObjectPath)
        let repeated = try ObjectPath(track.rawValue + "/2")
        #expect(received[1].arguments == [.objectPath(track)])
        #expect(received[2].arguments.prefix(2) == [.objectPath(track), .objectPath(repeated)])
        #expect(received[3].arguments[1] == .objectPath(repeated))
      }
    }
  }

  @Test("AboutToFinish is signalled once per track, ten seconds before its end, or at the start of a shorter track")
  func aboutToFinish() async throws {
    let files = [try await sine(11, "Long"), try await sine(1.5, "Short")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("Long")
      try await withMonitor(of: daemon) { monitor in
        try await daemon.call("Play")
        let first = try await monitor.signal("AboutToFinish").element.arguments
        #expect(abs((first[1].asInt64 ?? 0) - 10_000_000) < 1_000_000)
        try await daemon.call("Seek", [.int64(8_500_000)])
        let second = try await monitor.signal("AboutToFinish") { $0[0] != first[0] }
        #expect(abs((second.element.arguments[1].asInt64 ?? 0) - 1_500_000) < 700_000)
        try await monitor.signal("TrackBoundary") { [none] in $0[1] == none }
        #expect(monitor.received("AboutToFinish").map { $0.arguments[0] } == [first[0], second.element.arguments[0]])
      }
    }
  }

  @Test("PositionAnchor gives the position at any time, without a call")
  func anchor() async throws {
    let file = try await sine(20, "Long")
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.titled("Long")
      try await withMonitor(of: daemon) { monitor in
        _ = try await monitor.observe("AddBoundaryTimeObserver", times([1.5]))
        try await daemon.call("Play")
        try await monitor.signal("BoundaryReached")
        guard case .structure(let anchor) = try await monitor.get("PositionAnchor"), anchor.count == 3,
          let position = anchor[0].asInt64, let instant = anchor[1].asInt64
        else { throw UnexpectedReply(text: "no anchor") }
        #expect(anchor[2] == .double(1))
        let before = monotonic()
        let read = try await daemon.position()
        let after = monotonic()
        #expect(position + before - instant - 100_000 <= read && read <= position + after - instant + 100_000)
        let mark = monitor.signals.count
        try await daemon.call("Pause")
        try await monitor.wait("TimeControlStatus", is: .string("paused"))
        guard case .structure(let held) = try await monitor.get("PositionAnchor") else { return }
        #expect(held.first?.asInt64 == (try? await daemon.position()) && held.last == .double(0))
        // The signal of the pause is received before the signals of the Play that follows.
        try await daemon.call("Play")
        try await monitor.signal("PropertiesChanged", from: mark) { $0.anchorRate == 1 }
        let changes = monitor.received("PropertiesChanged", from: mark).compactMap(\.arguments.anchorRate)
        #expect(changes.count { $0 == 0 } == 1 && changes.first == 0)
      }
    }
  }

  @Test("An unplayable file is one failure, with its code, and remains LastError")
  func failure() async throws {
    let good = try await sine(20, "Good")
    try await withDaemon(["--paused", good]) { daemon in
      try await daemon.titled("Good")
      try await withMonitor(of: daemon) { monitor in
        #expect(try await monitor.get("LastError") == .structure([.string(""), .string(""), .string("")]))
        try await daemon.call("OpenUri", [.string("file://\(TemporaryDirectory.missing)/a.flac")])
        let failure = try await monitor.signal("ItemFailedToPlayToEnd").element.arguments
        #expect(failure[1] == .string("not-found"))
        let text = failure[2]
        try await monitor.wait(
          "LastError",
          is: .structure([.string("not-found"), text, .string("file://\(TemporaryDirectory.missing)/a.flac")]))
        #expect(monitor.received("ItemFailedToPlayToEnd").count == 1)
      }
    }
  }

  @Test("After a client is killed, its observers are removed and the daemon no longer watches its connection")
  func killed() async throws {
    let file = try await sine(20, "Long")
    try await withDaemon([file]) { daemon in
      try await daemon.titled("Long")
      let call = [
        "busctl", "--address=\(daemon.bus.address)", "call", "org.playerd", "/org/playerd", "org.playerd.Monitor1",
        "AddPeriodicTimeObserver", "x", "10000",
      ]
      try await withBusMonitor(daemon.bus, "member='RemoveMatch'") { monitor in
        let result = try await run(call)
        #expect(result.output == "u 1\n", "\(result.error)")
        try await monitor.waitForLine(containing: "member='NameOwnerChanged'")
        #expect(try await !daemon.watchesSomebody())
      }
    }
  }
}

extension [DBusValue] {
  /// The rate of the position anchor in the arguments of a PropertiesChanged.
  var anchorRate: Double? {
    guard count > 1, case .structure(let anchor)? = self[1].asDictionary?["PositionAnchor"] else { return nil }
    return anchor.last?.asDouble
  }
}
