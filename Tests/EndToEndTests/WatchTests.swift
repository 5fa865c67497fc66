import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the commands `watch` and `status` as a user starts them.
@Suite(.enabled(if: Tool.areAvailable("dbus-monitor"), "dbus-monitor is not installed"))
struct WatchTests {
  private func sine(_ seconds: Double, _ title: String) async throws -> String {
    let tags = Tags(title: title, artists: ["Somebody"], album: "Tones")
    return try await Media.sine(seconds: seconds, format: .flac, tags: tags)
  }

  /// Runs `body` with a running `watch` process.
  private func withWatch<T>(
    _ bus: PrivateBus, _ arguments: [String], _ body: (ChildProcess) async throws -> T
  ) async throws -> T {
    let command = [DaemonUnderTest.executable, "watch"] + arguments
    return try await withChildProcess(command, environment: bus.environment, body)
  }

  /// Runs `body` after the daemon has received the call for the last observer, the one for fractions.
  private func withObservingWatch<T>(
    _ bus: PrivateBus, _ arguments: [String], _ body: (ChildProcess) async throws -> T
  ) async throws -> T {
    try await withBusMonitor(bus, "member='AddBoundaryFractionObserver'") { monitor in
      try await withWatch(bus, arguments) { watch in
        try await monitor.waitForLine(containing: "member=AddBoundaryFractionObserver")
        return try await body(watch)
      }
    }
  }

  @Test("watch --json prints a track from its start to its end, with the requested boundaries")
  func stream() async throws {
    let files = [try await sine(1.5, "First"), try await sine(1.5, "Second")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("First")
      try await withObservingWatch(daemon.bus, ["--json", "--every", "0.5", "--at", "50%", "--at", "0:01"]) { watch in
        try await daemon.call("Play")
        let end = try await watch.waitForLine(containing: #""status":"Stopped""#, within: 20)
        let lines = watch.lines.elements[...end.index].map(\.text)
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") && $0.contains(#""monotonic":"#) })
        let events = lines.compactMap { line in
          line.split(separator: #""event":""#).last?.split(separator: "\"").first.map { String($0) }
        }
        #expect(events.prefix(2) == ["state", "track"])
        #expect(events.filter { $0 == "boundary" }.count == 4 && events.filter { $0 == "ended" }.count == 2)
        #expect(events.filter { $0 == "periodic" }.count >= 4)
        let marks = lines.filter { $0.contains(#""event":"boundary""#) }
        #expect(marks.map { $0.hasPrefix(#"{"boundary":0.75,"#) } == [true, false, true, false])
        #expect(marks.map { $0.hasPrefix(#"{"boundary":1,"#) } == [false, true, false, true])
        #expect(lines.contains { $0.contains(#""title":"Second""#) && $0.contains(#""artist":"Somebody""#) })
      }
    }
  }

  @Test("watch --exec runs the command once per boundary, one after the other, with the event in its environment")
  func exec() async throws {
    let file = try await sine(1.5, "It's \"this\" $one")
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.titled("It's \"this\" $one")
      let command = #"echo "ran $PLAYERD_EVENT|$PLAYERD_TITLE|$PLAYERD_URI|$PLAYERD_TRACK|$PLAYERD_POSITION""#
      try await withObservingWatch(daemon.bus, ["--json", "--at", "0.5", "--at", "40%", "--exec", command]) { watch in
        try await daemon.call("Play")
        try await watch.waitForLine(containing: #""event":"ended""#, within: 20)
        let first = try await watch.waitForLine(containing: "ran ")
        let second = try await watch.waitForLine(containing: "ran ", from: first.index + 1)
        let fields = [first, second].map { $0.element.text.split(separator: "|", omittingEmptySubsequences: false) }
        for fields in fields {
          #expect(fields.prefix(2) == ["ran boundary", "It's \"this\" $one"])
          #expect(fields.count == 5 && fields[2] == "file://\(file)" && fields[3].hasPrefix("/org/playerd/track/"))
        }
        let positions = fields.compactMap { $0.last.flatMap { Double($0) } }
        #expect(positions.count == 2 && positions[0] >= 0.5 && positions[1] >= 0.6 && positions[1] < 1.5)
        #expect(watch.lines.elements.filter { $0.text.hasPrefix("ran ") }.count == 2)
      }
    }
  }

  @Test(
    "One command of --exec runs at a time, and none survives the end of watch", arguments: [SIGTERM, SIGINT, SIGHUP])
  func ended(signal: Int32) async throws {
    let file = try await sine(1.5, "Short")
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.titled("Short")
      let arguments = ["--json", "--at", "10%", "--at", "50%", "--exec", "echo ran $$; exec sleep 600"]
      try await withObservingWatch(daemon.bus, arguments) { watch in
        try await daemon.call("Play")
        let line = try await watch.waitForLine(containing: "ran ")
        let process = try #require(line.element.text.split(separator: " ").last.flatMap { Int32($0) })
        try await watch.waitForLine(containing: #""event":"ended""#, within: 20)
        #expect(watch.lines.elements.filter { $0.text.hasPrefix("ran ") }.count == 1)
        #expect(kill(process, 0) == 0)
        watch.signal(signal)
        #expect(try await watch.exitStatus() == .exited(0))
        #expect(kill(process, 0) != 0 && errno == ESRCH)
      }
    }
  }

  @Test("watch waits for a daemon, reports its exit, and follows the next one; SIGINT ends watch with 0")
  func life() async throws {
    let file = try await sine(20, "Here")
    try await withPrivateBus { bus in
      try await withWatch(bus, ["--json"]) { watch in
        try await watch.waitForLine(containing: "waiting for a daemon", on: .error)
        var mark = 0
        for _ in 1...2 {
          try await withDaemon([file], on: bus) { daemon in
            mark = try await watch.waitForLine(containing: #""title":"Here""#, from: mark).index + 1
            daemon.process.signal(SIGTERM)
            mark = try await watch.waitForLine(containing: #""event":"gone""#, from: mark).index + 1
          }
        }
        watch.signal(SIGINT)
        let status = try await watch.exitStatus()
        #expect(status == .exited(0), "\(watch.diagnostics)")
      }
    }
  }

  @Test("After its first line a signal ends watch in order", arguments: [SIGINT, SIGTERM])
  func early(signal: Int32) async throws {
    try await withPrivateBus { bus in
      for _ in 1...5 {
        try await withWatch(bus, ["--json"]) { watch in
          try await watch.waitForLine(containing: "waiting for a daemon", on: .error)
          watch.signal(signal)
          let status = try await watch.exitStatus()
          #expect(status == .exited(0), "\(watch.diagnostics)")
        }
      }
    }
  }

  @Test("In a pipe each event is one line in words, without a position and an error code")
  func lines() async throws {
    let file = try await sine(20, "Here")
    try await withDaemon([file]) { daemon in
      try await daemon.titled("Here")
      try await withWatch(daemon.bus, []) { watch in
        try await watch.waitForLine(containing: "Here — Somebody")
        try await daemon.call("Pause")
        try await watch.waitForLine(containing: "paused")
        for (arguments, line) in [(["volume", "50"], "volume 50 %"), (["mute", "on"], "muted")] {
          _ = try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
          try await watch.waitForLine(containing: line)
        }
        try await daemon.call("Next")
        try await daemon.call("OpenUri", [.string("file://\(TemporaryDirectory.missing)/a.flac")])
        try await watch.waitForLine(containing: "failed: a.flac: not found")
        #expect(!watch.lines.elements.contains { $0.text.contains("not-found") })
      }
    }
  }

  @Test(
    "An invalid option is a usage error",
    arguments: [
      ["--every", "0"], ["--every", "-1"], ["--at", "101%"], ["--at", "soon"], ["--exec", "true"], ["item"],
      ["--format", "{{titel}}"],
    ])
  func usage(arguments: [String]) async throws {
    let result = try await run([DaemonUnderTest.executable, "watch"] + arguments)
    #expect(result.status == .exited(64), "\(result.error)")
  }

  @Test("Without a bus both commands report that, with 69", arguments: ["watch", "status"])
  func noBus(command: String) async throws {
    let noBus = ChildEnvironment.withoutBus
    let result = try await run([DaemonUnderTest.executable, command], environment: noBus)
    #expect(result.status == .exited(69))
    #expect(result.error.split(separator: "\n").count == 1 && result.output.isEmpty, "\(result.error)")
  }

  // MARK: status

  @Test("status without a daemon exits with 69, and starts none")
  func noDaemon() async throws {
    try await withPrivateBus { bus in
      let result = try await run([DaemonUnderTest.executable, "status", "--json"], environment: bus.environment)
      #expect(result.status == .exited(69) && result.output.isEmpty)
      #expect(result.error == "mpris-playerd: no instance is running; “mpris-playerd ITEM…” starts one\n")
    }
  }

  @Test("status --json is one object with all fields")
  func status() async throws {
    let files = [try await sine(20, "First"), try await sine(20, "Second")]
    try await withDaemon(["--paused", "--start", "5", "--volume", "50"] + files) { daemon in
      try await daemon.titled("First")
      try await withMonitor(of: daemon) { try await $0.wait("ItemStatus", is: .string("readyToPlay")) }
      let json = try await run([DaemonUnderTest.executable, "status", "--json"], environment: daemon.bus.environment)
      let engine = try #require(try await daemon.engineProcessID())
      // The item may be ready before the output has started.
      let sandbox = try await deadline(30, "the start of the output") {
        while true {
          if let sandbox = try await daemon.engineSandbox() { return sandbox }
          try await daemon.barrier()
        }
      }
      let expected = [
        #"{"album":"Tones","artist":"Somebody","book":null,"bufferingPercent":100,"chapterCount":0,"chapterIndex":null,"#,
        #""chapterTitle":null,"consume":false,"crossfade":null,"crossfadeOnSkip":null,"duration":20,"engineProcessId":\#(engine),"engineSandbox":"\#(sandbox)","itemStatus":"readyToPlay","lastErrorCode":null,"#,
        #""lastErrorMessage":null,"lastErrorTrackId":null,"lastErrorUri":null,"loop":"None","muted":false,"output":"","outputName":null,"#,
        #""outputStatus":"selected","pausedFor":null,"position":5,"#,
        #""queueCount":2,"queueIndex":0,"rate":1,"reasonForWaitingToPlay":"","repeatEnd":null,"repeatStart":null,"#,
        #""seekable":true,"seekableEnd":20,"seekableStart":0,"shuffle":false,"shuffleMode":"off","sleepRemaining":null,"sleepsAfterTrack":false,"status":"Paused","stopsAfterCurrent":false,"stopsAfterTracks":0,"#,
        #""timeControlStatus":"paused","title":"First","trackId":"/org/playerd/track/1","uri":"file://\#(files[0])","#,
        #""volume":0.5}"#,
      ]
      #expect(json.output == expected.joined() + "\n", "\(json.error)")
      let text = try await run([DaemonUnderTest.executable, "status"], environment: daemon.bus.environment)
      #expect(
        text.output
          == "First — Somebody\nTones\npaused, 0:05 / 0:20, track 1 of 2, volume 50 %\noutput: fakesink sync=true\n")
    }
  }

  @Test("status --json of an empty daemon has null for missing values")
  func empty() async throws {
    try await withDaemon([]) { daemon in
      let json = try await run([DaemonUnderTest.executable, "status", "--json"], environment: daemon.bus.environment)
      #expect(json.output.contains(#""title":null,"trackId":null,"uri":null"#), "\(json.output)")
      #expect(json.output.contains(#""position":null"#) && json.output.contains(#""queueIndex":null"#))
    }
  }
}
