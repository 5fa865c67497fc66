import CLinux
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("The paths of the sandbox") struct SandboxPathTests {
  /// The links in a folder, with their targets.
  private static func link(_ links: [String: String], in folder: TemporaryDirectory) {
    for (link, target) in links { #expect(unsafe symlink(target, folder.file(link)) == 0, "\(link)") }
  }

  @Test("A link in an allowed folder is allowed at the path to which it leads, also through other links and folders")
  func links() async throws {
    try await withTemporaryDirectory { folder in
      for name in ["settings", "settings/sub", "dotfiles", "dotfiles/sub", "more", "packages", "home"] {
        _ = try folder.makeDirectory(name)
      }
      for name in [
        "dotfiles/client.conf", "dotfiles/sub/other", "more/x", "packages/libone.so", "home/note", "settings/own",
      ] {
        _ = try folder.write("content", to: name)
      }
      #expect(unsafe mkfifo(folder.file("more/pipe"), 0o600) == 0)
      Self.link(
        [
          "settings/client.conf": folder.file("dotfiles/client.conf"), "settings/sub/x": "../../more/x",
          "settings/chain": "client.conf", "settings/lost": "nothing", "settings/self": ".",
          "settings/pipe": "../more/pipe", "settings/folder": "../dotfiles/sub",
          "dotfiles/sub/back": "../../settings", "dotfiles/sub/deep": "../../packages", "settings/home": "../home",
          "settings/all": "/", "settings/key": "../home/note", "link": "settings", "settings/beside": "own",
        ], in: folder)
      let expected = ["dotfiles/client.conf", "dotfiles/sub", "home/note", "more/x", "packages"].map(folder.file)
      for root in ["settings", "link"] {
        let root = folder.file(root)
        #expect(LinkedPlaces(of: [root], outside: [root], home: folder.file("home")).paths.sorted() == expected)
      }
      // Only this file of the folder is allowed, so the other links of the folder are not followed.
      let file = folder.file("settings/client.conf")
      let settings = folder.file("settings")
      #expect(LinkedPlaces(of: [file], outside: [settings], home: "").paths == [folder.file("dotfiles/client.conf")])
      #expect(LinkedPlaces(of: [folder.file("none")], outside: [settings], home: "").paths == [])
    }
  }

  @Test("Settings that appear or are replaced need another process, and those that are written do not")
  func changes() async throws {
    try await withTemporaryDirectory { folder in
      for name in [".config", ".config/pulse", "dotfiles"] { _ = try folder.makeDirectory(name) }
      _ = try folder.write("one", to: "dotfiles/client.conf")
      Self.link([".config/pulse/client.conf": "../../dotfiles/client.conf"], in: folder)
      let home = folder.path
      let paths = SandboxPaths(.servers) { $0 == "HOME" ? home : nil }
      let known = paths.changing
      #expect(paths.readable.contains(folder.file("dotfiles/client.conf")))
      _ = try folder.write("written", to: "dotfiles/client.conf")
      _ = try folder.write("new", to: ".config/pulse/default.pa")
      #expect(paths.changing.isSubset(of: known))
      // As an editor or git does.
      _ = try folder.write("two", to: "dotfiles/new")
      #expect(unsafe rename(folder.file("dotfiles/new"), folder.file("dotfiles/client.conf")) == 0)
      #expect(!paths.changing.isSubset(of: known))
      let replaced = paths.changing
      _ = try folder.write("cookie", to: ".pulse-cookie")
      #expect(!paths.changing.isSubset(of: replaced))
      // A process without sockets reads no settings of sound servers.
      let files = SandboxPaths(.files) { $0 == "HOME" ? home : nil }
      #expect(!files.readable.contains { $0.contains("client.conf") || $0.contains("pulse") && $0.hasPrefix(home) })
      #expect(files.listed == [] && files.devices == ["/dev/null"])
    }
  }

  @Test("A load after a file was replaced that the process may not open is carried out by another process")
  func replaced() async throws {
    let file = try await Media.sine(seconds: 1)
    try await withTemporaryDirectory { folder in
      _ = try folder.write("one", to: "effects")
      unsafe setenv("LADSPA_PATH", folder.file("effects"), 1)
      defer { unsafe unsetenv("LADSPA_PATH") }
      var configuration = Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60))
      configuration.engine = .process(at: try Tool.built("mpris-playerd-engine"))
      configuration.engine.answerTime = .seconds(60)
      let engine = ProcessEngine(configuration: configuration)
      let events = EventLog<EngineEvent>()
      engine.open(EngineClient { events.append($0) })
      func load(_ number: UInt64) async throws -> [Int32] {
        engine.perform(.close(StreamToken(number: number - 1)))
        engine.perform(.open(StreamRequest(uri: "file://\(file)", stream: StreamToken(number: number))))
        try await events.first("the stream \(number)", within: 60) {
          if case .stream(StreamToken(number: number), .settled) = $0 { true } else { false }
        }
        return try [#require(engine.processID)] + engine.deckProcessIDs
      }
      let first = try await load(1)
      #expect(first.count == 2)
      #expect(try await load(2) == first)
      _ = try folder.write("two", to: "new")
      #expect(unsafe rename(folder.file("new"), folder.file("effects")) == 0)
      let second = try await load(3)
      // The decks of local files do not need these files, because they do not create sockets.
      #expect(second[0] != first[0] && second[1] == first[1])
      #expect(try await load(4) == second)
      #expect(
        !events.elements.contains { event in
          switch event {
          case .replaced, .warning: true
          default: false
          }
        })
      engine.close()
      await engine.closed()
    }
  }

  @Test("Memory that a process shares counts, also if it is not mapped")
  func memory() throws {
    let size = 8 << 20
    let descriptor = unsafe clinux_create_memory("mpris-playerd-test")
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: 1, count: size)
    #expect(unsafe write(descriptor, bytes, size) == size)
    #expect(ProcessResources.shared(by: getpid()) >= size)
    #expect(ProcessResources.used(by: 0) == nil)
  }

  @Test(
    "The memory that a process uses includes shared memory",
    .enabled(if: Tool.areAvailable("python3"), "python3 is not installed"))
  func usedMemory() async throws {
    // An interpreter has less than a fifth of this memory for itself.
    let program = """
      import mmap, threading
      shared = mmap.mmap(-1, 64 << 20)
      for _ in range(64): shared.write(bytes(1 << 20))
      print("ready", flush=True)
      threading.Event().wait()
      """
    try await withChildProcess(["python3", "-c", program]) { process in
      try await process.waitForLine(containing: "ready", within: 30)
      let used = try #require(ProcessResources.used(by: process.processID))
      #expect(used >= 64 << 20 && used < 192 << 20)
    }
  }
}
