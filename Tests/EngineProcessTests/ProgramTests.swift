import CLinux
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess

@Suite("The engine program") struct ProgramTests {
  /// Starts the program; returns its ID and the player's end of its socket.
  private static func start() throws -> (process: Int32, socket: CInt) {
    let (ours, theirs) = try #require(EngineChannel.makeSockets())
    let (process, error) = EngineProgram.start(try Tool.built("mpris-playerd-engine"), socket: theirs)
    close(theirs)
    try #require(error == 0)
    return (process, ours)
  }

  /// Waits for the end of the program; returns the reason.
  private static func reason(of process: Int32) async throws -> String {
    try await waitForEnd(ofProcess: process)
    var (status, memory): (CInt, CLong) = (0, 0)
    try #require(unsafe clinux_reap(process, &status, &memory) == 0)
    return EngineChild.reason(status)
  }

  /// Waits until the program has sent its first message.
  private static func waitForFirstMessage(_ socket: CInt) {
    var source = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&source, 1, 100_000)
  }

  @Test("The kernel ends a process that uses more CPU time than it may")
  func time() async {
    await #expect(processExitsWith: .signal(SIGXCPU)) {
      clinux_allow_cpu_time(0)
      while true {}
    }
  }

  @Test("It ends when the player has closed the socket")
  func playerGone() async throws {
    let (process, socket) = try Self.start()
    close(socket)
    let reason = try await Self.reason(of: process)
    // The thread that has started it may end too.
    #expect(["exit status 0", "signal 9 (SIGKILL)"].contains(reason))
  }

  @Test("The kernel kills it when the thread of the player ends, although the socket is open")
  func starterGone() async throws {
    let started = EventLog<(process: Int32, socket: CInt)>()
    Thread.run {
      guard let program = try? Self.start() else { return started.finish() }
      Self.waitForFirstMessage(program.socket)
      started.append(program)
    }
    let (process, socket) = try await started.first("the start").element
    let reason = try await Self.reason(of: process)
    close(socket)
    #expect(reason == "signal 9 (SIGKILL)")
  }

  @Test("A process gets the listed variables alone, and one without sockets no address of a server")
  func variables() throws {
    let (engine, files) = (SandboxPolicy.servers, SandboxPolicy.files)
    for name in ["HOME", "LC_ALL", "GST_PLUGIN_PATH", "LD_LIBRARY_PATH"] {
      #expect(SandboxEnvironment.passes(name[...], engine) && SandboxEnvironment.passes(name[...], files), "\(name)")
    }
    for name in ["XDG_RUNTIME_DIR", "PULSE_SERVER", "PIPEWIRE_REMOTE", "https_proxy"] {
      #expect(SandboxEnvironment.passes(name[...], engine) && !SandboxEnvironment.passes(name[...], files), "\(name)")
    }
    for name in ["XDG_RUNTIME_DIR", "PULSE_SERVER", "PIPEWIRE_REMOTE"] {
      #expect(!SandboxEnvironment.passes(name[...], .streams), "\(name)")
    }
    #expect(SandboxEnvironment.passes("https_proxy", .streams))
    for name in [
      "SSH_AUTH_SOCK", "GPG_AGENT_INFO", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "DBUS_SYSTEM_BUS_ADDRESS",
      "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "NOTIFY_SOCKET", "G_TOKEN", "LC_TOKEN", "",
    ] { #expect(!SandboxEnvironment.passes(name[...], engine), "\(name)") }
    let page = try String(contentsOfFile: "docs/SANDBOX.md", encoding: .utf8)
    let names = SandboxEnvironment.common.union(SandboxEnvironment.sound).union(SandboxEnvironment.network).map(
      String.init)
    let prefixes =
      SandboxEnvironment.commonPrefixes + SandboxEnvironment.soundPrefixes + SandboxEnvironment.networkPrefixes
    for name in names + prefixes.map({ "\($0)*" }) { #expect(page.contains("`\(name)`"), "\(name)") }
  }

  @Test("It keeps its socket, but no token, no address of a session bus and no descriptors of the player")
  func environment() async throws {
    unsafe setenv("MPRIS_PLAYERD_TEST_TOKEN", "secret", 1)
    let ended = EventLog<(environment: String, descriptors: [String], socket: String, limits: String)>()
    let leaked = unsafe open("/dev/null", O_RDONLY)
    defer { close(leaked) }
    Thread.run {
      defer { ended.finish() }
      guard let (process, socket) = try? Self.start() else { return }
      Self.waitForFirstMessage(socket)
      let environment = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ"))) ?? Data()
      let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
      let targets = descriptors.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
      }
      let information = (try? String(contentsOfFile: "/proc/\(process)/fdinfo/3", encoding: .utf8)) ?? ""
      let limits = (try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)) ?? ""
      ended.append((String(decoding: environment, as: UTF8.self), targets, information, limits))
      close(socket)
      var (status, memory): (CInt, CLong) = (0, 0)
      // Swift Testing waits for its own processes, and cannot do so while another one has ended and is not reaped.
      _ = unsafe clinux_reap(process, &status, &memory)
    }
    let (environment, descriptors, information, limits) = try await ended.first("the program").element
    let variables = environment.split(separator: "\u{0}")
    #expect(variables.filter { $0.hasPrefix("DBUS_SESSION_BUS_ADDRESS") } == ["DBUS_SESSION_BUS_ADDRESS=disabled:"])
    #expect(!variables.contains { $0.hasPrefix("NOTIFY_SOCKET=") || $0.hasPrefix("MPRIS_PLAYERD_TEST_TOKEN=") })
    let fileSize = limits.split(separator: "\n").first { $0.hasPrefix("Max file size") }
    #expect(fileSize?.split(whereSeparator: \.isWhitespace).dropFirst(3).first == "134217728")
    #expect(descriptors.filter { $0.hasPrefix("socket:") }.count == 1)
    #expect(descriptors.filter { $0 == "/dev/null" }.count == 2)
    let flags = information.split(separator: "\n").first { $0.hasPrefix("flags:") }?.split(separator: "\t").last
    #expect(flags.flatMap { Int($0, radix: 8) }.map { $0 & Int(O_CLOEXEC) != 0 } == true)
  }

  @Test("Damaged messages end it with a status, and never by a signal", .seeded)
  func damagedMessages() async throws {
    var generator = SeededGenerator()
    // A message of the end would be obeyed.
    let messages = try
      (Samples.outputCommands.map { EngineRequest.output($0) }
      + Samples.deckCommands.map { .deck(Samples.token, $0) }).map { try EngineProtocol.encode($0) }
    for round in 0..<6 {
      var message = messages.randomElement(using: &generator) ?? []
      let index = Int.random(in: 0..<message.count, using: &generator)
      if round.isMultiple(of: 2) { message[index] ^= 0xFF } else { message = Array(message[..<index]) + [1] }
      let program = EventLog<String>()
      let bytes = message
      Thread.run {
        defer { program.finish() }
        guard let (process, socket) = try? Self.start() else { return }
        _ = unsafe clinux_send(socket, bytes, bytes.count, -1)
        var source = pollfd(fd: clinux_open_process(process), events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&source, 1, 100_000)
        close(source.fd)
        close(socket)
        var (status, memory): (CInt, CLong) = (0, 0)
        if unsafe clinux_reap(process, &status, &memory) == 0 { program.append(EngineChild.reason(status)) }
      }
      let reason = try await program.first("the end", within: 30).element
      #expect(reason == "exit status 65")
    }
  }

  @Test("Started by a user, it prints the reason and ends with the status 64")
  func byHand() async throws {
    let result = try await run([try Tool.built("mpris-playerd-engine")])
    #expect(result.status == .exited(64))
    #expect(result.error == "mpris-playerd-engine: this program is started by a player of its own version\n")
  }
}
