import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the files that `make install` installs, and of a session that uses them.
@Suite(.enabled(if: Tool.areAvailable("make", "python3"), "make or python3 is not installed"), .serialized)
struct InstallationTests {
  /// All files below the prefix, except the files of the interfaces, one per interface.
  private static let files: Set<String> = [
    "bin/mpris-playerd",
    "libexec/mpris-playerd-engine",
    "lib/systemd/user/mpris-playerd.service",
    "share/applications/mpris-playerd.desktop",
    "share/bash-completion/completions/mpris-playerd",
    "share/dbus-1/services/org.mpris.MediaPlayer2.playerd.service",
    "share/dbus-1/services/org.playerd.service",
    "share/doc/mpris-playerd/examples/i3blocks.conf",
    "share/doc/mpris-playerd/examples/polybar.ini",
    "share/doc/mpris-playerd/examples/snapcast-mpris",
    "share/doc/mpris-playerd/examples/waybar.jsonc",
    "share/fish/vendor_completions.d/mpris-playerd.fish",
    "share/icons/hicolor/scalable/apps/mpris-playerd.svg",
    "share/man/man1/mpris-playerd.1",
    "share/metainfo/org.playerd.mpris_playerd.metainfo.xml",
    "share/zsh/site-functions/_mpris-playerd",
  ]

  private static let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

  private func make(_ arguments: String...) async throws -> ProcessResult {
    try await run(["make", "--directory", Self.package] + arguments, within: 60)
  }

  private func files(in folder: String) async throws -> Set<String> {
    let found = try await run(["find", folder, "-type", "f", "-printf", "%P\\n"])
    return Set(found.output.split(separator: "\n").map(String.init).filter { !$0.contains("/dbus-1/interfaces/") })
  }

  @Test("install installs exactly the listed files, also when repeated, and uninstall removes exactly those")
  func listedFiles() async throws {
    try await withTemporaryDirectory { directory in
      let place = ["DESTDIR=\(directory.path)", "PREFIX=/opt/player"]
      for _ in 1...2 {
        let result = try await make("install", place[0], place[1], "BINARY=\(DaemonUnderTest.executable)")
        #expect(result.succeeded, "\(result.error)")
        #expect(try await files(in: directory.file("opt/player")) == Self.files)
        #expect(try await files(in: directory.path).count == Self.files.count)
      }
      try await expectFilled(directory.file("opt/player/share"), in: directory)
      try directory.write("not ours", to: "opt/player/share/applications/other.desktop")
      #expect(try await make("uninstall", place[0], place[1]).succeeded)
      #expect(try await files(in: directory.path) == ["opt/player/share/applications/other.desktop"])
      #expect(try await !run(["test", "-e", directory.file("opt/player/share/doc/mpris-playerd")]).succeeded)
    }
  }

  @Test("Every user can use what a user with another umask installs")
  func folders() async throws {
    try await withTemporaryDirectory { directory in
      let place = "DESTDIR='\(directory.path)' PREFIX=/opt/player BINARY='\(DaemonUnderTest.executable)'"
      let install = "umask 077; exec make --directory '\(Self.package)' install \(place)"
      let result = try await run(["/bin/sh", "-c", install], within: 60)
      #expect(result.succeeded, "\(result.error)")
      let closed = try await run(["find", directory.file("opt"), "-not", "-perm", "-055", "-type", "d"])
      #expect(closed.succeeded && closed.output == "")
    }
  }

  @Test(
    "fish completes the command that is installed for the system or for a user",
    .enabled(if: Tool.areAvailable("fish"), "fish is not installed"), arguments: ["/usr/local", "/usr", ".local"])
  func fish(prefix: String) async throws {
    try await withTemporaryDirectory { home in
      let isUser = !prefix.hasPrefix("/")
      let place = ["PREFIX=" + (isUser ? home.file(prefix) : prefix)] + (isUser ? [] : ["DESTDIR=\(home.file("root"))"])
      let environment = [
        "HOME": home.path, "XDG_CONFIG_HOME": home.file("config"), "XDG_STATE_HOME": home.file("state"),
      ]
      let command = ["make", "--directory", Self.package, "install", "BINARY=\(DaemonUnderTest.executable)"] + place
      let installed = try await run(command, environment: environment, within: 60)
      try #require(installed.succeeded, "\(installed.error)")
      let file = "mpris-playerd.fish"
      let found = try await run(["find", home.path, "-name", file, "-printf", "%h\\n"]).output.dropLast()
      let folder = isUser ? String(found) : String(found.dropFirst(home.file("root").count))
      // Without a desktop, XDG_DATA_DIRS is unset.
      let shell = ["env", "--unset=XDG_DATA_DIRS", "--unset=XDG_DATA_HOME", "fish", "-c"]
      let read = try await run(shell + ["printf '%s\\n' $fish_complete_path"], environment: environment)
      #expect(read.output.split(separator: "\n").contains(folder[...]), "\(folder) in \(read.output)")
      guard isUser else { return }
      let path = DaemonUnderTest.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      let completed = try await run(
        shell + ["complete -C 'mpris-playerd tog'"],
        environment: environment.merging(["PATH": "\(path):/usr/bin:/bin"]) { $1 })
      #expect(completed.output.hasPrefix("toggle"), "\(completed.error)")
    }
  }

  /// Expects that the installed files contain the prefix and no unreplaced placeholder.
  private func expectFilled(_ share: String, in directory: TemporaryDirectory) async throws {
    let unfilled = try await run(["grep", "--recursive", "--files-with-matches", "@[a-zA-Z]*@", share])
    #expect(unfilled.output.isEmpty)
    for (line, file) in [
      ("Exec=/opt/player/bin/mpris-playerd --quiet", "share/dbus-1/services/org.playerd.service"),
      ("Exec=/opt/player/bin/mpris-playerd %U", "share/applications/mpris-playerd.desktop"),
      ("ExecStart=/opt/player/bin/mpris-playerd --quiet", "lib/systemd/user/mpris-playerd.service"),
    ] {
      let path = directory.file("opt/player/\(file)")
      let found = try await run(["grep", "--line-regexp", "--fixed-strings", line, path])
      #expect(found.succeeded, "\(file) has no line \(line)")
    }
  }

  @Test(
    "A prefix that would need quoting is refused", arguments: ["/opt/my player", "opt", "/a%u", "/a&b"])
  func refusedPrefix(prefix: String) async throws {
    try await withTemporaryDirectory { directory in
      let result = try await make(
        "install", "DESTDIR=\(directory.path)", "PREFIX=\(prefix)", "BINARY=\(DaemonUnderTest.executable)")
      #expect(!result.succeeded)
      #expect(result.error.contains("PREFIX=\(prefix)"))
      #expect(try await files(in: directory.path).isEmpty)
    }
  }

  @Test("The engine is installed and found in lib, for systems without libexec, and another folder is refused")
  func engineFolder() async throws {
    try await withTemporaryDirectory { directory in
      let place = ["DESTDIR=\(directory.path)", "PREFIX=/usr"]
      let (program, folder) = ("BINARY=\(DaemonUnderTest.executable)", "libexecdir=/usr/lib/mpris-playerd")
      let installed = try await make("install", place[0], place[1], program, folder)
      try #require(installed.succeeded, "\(installed.error)")
      let expected = Self.files.map {
        $0 == "libexec/mpris-playerd-engine" ? "lib/mpris-playerd/mpris-playerd-engine" : $0
      }
      #expect(try await files(in: directory.file("usr")) == Set(expected))
      let file = try await Media.sine(seconds: 0.3, format: .flac)
      let command = [directory.file("usr/bin/mpris-playerd")] + DaemonUnderTest.silentSink + ["--quit-at-end", file]
      let played = try await run(command, environment: ChildEnvironment.withoutBus)
      #expect(played.succeeded, "\(played.error)")
      #expect(try await make("uninstall", place[0], place[1], folder).succeeded)
      #expect(try await files(in: directory.path).isEmpty)
      let refused = try await make("install", place[0], place[1], program, "libexecdir=/opt/engines")
      #expect(refused.error.contains("libexecdir=/opt/engines: the program finds its engine only in /usr/libexec or "))
      #expect(try await files(in: directory.path).isEmpty)
    }
  }

  /// A command of the program, as ArgumentParser describes it to tools.
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { var name: String }
      var names: [Name]?
      var shouldDisplay: Bool
    }
    struct Root: Decodable { var command: Command }
    var commandName: String
    var shouldDisplay: Bool
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// Returns the visible subcommands at all levels, with their names, such as `queue add`.
    func commands(below path: [String] = []) -> [(name: String, command: Command)] {
      (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }.flatMap { command in
        let name = path + [command.commandName]
        return [(name.joined(separator: " "), command)] + command.commands(below: name)
      }
    }
  }

  @Test("The manual has every command with its options and every configuration key, and passes mandoc lint")
  func manual() async throws {
    let page = try await run(["\(Self.package)/scripts/manual.py", DaemonUnderTest.executable])
    #expect(page.succeeded, "\(page.error)")
    // Sections by their titles; a section that refers to another command includes that one.
    let sections = Dictionary(
      page.output.split(separator: "\n.S").map { section in
        let title = section.prefix { $0 != "\n" }
        return (title.dropFirst(2), section.dropFirst(title.count))
      }, uniquingKeysWith: { first, _ in first })
    let common = try #require(sections["OPTIONS"])
    let described = try await run([DaemonUnderTest.executable, "--experimental-dump-help"]).output
    let commands = try JSONDecoder().decode(Command.Root.self, from: Data(described.utf8)).command.commands()
    #expect(commands.contains { $0.name == "queue add" })
    for (name, command) in commands {
      let section = try #require(sections[name[...]], "\(name)")
      let other = section.firstMatch(of: #/(?:same as|those of)\n\.Cm "?([a-z -]+?)"? \./#).flatMap {
        sections[$0.output.1]
      }
      for option in (command.arguments ?? []).filter(\.shouldDisplay).flatMap({ $0.names ?? [] }) {
        let flag = "Fl \(option.name.replacing("-", with: "\\-"))"
        let isDescribed = [section, other ?? "", common].contains { $0.contains(flag) }
        #expect(isDescribed, "\(name): \(option.name)")
      }
    }
    let keys = try await run([DaemonUnderTest.executable, "config"]).output.matches(of: #/(?m)^([a-z\-]+) = /#).map(\.1)
    #expect(keys.count > 5)
    for key in keys {
      #expect(page.output.contains(".It Ic " + key.split(separator: "-").joined(separator: "\\-") + " = "), "\(key)")
    }
    if Tool.areAvailable("mandoc") {
      try await withTemporaryDirectory { directory in
        let file = try directory.write(page.output, to: "mpris-playerd.1")
        let complaints = try await run(["mandoc", "-T", "lint", "-W", "warning", file])
        #expect(complaints.output.isEmpty)
      }
    }
  }

  @Test(
    "The bus activates the daemon by either name, and playerctl controls it",
    .enabled(if: Tool.areAvailable("playerctl"), "playerctl is not installed"),
    arguments: ["org.playerd", "org.mpris.MediaPlayer2.playerd"])
  func activation(name: String) async throws {
    try await withTemporaryDirectory { directory in
      let prefix = directory.file("prefix")
      let installed = try await make("install", "PREFIX=\(prefix)", "BINARY=\(DaemonUnderTest.executable)")
      #expect(installed.succeeded, "\(installed.error)")
      let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
      let environment = [
        "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path, "MPRIS_PLAYERD_AUDIO_SINK": "fakesink sync=true",
        "XDG_STATE_HOME": directory.file("state"),
      ]
      try await withPrivateBus(services: "\(prefix)/share/dbus-1/services", environment: environment) { bus in
        let pinged = try await run(
          [
            "busctl", "--address=\(bus.address)", "call", name, "/org/playerd", "org.freedesktop.DBus.Peer", "Ping",
          ])
        #expect(pinged.succeeded, "\(pinged.error)")
        func playerctl(_ arguments: String...) async throws -> String {
          let result = try await run(["playerctl", "-p", "playerd"] + arguments, environment: bus.environment)
          #expect(result.succeeded, "\(arguments): \(result.error)")
          return String(result.output.dropLast())
        }
        // Activated by org.playerd, the daemon may reply shortly before it owns the MPRIS name.
        try await run(
          ["busctl", "--address=\(bus.address)", "call"]
            + ["org.mpris.MediaPlayer2.playerd", "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Peer", "Ping"])
        #expect(try await playerctl("status") == "Stopped")
        try await withChildProcess(
          ["playerctl", "-p", "playerd", "--follow", "status"], environment: bus.environment
        ) { followed in
          _ = try await playerctl("open", file)
          let played = try await followed.waitForLine(containing: "Playing")
          _ = try await playerctl("pause")
          try await followed.waitForLine(containing: "Paused", from: played.index + 1)
        }
        // It returns when the session is saved.
        let installed = environment.merging(bus.environment) { $1 }
        let quit = try await run([DaemonUnderTest.executable, "quit"], environment: installed)
        #expect(quit.succeeded, "\(quit.error)")
        try await continueSession(installed, bus.address, prefix)
      }
    }
  }

  /// Continues the last session by a command; the bus starts the installed daemon for it.
  private func continueSession(_ environment: [String: String], _ address: String, _ prefix: String) async throws {
    let command = DaemonUnderTest.executable
    let played = try await run([command, "play"], environment: environment)
    #expect(played.succeeded && played.output.hasSuffix("track 1 of 1\n"), "\(played.error)")
    let owner = try await run(
      [
        "busctl", "--address=\(address)", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus",
        "org.freedesktop.DBus",
      ]
        + ["GetConnectionUnixProcessID", "s", "org.playerd"])
    let process = owner.output.drop { !$0.isNumber }.dropLast()
    let program = try await run(["readlink", "/proc/\(process)/exe"])
    #expect(program.output == "\(prefix)/bin/mpris-playerd\n", "\(owner.output)\(owner.error)\(program.error)")
    #expect(try await run([command, "quit"], environment: environment).succeeded)
  }
}
