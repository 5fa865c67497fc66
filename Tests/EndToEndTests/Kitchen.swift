import DBus
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// The sections of the cookbook with their examples.
struct Recipe: Sendable, CustomTestStringConvertible {
  /// An example: the language of its block, empty without one, and its text.
  struct Example: Sendable, Equatable {
    let language: String
    var text = ""
  }

  let title: String
  fileprivate(set) var examples: [Example] = []

  var testDescription: String { title }

  /// The examples for a shell.
  var scripts: [String] { examples.filter { $0.language == "sh" }.map(\.text) }

  /// Returns the first example in a language.
  func text(_ language: String) -> String? { examples.first { $0.language == language }?.text }

  /// All sections of the page.
  static let all: [Recipe] = {
    let page = FileManager.default.contents(atPath: "\(GeneratedTable.package)/docs/COOKBOOK.md") ?? Data()
    var recipes: [Recipe] = []
    var example: Example?
    for line in String(decoding: page, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let ended = example { recipes[recipes.count - 1].examples.append(ended) }
        example = example == nil ? Example(language: String(line.dropFirst(3))) : nil
      } else if example != nil {
        example?.text += line + "\n"
      } else if line.hasPrefix("## ") {
        recipes.append(Recipe(title: String(line.dropFirst(3))))
      }
    }
    return recipes
  }()
}

/// A daemon that plays `cook.flac`, then `bake.flac`, and a home folder in which the examples of a recipe run.
final class Kitchen: Sendable {
  let recipe: Recipe
  let home: TemporaryDirectory
  let daemon: DaemonUnderTest
  private let variables: [String: String]
  private let used = Mutex<Set<Int>>([])

  fileprivate init(_ recipe: Recipe, _ home: TemporaryDirectory, _ daemon: DaemonUnderTest, _ own: [String: String]) {
    (self.recipe, self.home, self.daemon) = (recipe, home, daemon)
    variables = own
  }

  /// The environment of the examples: that of the daemon, and the bus unless they find it themselves.
  func environment(withBus: Bool = true) -> [String: String] {
    variables.merging(withBus ? daemon.bus.environment : [:]) { $1 }
  }

  // MARK: Examples

  /// Returns a script of the recipe, which counts as run.
  func script(_ index: Int = 0) throws -> String {
    let scripts = recipe.scripts
    try #require(scripts.indices.contains(index), "\(recipe.title) has \(scripts.count) scripts")
    used.withLock { _ = $0.insert(index) }
    return scripts[index]
  }

  /// Returns the lines of a script, each of which is a command.
  func lines(_ index: Int = 0) throws -> [String] { try script(index).split(separator: "\n").map(String.init) }

  fileprivate func expectAllUsed() {
    #expect(used.withLock { $0 } == Set(recipe.scripts.indices), "examples that did not run")
  }

  /// Runs a script of the recipe to its end, and returns its output.
  @discardableResult
  func cook(_ index: Int = 0) async throws -> String { try await shell(try script(index)) }

  /// Runs a shell command, which must succeed without an error.
  @discardableResult
  func shell(_ command: String, withBus: Bool = true, launcher: [String] = []) async throws -> String {
    let result = try await run(
      launcher + line(command), environment: environment(withBus: withBus), within: 60)
    #expect(result.succeeded && !result.error.contains("rror"), "\(command): \(result.error)")
    return result.output
  }

  /// Runs a command that does not end until the body returns.
  func following(_ command: String, _ body: (ChildProcess) async throws -> Void) async throws {
    try await withChildProcess(line("exec \(command)"), environment: environment()) { child in
      try await body(child)
      #expect(child.isRunning && !child.captured(.error).contains("rror"), "\(child.diagnostics)")
    }
  }

  /// Runs a script that starts another instance, and waits for the names of the instance.
  func withInstance(_ script: String, _ body: (ChildProcess, _ suffix: String) async throws -> Void) async throws {
    let prefix = DaemonUnderTest.name.rawValue + ".instance"
    let owners = try await daemon.client.signals(
      from: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
    try await withChildProcess(line(script), environment: environment()) { child in
      let name = try await deadline(20, "another instance takes its name") {
        for await change in owners {
          if let name = change.arguments.first?.asString, name.hasPrefix(prefix) { return name }
        }
        throw UnexpectedReply(text: "no other instance")
      }
      try await body(child, ".instance" + name.dropFirst(prefix.count))
    }
  }

  private func line(_ command: String) -> [String] { ["sh", "-e", "-c", "cd \"$HOME\"\n\(command)"] }

  // MARK: Programs

  /// Puts a program of this name first in `PATH`, which records its arguments, and then runs `action`.
  func replace(_ program: String, by action: String = "") async throws {
    try home.write("#!/bin/sh\nprintf '%s\\n' \"$*\" >>\"$HOME/\(program).calls\"\n\(action)\n", to: program)
    // A file that this process has open for writing while another test starts a child cannot be run: ETXTBSY.
    try await shell("install -m 700 \(program) bin/\(program)")
  }

  /// Returns the arguments of each call of a replaced program.
  func calls(of program: String) throws -> [String] {
    try text("\(program).calls").split(separator: "\n").map(String.init)
  }

  // MARK: Files

  /// Returns the text of a file in the home folder.
  func text(_ file: String) throws -> String {
    String(decoding: try #require(FileManager.default.contents(atPath: home.file(file)), "\(file)"), as: UTF8.self)
  }

  /// Writes a playlist of files in the home folder, and saves it under a name.
  func savePlaylist(_ name: String, _ files: [String]) throws {
    try home.write(files.map { home.file($0) + "\n" }.joined(), to: "Music/Playlists/\(name).m3u8")
  }

  /// Adds copies of a short or a long track.
  func add(_ files: String..., seconds: Double = 60) async throws {
    let track = try await Media.sine(seconds: seconds, format: .flac, tags: Tags(title: "Cook"))
    for file in files {
      if let slash = file.lastIndex(of: "/") { try home.makeDirectory(String(file[..<slash])) }
      try FileManager.default.copyItem(atPath: track, toPath: home.file(file))
    }
  }

  // MARK: Player

  /// Returns the URIs of the queue in list order or in the order of play, relative to the home folder.
  func queue(inOrderOfPlay: Bool = false) async throws -> [String] {
    let reply = try await daemon.client.call(
      on: MonitorClient.name, at: MonitorClient.path, of: "org.playerd.Control1", "GetQueue",
      [.uint32(0), .uint32(100)])
    guard reply.count == 3, case .array(_, let rows) = reply[2] else { throw UnexpectedReply(text: "\(reply)") }
    let index = inOrderOfPlay ? "playIndex" : "index"
    let tracks = rows.compactMap(\.asDictionary).sorted { $0[index]?.asInt64 ?? 0 < $1[index]?.asInt64 ?? 0 }
    return tracks.map { ($0["uri"]?.asString ?? "").replacing("file://\(home.path)/", with: "") }
  }

  /// Returns a property of MPRIS, of the daemon or another instance.
  func value(_ property: String, of suffix: String) async throws -> DBusValue {
    let reply = try await daemon.client.call(
      on: try BusName(DaemonUnderTest.name.rawValue + suffix), at: DaemonUnderTest.path, of: DaemonUnderTest.properties,
      "Get", [.string(DaemonUnderTest.player.rawValue), .string(property)])
    return try #require(reply.first?.asVariant)
  }

  /// Returns a property of Extras1, of the daemon or another instance.
  func extra(_ property: String, of suffix: String = "") async throws -> DBusValue {
    let reply = try await daemon.client.call(
      on: try BusName(MonitorClient.name.rawValue + suffix), at: MonitorClient.path, of: DaemonUnderTest.properties,
      "Get", [.string("org.playerd.Extras1"), .string(property)])
    return try #require(reply.first?.asVariant)
  }

  /// Seeks in the current track.
  func seek(to microseconds: Int64) async throws {
    let track = try #require(try await daemon.metadata("mpris:trackid"))
    try await daemon.call("SetPosition", [track, .int64(microseconds)])
  }
}

/// Runs `body` in a new kitchen, with the configuration of the recipe, and expects that all its scripts have run.
func withKitchen(
  _ recipe: Recipe, sink: [String] = DaemonUnderTest.silentSink, environment: [String: String] = [:],
  _ body: (Kitchen) async throws -> Void
) async throws {
  let media = [
    "cook.flac": try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Cook")),
    "bake.flac": try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Bake")),
  ]
  try await withTemporaryDirectory { home in
    for folder in ["bin", "Music/Playlists", ".config/mpris-playerd"] { try home.makeDirectory(folder) }
    for (name, file) in media { try FileManager.default.copyItem(atPath: file, toPath: home.file(name)) }
    if let configuration = recipe.text("toml") {
      try home.write(configuration, to: ".config/mpris-playerd/config.toml")
    }
    let programs = DaemonUnderTest.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    let own = environment.merging([
      "HOME": home.path, "USER": "cook", "PATH": "\(home.file("bin")):\(programs):/usr/local/bin:/usr/bin:/bin",
      "XDG_CONFIG_HOME": home.file(".config"), "MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": home.file("Music/Playlists"),
    ]) { $1 }
    try await withDaemon([home.file("cook.flac"), home.file("bake.flac")], sink: sink, environment: own) { daemon in
      try await daemon.opened(titled: "Cook")
      let kitchen = Kitchen(recipe, home, daemon, own)
      try await body(kitchen)
      kitchen.expectAllUsed()
    }
  }
}
