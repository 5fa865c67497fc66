import DBus
import Glibc
import TestSupport
import Testing

@Suite("Configuration of the daemon")
struct ConfigurationTests {
  private static func daemon(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> (status: ChildProcess.ExitStatus, output: String, error: String) {
    let result = try await run([DaemonUnderTest.executable] + arguments, environment: environment)
    return (result.status, result.output, result.error)
  }

  @Test("config prints the file, the environment and the defaults with their origins, as a valid configuration file")
  func printed() async throws {
    try await withTemporaryDirectory { directory in
      let file = try directory.write("rate = 1.5\n", to: "config.toml")
      let first = try await Self.daemon(["config", "--config", file], environment: ["MPRIS_PLAYERD_VOLUME": "50"])
      #expect(first.status == .exited(0))
      #expect(first.output.contains("from: \(file):1\nrate = 1.5\n"))
      #expect(first.output.contains("from: $MPRIS_PLAYERD_VOLUME\nvolume = 50\n"))
      #expect(first.output.contains("from: default\nshuffle = false\n"))
      let keys = first.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(keys.prefix(2) == ["volume = 50", "rate = 1.5"])
      let again = try directory.write(first.output, to: "again.toml")
      let second = try await Self.daemon(["config", "--config", again])
      let outputs = [first, second].map { $0.output.split(separator: "\n").filter { !$0.hasPrefix("#") } }
      #expect(outputs[1] == outputs[0])
    }
  }

  @Test("config prints the values in force in a running instance; values changed since the start are from the session")
  func inForce() async throws {
    try await withDaemon(["--rate", "1.5"], environment: ["MPRIS_PLAYERD_VOLUME": "50"]) { daemon in
      func config(_ environment: [String: String] = [:]) async throws -> ProcessResult {
        try await run(
          [DaemonUnderTest.executable, "config"], environment: daemon.bus.environment.merging(environment) { $1 })
      }
      let first = try await config()
      #expect(first.output.contains("from: $MPRIS_PLAYERD_VOLUME\nvolume = 50\n"), "\(first.error)")
      #expect(first.output.contains("from: --rate\nrate = 1.5\n"))
      try await daemon.set("Volume", .double(0.25))
      try await daemon.set("LoopStatus", .string("Track"))
      let second = try await config(["MPRIS_PLAYERD_LOOOP": "none"])
      #expect(second.output.contains("from: session\nvolume = 25\n"))
      #expect(second.output.contains("from: session\nloop = \"track\"\n"))
      #expect(
        second.error
          == "mpris-playerd: $MPRIS_PLAYERD_LOOOP: unknown key; did you mean “MPRIS_PLAYERD_LOOP”?\n")
    }
  }

  @Test("Without an instance, config prints the values of the next start, including the session")
  func nextStart() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    try await withTemporaryDirectory { state in
      let environment = ["XDG_STATE_HOME": state.path]
      try await withDaemon(["--paused", "--volume", "50", file], environment: environment) { daemon in
        try await daemon.process.waitForLine(containing: "loaded 1 track")
        daemon.process.signal(SIGTERM)
        #expect(try await daemon.process.exitStatus(within: 5) == .exited(0))
      }
      let result = try await Self.daemon(["config"], environment: environment)
      #expect(result.output.contains("from: session\nvolume = 50\n"), "\(result.error)")
    }
  }

  @Test("A new queue has the configured speed, or with keep-rate the previous queue's speed")
  func keepRate() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    for (value, rate) in [("false", 1.25), ("true", 1.5)] {
      let environment = ["MPRIS_PLAYERD_RATE": "1.25", "MPRIS_PLAYERD_KEEP_RATE": value]
      try await withDaemon(["--paused", file], environment: environment) { daemon in
        try await daemon.opened(titled: "First")
        #expect(try await daemon.get("Rate") == .double(1.25))
        try await daemon.set("Rate", .double(1.5))
        let added = try await run([DaemonUnderTest.executable, "--enqueue", file], environment: daemon.bus.environment)
        #expect(added.succeeded)
        #expect(try await daemon.get("Rate") == .double(1.5))
        let replaced = try await run([DaemonUnderTest.executable, file], environment: daemon.bus.environment)
        #expect(replaced.succeeded)
        #expect(try await daemon.get("Rate") == .double(rate))
      }
    }
  }

  @Test("A mistake or a missing file ends the command with 78 and one line that names it")
  func mistaken() async throws {
    try await withTemporaryDirectory { directory in
      let file = try directory.write("\nvolum = 1\n", to: "config.toml")
      for command in ["config", "open"] {
        let result = try await Self.daemon([command, "--config", file])
        #expect(result.status == .exited(78))
        #expect(
          result.error == "mpris-playerd: \(file):2: volum: unknown key; did you mean “volume”?\n")
      }
      let missing = try await Self.daemon(["open", "--config", "\(file).not"])
      #expect(missing.status == .exited(78))
      #expect(missing.error == "mpris-playerd: \(file).not: No such file or directory\n")
    }
  }

  @Test("A silent server times out after network-timeout; SIGHUP applies a new value at once")
  func networkTimeout() async throws {
    let slow = try await Media.sine(seconds: 30, format: .mp3)
    let next = try await Media.sine(seconds: 30, tags: Tags(title: "Next"))
    try await withTemporaryDirectory { directory in
      let file = try directory.write("network-timeout = 600\nnetwork-buffer = 1\n", to: "config.toml")
      try await withHTTPServer { server in
        let uri = server.script("/slow.mp3", try .file(slow, type: "audio/mpeg").stalling(at: 30_000))
        try await withDaemon(["--config", file, uri, next]) { daemon in
          try await server.events.first("the server is silent", within: 20) { $0 == .stalled(path: "/slow.mp3") }
          _ = try directory.write("network-timeout = 1\n", to: "config.toml")
          daemon.process.signal(SIGHUP)
          try await daemon.titled("Next", within: 30)
          try await daemon.process.waitForLine(containing: "received no data for 1.0 seconds")
        }
      }
    }
  }

  @Test("reload prints the keys that apply at the next start; a mistake changes nothing and exits with 78")
  func reloadCommand() async throws {
    try await withTemporaryDirectory { directory in
      _ = try directory.makeDirectory("mpris-playerd")
      try directory.write("volume-max = 150\n", to: "mpris-playerd/config.toml")
      try await withDaemon([], environment: ["XDG_CONFIG_HOME": directory.path]) { daemon in
        func reload() async throws -> ProcessResult {
          try await run([DaemonUnderTest.executable, "reload"], environment: daemon.bus.environment)
        }
        try directory.write("volume-max = 200\nlyrics = true\n", to: "mpris-playerd/config.toml")
        let read = try await reload()
        #expect(read.succeeded && read.output.contains("lyrics"), "\(read.output)\(read.error)")
        try directory.write("volume-max = 9\n", to: "mpris-playerd/config.toml")
        let mistake = try await reload()
        #expect(mistake.status == .exited(78) && mistake.output.isEmpty)
        #expect(mistake.error.contains("volume-max"), "\(mistake.error)")
      }
    }
  }

  @Test("The user's configuration file is found and applied at the start; SIGHUP reads it again")
  func found() async throws {
    try await withTemporaryDirectory { directory in
      _ = try directory.makeDirectory("mpris-playerd")
      let file = "mpris-playerd/config.toml"
      _ = try directory.write("rate = 1.25\nloop = \"playlist\"\nvolume = 50\n", to: file)
      try await withDaemon([], environment: ["XDG_CONFIG_HOME": directory.path]) { daemon in
        #expect(try await daemon.get("Rate") == .double(1.25))
        #expect(try await daemon.get("LoopStatus") == .string("Playlist"))
        #expect(try await daemon.get("Volume") == .double(0.5))
        _ = try directory.write("volume-max = 200\nvolume = 50\nrate = 9\n", to: file)
        daemon.process.signal(SIGHUP)
        try await daemon.process.waitForLine(containing: "config.toml:3: rate: invalid value 9; expected 0.25 to 4")
        _ = try directory.write("volume-max = 200\nvolume = 50\nrate = 3\n", to: file)
        daemon.process.signal(SIGHUP)
        try await daemon.process.waitForLine(containing: "at the next start: loop, rate")
        try await daemon.set("Volume", .double(1.5))
        #expect(try await daemon.get("Volume") == .double(1.5))
        #expect(try await daemon.get("Rate") == .double(1.25))
      }
    }
  }
}
