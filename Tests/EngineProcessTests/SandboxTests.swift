import CLinux
import EventLoop
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("The sandbox of the engine process", .serialized) struct SandboxTests {
  /// A process that runs the hostile plug-in.
  enum Process: CaseIterable {
    case output, localDecks, streamDecks, files, servers

    /// Whether it may connect to a sound server, which then serves everything.
    var playsSound: Bool { self == .output || self == .servers }

    /// The acts that succeed there; `docs/SANDBOX.md` has the reasons.
    var allowed: Set<String> {
      switch self {
      case .localDecks, .files: ["read-key-size", "schedule-process"]
      // The descriptor of the file to which it writes its results.
      case .output:
        Process.files.allowed.union([
          "list-runtime", "make-local-socket", "make-memory", "lock-file", "lease-file", "watch-file",
        ])
      case .streamDecks:
        Process.files.allowed.union(["make-local-socket", "make-netlink-socket", "connect-tcp", "connect-udp"])
      case .servers: Process.output.allowed.union(Process.streamDecks.allowed)
      }
    }
  }

  /// The acts that other limits of a machine may prevent.
  private static let uncertain: Set = [
    "packet-socket", "packet-socket-upper-bits", "terminal-input", "user-namespace", "mount", "io-uring", "bpf", "keys",
    "open-terminal", "trace", "send-journal", "connect-X11", "answer-own-calls", "connect-path-as-internet-socket",
    // It depends on when its two threads run.
    "exchange-path",
  ]

  private static let isAvailable =
    HostilePlugin.compiler != nil && Tool.areAvailable("pkg-config") && clinux_landlock_version() >= 6

  /// Whether the system lets a process duplicate the descriptors of its children, without which it cannot make their connections.
  private static let canTakeDescriptors: Bool = {
    let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
    let own = clinux_open_process(getpid())
    defer { close(own) }
    let taken = clinux_take_descriptor(own, STDERR_FILENO)
    if taken >= 0 { close(taken) }
    return taken >= 0 && !["2\n", "3\n"].contains(scope ?? "")
  }()

  @Test(
    "A hostile plug-in of each process reads no key, starts no program, and reaches no other process and no service",
    .enabled(if: isAvailable, "a compiler or Landlock 6 is missing"),
    .enabled(if: canTakeDescriptors, "the system does not let descriptors be duplicated"), arguments: Process.allCases)
  func hostilePlugin(process: Process) async throws {
    let results = try await Self.results(.on, process)
    #expect(results["end"] == 0)
    #expect(Set(results.filter { $0.value == 0 }.keys).subtracting(["end"]) == process.allowed)
  }

  @Test(
    "The same plug-in succeeds with its acts without the sandbox",
    .enabled(if: isAvailable, "a compiler or Landlock 6 is missing"), arguments: [Process.output, .localDecks, .files])
  func withoutSandbox(process: Process) async throws {
    let results = try await Self.results(.off, process)
    #expect(results["end"] == 0)
    #expect(results.filter { $0.value != 0 && !Self.uncertain.contains($0.key) } == [:])
  }

  @Test(
    "A hostile plug-in records, and loads a module into PulseAudio, only where the sound server is needed",
    .enabled(if: isAvailable, "a compiler or Landlock 6 is missing"),
    .enabled(if: canTakeDescriptors, "the system does not let descriptors be duplicated"),
    .enabled(if: PulseServer.isAvailable, "\(PulseServer.unavailable)"), arguments: Process.allCases)
  func hostileClient(process: Process) async throws {
    try await withPulseServer { server in
      let variables = server.environment.merging(["HOSTILE_SERVER": server.address]) { $1 }
      let results = try await Self.results(.on, process, variables)
      #expect(results["end"] == 0)
      for act in ["load-module", "record"] {
        #expect(try #require(results[act]) == (process.playsSound ? 0 : EACCES), "\(act)")
      }
    }
  }

  @Test(
    "A process with too many threads is ended, and the item fails with this reason",
    .enabled(if: isAvailable, "a compiler or Landlock 6 is missing"))
  func threads() async throws {
    _ = try await Self.withHostilePlugin { folder, environment, _, _ in
      _ = try folder.write("", to: "results")
      let program = try await Self.program(in: folder, environment.merging(["HOSTILE_THREADS": "600"]) { $1 })
      let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 20))))
      try await withProcessPlayer([try folder.write(music, to: "music")], sink: "fakesink sync=true") {
        $0.path = program
      } _: { player in
        player.player.play()
        try await player.queueEnds()
        #expect(player.failures.map(\.error.code) == [.engineEnded])
        #expect(player.failures.first?.error.message.contains("more than 512 threads") == true)
      }
    }
  }

  /// Runs the hostile plug-in in a process; returns the error number of each act.
  private static func results(
    _ sandbox: Player.Configuration.Engine.Sandbox, _ process: Process, _ variables: [String: String] = [:]
  ) async throws -> [String: Int] {
    switch process {
    case .output: try await outputResults(sandbox, variables)
    case .localDecks: try await deckResults(sandbox, variables, isLocal: true)
    case .streamDecks: try await deckResults(sandbox, variables, isLocal: false)
    case .files: try await inspectionResults(sandbox, variables, .files)
    case .servers: try await inspectionResults(sandbox, variables, .servers)
    }
  }

  /// Plays through the hostile element.
  private static func outputResults(
    _ sandbox: Player.Configuration.Engine.Sandbox, _ variables: [String: String]
  ) async throws -> [String: Int] {
    try await withHostilePlugin(variables) { folder, environment, home, victim in
      let program = try await program(in: folder, environment)
      let sink = "hostile location=\(folder.file("results")) home=\(home) victim=\(victim) ! fakesink sync=true"
      try await withProcessPlayer([try await Media.sine(seconds: 1)], sink: sink) {
        $0.path = program
        $0.sandbox = sandbox
      } _: { player in
        player.player.play()
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect((try #require(player.engine.restrictions) == "off") == (sandbox == .off))
      }
    }
  }

  /// Plays a file, or a stream, whose type the hostile plug-in detects.
  private static func deckResults(
    _ sandbox: Player.Configuration.Engine.Sandbox, _ variables: [String: String], isLocal: Bool
  ) async throws -> [String: Int] {
    try await withHostilePlugin(variables) { folder, environment, home, victim in
      // Each process of the player may write to the file of its output.
      let variables = [
        "HOSTILE_RESULTS": folder.file("results"), "HOSTILE_HOME": home, "HOSTILE_VICTIM": "\(victim)",
      ]
      let program = try await program(
        in: folder, environment.merging(variables) { $1 }, writing: folder.file("results"))
      // The type of a file without an extension is detected by each plug-in.
      let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1))))
      let file = try folder.write(music, to: "music")
      try await withHTTPServer { server in
        let stream = server.script("/music", .bytes(music, type: "application/octet-stream"))
        try await withProcessPlayer([file], sink: "fakesink sync=true") {
          $0.path = program
          $0.sandbox = sandbox
        } _: { player in
          if !isLocal { player.player.replaceQueue(with: [Player.Item(uri: stream)]) }
          player.player.play()
          try await player.queueEnds()
          #expect(player.failures.isEmpty)
        }
      }
    }
  }

  /// Inspects a file with the hostile plug-in.
  private static func inspectionResults(
    _ sandbox: Player.Configuration.Engine.Sandbox, _ variables: [String: String], _ policy: SandboxPolicy
  ) async throws -> [String: Int] {
    try await withHostilePlugin(variables) { folder, environment, home, victim in
      let variables = [
        "HOSTILE_RESULTS": folder.file("results"), "HOSTILE_HOME": home, "HOSTILE_VICTIM": "\(victim)",
      ]
      let program = try await program(in: folder, environment.merging(variables) { $1 })
      let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1))))
      let file = try folder.write(music, to: "music")
      var policy = policy
      policy.outputs = [folder.file("results")]
      try await withInspectionProcess(at: program, { $0.sandbox = sandbox }, policy: policy) { process in
        let description = try await process.inspect("file://\(file)", timeout: .seconds(60))
        #expect(description.duration == .seconds(1))
        #expect((process.restrictions == "off") == (sandbox == .off))
      }
    }
  }

  /// Runs `body` with the plug-in, the environment of a program that loads it, a home folder and a process to attack.
  ///
  /// - Returns: The error number of each act.
  private static func withHostilePlugin(
    _ variables: [String: String] = [:],
    _ body: (
      _ folder: TemporaryDirectory, _ environment: [String: String], _ home: String, _ victim: Int32
    ) async throws -> Void
  ) async throws -> [String: Int] {
    try await withTemporaryDirectory { folder in
      try await HostilePlugin.build(in: folder)
      let home = try folder.makeDirectory("h")
      for name in [".ssh", ".config", ".config/autostart", ".local", ".local/share", ".local/share/gstreamer-1.0"] {
        _ = try folder.makeDirectory("h/\(name)")
      }
      _ = try folder.makeDirectory("h/.local/share/gstreamer-1.0/plugins")
      _ = try folder.write("secret", to: "h/.ssh/id_ed25519")
      _ = try folder.makeDirectory("run")
      let environment = [
        "GST_PLUGIN_PATH": folder.file("plugins"), "GST_REGISTRY_1_0": folder.file("registry"), "HOME": home,
        "XDG_RUNTIME_DIR": folder.file("run"),
      ].merging(variables) { $1 }
      return try await withChildProcess([folder.file("victim"), home + "/bus"]) { victim in
        try await victim.waitForLine(containing: "ready")
        try await body(folder, environment, home, victim.processID)
        let lines = try String(contentsOfFile: folder.file("results"), encoding: .utf8).split(separator: "\n")
        var results: [String: Int] = [:]
        for line in lines {
          let fields = line.split(separator: " ")
          if fields.count == 2 { results[String(fields[0])] = Int(fields[1]) }
        }
        return results
      }
    }
  }

  /// Makes a program that starts the engine program with an environment, and lets it write a file in the sandbox.
  private static func program(
    in folder: TemporaryDirectory, _ environment: [String: String], writing file: String? = nil
  ) async throws -> String {
    let variables = environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    let engine = try Tool.built("mpris-playerd-engine")
    let output = file.map { " $([ \"$3\" = --sandbox=on ] && echo '--output=\($0)')" } ?? ""
    let text = "#!/bin/sh\nunset PULSE_SERVER\nexport \(variables)\nexec '\(engine)' \"$@\"\(output)\n"
    let program = folder.file("engine")
    // A file that this process writes cannot be executed while a child that was started during the write has it open.
    let result = try await run(["install", "-m", "700", try folder.write(text, to: "engine.sh"), program])
    try #require(result.succeeded, "\(result.error)")
    return program
  }

  /// Plays a file and a stream to the end, through an output in an environment.
  private static func play(_ sink: String, _ environment: [String: String]) async throws {
    let file = try await Media.sine(seconds: 0.3)
    try await withTemporaryDirectory { folder in
      let program = try await program(in: folder, environment)
      try await withHTTPServer { server in
        let stream = server.script("/a.flac", try .file(file))
        try await withProcessPlayer([file], sink: sink) {
          $0.path = program
        } _: { player in
          player.player.replaceQueue(with: player.items + [Player.Item(uri: stream)])
          player.player.play()
          try await player.queueEnds()
          #expect(player.failures.isEmpty)
          #expect(!["off", "none"].contains(try #require(player.engine.restrictions)))
          #expect(!player.events.elements.contains { if case .warning = $0 { true } else { false } })
        }
      }
    }
  }

  @Test(
    "A file and a stream play through PulseAudio in the sandbox",
    .enabled(if: PulseServer.isAvailable && Media.isAvailable, "\(PulseServer.unavailable)"))
  func pulseAudio() async throws {
    try await withPulseServer { server in
      try await Self.play("pulsesink", server.environment)
      try await server.process?.waitForLine(containing: " on null with sample spec")
    }
  }

  @Test(
    "PulseAudio is found in the sandbox by the socket in the folder of the session",
    .enabled(if: PulseServer.isAvailable && Media.isAvailable, "\(PulseServer.unavailable)"))
  func pulseAudioOfSession() async throws {
    try await withPulseServer { server in
      try await withTemporaryDirectory { session in
        let folder = try session.makeDirectory("pulse")
        // libpulse makes the folder private, which fails in the sandbox.
        let isPrivate = unsafe chmod(folder, 0o700) == 0
        let socket = server.address.replacing("unix:", with: "")
        let isLinked = unsafe symlink(socket, "\(folder)/native") == 0
        try #require(isPrivate && isLinked)
        var environment = server.environment
        environment["PULSE_SERVER"] = nil
        environment["XDG_RUNTIME_DIR"] = session.path
        try await Self.play("pulsesink", environment)
        try await server.process?.waitForLine(containing: " on null with sample spec")
      }
    }
  }

  @Test(
    "A file and a stream play through PipeWire in the sandbox, by both protocols",
    .enabled(if: PipeWireServer.isAvailable && Media.isAvailable, "\(PipeWireServer.unavailable)"),
    arguments: ["pipewiresink", "pulsesink"])
  func pipeWire(sink: String) async throws {
    try await withPipeWireServer { server in try await Self.play(sink, server.environment) }
  }

  @Test(
    "A file in /etc that is a link to another path is read there",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func linkedSettings() async throws {
    let namespace = ["unshare", "--user", "--map-root-user", "--mount"]
    guard Tool.areAvailable("unshare", "mount"), try await run(namespace + ["true"]).succeeded else {
      try Test.cancel("files cannot be mounted for a program alone")
    }
    // Its duration is in its header: a slow machine does not search the end of a file on a server.
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1, format: .wav))))
    try await withTemporaryDirectory { folder in
      for name in ["etc", "elsewhere", "h"] { _ = try folder.makeDirectory(name) }
      _ = try folder.write("127.0.0.1 linked.test\n", to: "elsewhere/hosts")
      _ = try folder.write("hosts: files\n", to: "nsswitch.conf")
      let mounting = try folder.write(
        """
        set -e
        cp -RP /etc/. '\(folder.file("etc"))' 2>/dev/null || true
        cd '\(folder.file("etc"))'
        rm -f hosts nsswitch.conf
        cp '\(folder.file("nsswitch.conf"))' .
        ln -s '\(folder.file("elsewhere/hosts"))' hosts
        mount --bind . /etc
        exec '\(try Tool.built("mpris-playerd-engine"))' "$@"
        """, to: "mount.sh")
      let command = namespace.joined(separator: " ") + " sh '\(mounting)' \"$@\""
      let text = try folder.write("#!/bin/sh\nexport HOME='\(folder.file("h"))'\nexec \(command)\n", to: "engine.sh")
      let program = folder.file("engine")
      #expect(try await run(["install", "-m", "700", text, program]).succeeded)
      try await withHTTPServer { server in
        let uri = server.script("/a.wav", .bytes(music, type: "audio/x-wav"))
        let linked = uri.replacing("127.0.0.1", with: "linked.test")
        #expect(linked != uri)
        try await withInspectionProcess(at: program, policy: .servers) { process in
          let description = try await process.inspect(linked, timeout: .seconds(60))
          #expect(description.duration.map { $0 > .milliseconds(900) } == true)
          #expect(process.restrictions?.isEmpty == false)
        }
      }
    }
  }

  @Test(
    "An inspection of local files reads the file, also by a link, and the lyrics beside it, and opens no server",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func inspectionOfFiles() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1, format: .ogg))))
    try await withTemporaryDirectory { folder in
      _ = try folder.makeDirectory("h")
      let file = try folder.write(music, to: "h/a b?.ogg")
      _ = try folder.write("[00:00.10]Line", to: "h/link.lrc")
      let link = folder.file("h/link.ogg")
      let isLinked = unsafe symlink(file, link) == 0
      try #require(isLinked)
      let program = try await Self.program(in: folder, ["HOME": folder.file("h")])
      try await withHTTPServer { server in
        let stream = server.script("/a.ogg", .bytes(music, type: "audio/ogg"))
        try await withInspectionProcess(at: program, policy: .files) { process in
          let limit = Duration.seconds(60)
          for path in [file, link] {
            let uri = "file://" + path.replacing("?", with: "%3F").replacing(" ", with: "%20")
            let description = try await process.inspect(uri, timeout: limit)
            #expect(description.duration.map { $0 > .milliseconds(900) } == true)
            #expect((description.metadata.lyrics != nil) == (path == link))
            let content = try await process.read(
              uri, headers: nil, byteLimit: 1 << 20, timeout: limit, forPlayback: false
            ) { _, _ in true }
            #expect(content?.bytes == music)
          }
          #expect(process.restrictions?.isEmpty == false)
          let result = await process.result(of: stream, timeout: limit)
          #expect(throws: PlayerError.self) { try result.get() }
          #expect(server.headers(of: "/a.ogg").isEmpty)
        }
      }
    }
  }

  @Test(
    "A kernel without a part of the sandbox is reported, and the state names the other part",
    arguments: [
      (SandboxState(landlock: nil, hasSeccomp: true), "seccomp", "without Landlock, it can open all files"),
      (SandboxState(landlock: 7, hasSeccomp: false), "Landlock 7", "without seccomp, it can start programs"),
      (SandboxState(landlock: nil, hasSeccomp: false), "none", "the kernel has neither Landlock nor seccomp"),
    ])
  func incomplete(state: SandboxState, description: String, reason: String) async throws {
    let file = try await Media.sine(seconds: 0.3)
    try await withTemporaryDirectory { folder in
      let program = try await ScriptedProgram(in: folder, sandbox: state)
      try await withProcessPlayer([file]) {
        $0.path = program.path
      } _: { player in
        player.player.play()
        try await player.warning("the engine process is not restricted completely: \(reason)")
        // The warning may be about the process with decks.
        try await deadline(20, "the output has started") {
          while player.engine.restrictions == nil {
            await withCheckedContinuation { continuation in player.engine.loop.submit { continuation.resume() } }
          }
        }
        #expect(player.engine.restrictions == description)
      }
    }
  }

  @Test("The policy travels in the arguments of the program, and unknown ones are refused")
  func arguments() throws {
    var policy = SandboxPolicy.servers
    policy.outputs = ["/tmp/a=b"]
    policy.servesMixer = true
    for policy in [nil, .files, .streams, .servers, policy] {
      #expect(try SandboxPolicy.policy(of: SandboxPolicy.arguments(of: policy)) == policy)
    }
    for arguments in [[], ["--sandbox=on", "--all"], ["--sandbox=off", "--network"], ["--sandbox"]] {
      #expect(throws: WireError.self) { try SandboxPolicy.policy(of: arguments) }
    }
  }

  @Test("A process gets the named files and the lyrics beside them, and no others")
  func namedFiles() async throws {
    try await withTemporaryDirectory { folder in
      let names = ["a.flac", "a.LRC", "a.flac.lrc", "a.mp3.lrc", "a.txt", "b.flac", "b.lrc", "c?d.flac", "e f.flac"]
      for name in names { _ = try folder.write("content", to: name) }
      let files = NamedFiles()
      files.name("file://" + folder.file("a.flac"))
      files.name("file://localhost" + folder.file("c?d.flac"))
      files.name("FILE:" + folder.file("e%20f.flac"))
      files.name("http://example.org" + folder.file("b.flac"))
      files.name("file://" + folder.path)
      func error(_ path: String, _ requested: String...) async -> CInt? {
        await withCheckedContinuation { continuation in
          files.open(Array(path.utf8), requested: requested) { _, error in continuation.resume(returning: error) }
        }
      }
      for name in ["a.flac", "a.LRC", "a.flac.lrc", "c?d.flac", "e f.flac"] {
        #expect(await error(folder.file(name)) == nil)
      }
      for name in ["a.txt", "a.mp3.lrc", "b.flac", "b.lrc", "./a.flac", "a.flac\u{0}"] {
        #expect(await error(folder.file(name)) == EACCES, "\(name)")
      }
      #expect(await error(folder.file("a.lrc")) == ENOENT)
      // A folder is not a file.
      #expect(await error(folder.path) == EACCES)
      // The parts of a local stream.
      _ = try folder.makeDirectory("s")
      for name in ["s/list.m3u8", "s/1.ts", "s/a..ts", "s/key", "b.ts"] { _ = try folder.write("content", to: name) }
      files.name("file://" + folder.file("s/list.m3u8"))
      for name in ["s/1.ts", "s/a..ts"] { #expect(await error(folder.file(name)) == nil) }
      for name in ["s/../b.ts", "s/key", "b.ts"] { #expect(await error(folder.file(name)) == EACCES, "\(name)") }
      // The file of an open request.
      #expect(await error(folder.file("b.flac"), "file://" + folder.file("b.flac")) == nil)
      #expect(await error(folder.file("b.lrc"), "file://" + folder.file("b.flac")) == nil)
      #expect(await error(folder.file("b.flac"), "http://localhost" + folder.file("b.flac")) == EACCES)
    }
  }

  @Test("Lyrics and parts of a stream that are links are opened only inside the folder that the item's path names")
  func linkedFiles() async throws {
    try await withTemporaryDirectory { folder in
      for name in ["music", "music/sub", "other", "keys"] { _ = try folder.makeDirectory(name) }
      for name in ["music/a.flac", "music/sub/text", "other/b.flac", "keys/key", "keys/1.ts", "music/list.m3u8"] {
        _ = try folder.write("content", to: name)
      }
      let links = [
        "music/a.lrc": "../keys/key", "music/inside.flac": "../other/b.flac", "music/inside.lrc": "sub/text",
        "music/absolute.flac": "a.flac", "music/absolute.lrc": folder.file("music/sub/text"),
        "music/round.flac": "a.flac", "music/round.lrc": "../music/sub/../sub/text", "all": "music",
        "music/pipe.flac": "a.flac", "music/device.flac": "a.flac", "music/device.lrc": "/dev/zero",
        "music/folder.flac": "a.flac", "music/folder.lrc": "sub", "music/loop.lrc": "loop.lrc",
        "music/1.ts": "../keys/1.ts", "music/2.ts": "sub/text", "music/elsewhere": "../keys", "music/down": "sub",
        "music/sub/3.ts": "../a.flac", "music/b.lrc": "../music-2/key",
      ]
      _ = try folder.makeDirectory("music-2")
      _ = try folder.write("content", to: "music-2/key")
      for (link, target) in links { #expect(unsafe symlink(target, folder.file(link)) == 0) }
      #expect(unsafe mkfifo(folder.file("music/pipe.lrc"), 0o600) == 0)
      let files = NamedFiles()
      func error(_ name: String, of item: String) async -> CInt? {
        await withCheckedContinuation { continuation in
          files.open(Array(folder.file(name).utf8), requested: ["file://" + folder.file(item)]) { _, error in
            continuation.resume(returning: error)
          }
        }
      }
      // The user has chosen the item, so its path may lead anywhere, except to a pipe or a device.
      for name in ["music/a.flac", "music/inside.flac", "all/inside.flac"] {
        #expect(await error(name, of: name) == nil, "\(name)")
      }
      for name in ["music/pipe.lrc", "music/device.lrc", "music"] {
        #expect(await error(name, of: name) == EACCES, "\(name)")
      }
      for name in ["music/inside", "music/absolute", "music/round", "all/inside", "all/absolute"] {
        #expect(await error("\(name).lrc", of: "\(name).flac") == nil, "\(name)")
      }
      for name in ["music/a", "all/a", "music/b", "music/pipe", "music/device", "music/folder"] {
        #expect(await error("\(name).lrc", of: "\(name).flac") == EACCES, "\(name)")
      }
      #expect(await error("music/loop.lrc", of: "music/loop.flac") == ELOOP)
      // The parts of a stream.
      for name in ["music/2.ts", "music/sub/3.ts", "music/down/3.ts"] {
        #expect(await error(name, of: "music/list.m3u8") == nil, "\(name)")
      }
      for name in ["music/1.ts", "music/elsewhere/1.ts"] {
        #expect(await error(name, of: "music/list.m3u8") == EACCES, "\(name)")
      }
    }
  }

  @Test("Requests beyond the limit of open files are refused until earlier ones are closed")
  func openLimit() async throws {
    try await withTemporaryDirectory { folder in
      let path = try folder.write("content", to: "a.flac")
      let files = NamedFiles()
      files.name("file://" + path)
      @Sendable func open() async -> (OwnedDescriptor?, CInt?) {
        await withCheckedContinuation { continuation in
          files.open(Array(path.utf8)) { continuation.resume(returning: ($0, $1)) }
        }
      }
      var opened: [OwnedDescriptor] = []
      for _ in 0..<32 { if let file = await open().0 { opened.append(file) } }
      #expect(opened.count == 32)
      #expect(await open().1 == EMFILE)
      opened = []
      // A thread for disks closes them.
      try await deadline(30, "a file can be opened again") { while await open().1 == EMFILE {} }
      #expect(await open().1 == nil)
    }
  }
}
