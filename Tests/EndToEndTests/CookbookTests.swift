import DBus
import Glibc
import TestSupport
import Testing

/// Runs the examples of the cookbook against the daemon, and checks their effects.
@Suite(.enabled(if: Tool.areAvailable("busctl", "gdbus", "jq"), "busctl, gdbus or jq is missing"))
struct CookbookTests {
  private typealias Check = @Sendable (Recipe) async throws -> Void

  /// The checks of the recipes that need a sound server.
  private static let sounding: [String: Check] = ["Another output device": output, "Two rooms at one machine": rooms]

  private static let recipes = Recipe.all.filter { !$0.scripts.isEmpty }

  private static let runnable = recipes.filter {
    sounding[$0.title] == nil || PulseServer.isAvailable && Tool.areAvailable("pactl")
  }

  @Test("Each script of the cookbook has its effect", arguments: runnable)
  func effect(recipe: Recipe) async throws {
    // Without one, the test below fails.
    try await Self.checks[recipe.title]?(recipe)
  }

  @Test("Each recipe of the cookbook is checked")
  func complete() { #expect(Self.recipes.map(\.title).sorted() == Self.checks.keys.sorted()) }

  /// The check of each recipe, by its title.
  private static let checks = sounding.merging([
    "A key of a window manager": key, "A playlist": playlist, "An alarm": alarm, "A party": party,
    "A fade when a call comes": fade, "A playlist for another machine": export, "Albums in random order": albums,
    "The queue without duplicates": duplicates,
    "A podcast": podcast, "The newest podcasts first": newest, "A podcast of a server, and a list of URLs": feed,
    "The start and the speed of a show": show, "Bookmarks in a book": bookmarks, "Several machines": machines,
    "A command at a time": jobs, "A machine without a desktop": headless, "A status bar": bar,
    "A progress bar": progress, "A command at half of every track": half, "Lyrics at their time": lyrics,
    "The state and events on D-Bus": events, "The queue on D-Bus": tracks,
  ]) { $1 }

  // MARK: Keys, the queue and playlists

  @Sendable private static func key(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.cook()
      #expect(try await kitchen.daemon.status() == "Paused")
    }
  }

  @Sendable private static func playlist(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.daemon.call("Next")
      try await kitchen.daemon.titled("Bake")
      try await kitchen.cook(0)
      try await kitchen.daemon.titled("Cook")
      #expect(try await kitchen.queue() == ["cook.flac", "bake.flac"])
      #expect(try await kitchen.daemon.status() == "Playing")
      try await kitchen.add("Music/Set/Live at home.flac", "Music/Set/Other.flac")
      try await kitchen.cook(1)
      #expect(try await kitchen.queue() == ["cook.flac", "bake.flac", "Music/Set/Live%20at%20home.flac"])
      let saved = try kitchen.text("Music/Playlists/Evening.m3u8").split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(saved.map { $0.split(separator: "/").last } == ["cook.flac", "bake.flac", "cook.flac"])
    }
  }

  @Sendable private static func albums(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      let albums = ["Music/Band/One/", "Music/Band/Two/", "Music/Other/Sea/"]
      for album in albums { try await kitchen.add("\(album)1.flac", "\(album)2.flac") }
      try await kitchen.cook()
      #expect(try await kitchen.queue() == albums.flatMap { ["\($0)1.flac", "\($0)2.flac"] })
      let order = try await kitchen.queue(inOrderOfPlay: true)
      #expect(order.sorted() == (try await kitchen.queue()))
      for first in stride(from: 0, to: order.count, by: 2) {
        #expect(order[first].replacing("1.flac", with: "2.flac") == order[first + 1], "\(order)")
      }
      // Playback begins with the first track of an album.
      #expect(try await kitchen.daemon.metadata("xesam:url")?.asString?.hasSuffix(order[0]) == true, "\(order)")
      #expect(try await kitchen.daemon.get("Shuffle") == .boolean(true))
      try await kitchen.shell("mpris-playerd shuffle off")
      #expect(try await kitchen.queue(inOrderOfPlay: true) == (try await kitchen.queue()))
    }
  }

  @Sendable private static func export(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.add("Music/Band/One.flac", "Music/Band/Two.flac")
      try await kitchen.shell("mpris-playerd Music/Band")
      let stick = try kitchen.home.makeDirectory("stick")
      try await kitchen.shell(try kitchen.script().replacing("/media/stick", with: stick))
      let saved = try kitchen.text("stick/Music/Playlists/Travel.m3u8").split(separator: "\n")
      #expect(saved.filter { !$0.hasPrefix("#") } == ["../Band/One.flac", "../Band/Two.flac"])
      try await kitchen.shell("rm -r Music; mpris-playerd stick/Music/Playlists/Travel.m3u8")
      #expect(try await kitchen.queue() == ["stick/Music/Band/One.flac", "stick/Music/Band/Two.flac"])
    }
  }

  @Sendable private static func duplicates(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.shell("mpris-playerd add bake.flac cook.flac cook.flac")
      #expect(try await kitchen.queue().count == 5)
      try await kitchen.cook()
      #expect(try await kitchen.queue() == ["cook.flac", "bake.flac"])
      try await kitchen.shell("mpris-playerd undo")
      #expect(try await kitchen.queue().count == 5)
    }
  }

  // MARK: Times of day

  @Sendable private static func alarm(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.replace("systemctl")
      try await kitchen.replace("sleep")
      try kitchen.savePlaylist("Morning", ["bake.flac"])
      try await kitchen.daemon.call("Pause")
      try await kitchen.cook()
      #expect(try kitchen.calls(of: "systemctl") == ["--user enable --now alarm.timer"])
      let timer = try values(of: "OnCalendar", in: try kitchen.text(".config/systemd/user/alarm.timer"))
      if Tool.areAvailable("systemd-analyze") { try await kitchen.shell("systemd-analyze calendar '\(timer[0])'") }
      for command in try values(of: "ExecStart", in: try kitchen.text(".config/systemd/user/alarm.service")) {
        try await kitchen.shell(command)
      }
      #expect(try await kitchen.queue() == ["bake.flac"])
      #expect(try await kitchen.daemon.status() == "Playing")
      try await kitchen.daemon.barrier()
      let volumes = kitchen.daemon.signals.elements.compactMap { $0.changes?["Volume"]?.asDouble }
      #expect(volumes.map { ($0 * 100).rounded() } == (5...60).map(Double.init))
      #expect(Set(try kitchen.calls(of: "sleep")) == ["3"])
    }
  }

  /// Returns the values of a key in the file of a unit.
  private static func values(of key: String, in unit: String) throws -> [String] {
    let values = unit.split(separator: "\n").filter { $0.hasPrefix("\(key)=") }.map {
      String($0.dropFirst(key.count + 1))
    }
    try #require(!values.isEmpty, "no \(key)")
    return values
  }

  @Sendable private static func jobs(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.replace("at", by: "cat >\"$HOME/job\"")
      try await kitchen.cook()
      #expect(try kitchen.calls(of: "at") == ["22:30"])
      #expect(try await kitchen.daemon.status() == "Playing")
      try await kitchen.shell(try kitchen.text("job"))
      #expect(try await kitchen.daemon.status() == "Paused")
      try await kitchen.daemon.call("Play")
      let fields: [Substring] = try #require(recipe.text("")).split(separator: " ", maxSplits: 5)
      try #require(fields.count == 6 && fields[0..<5].joined(separator: " ") == "30 22 * * *")
      let user = try RunFolder(in: kitchen.home)
      try user.add(kitchen.daemon.bus)
      let command = "unset XDG_RUNTIME_DIR\n\(fields[5])"
      try await kitchen.shell(command, withBus: false, launcher: try await user.launcher())
      #expect(try await kitchen.daemon.status() == "Paused")
    }
  }

  // MARK: A party and a call

  @Sendable private static func party(_ recipe: Recipe) async throws {
    let sink = ["MPRIS_PLAYERD_AUDIO_SINK": "fakesink sync=true"]
    try await withKitchen(recipe, environment: sink) { kitchen in
      try await kitchen.add("1.flac", "2.flac", seconds: 3)
      try kitchen.savePlaylist("Party", ["1.flac", "2.flac"])
      try await kitchen.daemon.set("Volume", .double(0.1))
      try await kitchen.withInstance(try kitchen.script()) { player, suffix async throws in
        #expect(try await kitchen.extra("Crossfade", of: suffix) == .int64(8_000_000))
        #expect(try await kitchen.value("Shuffle", of: suffix) == .boolean(true))
        #expect(try await kitchen.value("Volume", of: suffix) == .double(0.1))
        #expect(try await player.exitStatus(within: 30) == .exited(0))
      }
      #expect(try await kitchen.daemon.status() == "Paused")
      #expect(try await kitchen.extra("Crossfade") == .int64(0))
    }
  }

  @Sendable private static func fade(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await withMonitor(of: kitchen.daemon) { monitor in
        try await kitchen.daemon.passes(1_000_000)
        let (before, mark) = (try await kitchen.daemon.position(), monitor.signals.count)
        try await kitchen.cook()
        #expect(try await kitchen.daemon.status() == "Paused")
        try await monitor.signal("PropertiesChanged", from: mark) { $0.anchorRate == 0 }
        #expect(try await kitchen.daemon.position() >= before + 2_000_000)
      }
    }
  }

  // MARK: Podcasts and books

  @Sendable private static func podcast(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.cook()
      #expect(try await kitchen.daemon.get("Rate") == .double(1.25))
      #expect(try await kitchen.daemon.position() >= 10_000_000)
      let deadline = try #require(try await kitchen.extra("SleepTimerDeadline").asInt64)
      #expect(deadline > monotonic() + 1_700_000_000)
    }
  }

  @Sendable private static func newest(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.add("Podcasts/A/1.flac", "Podcasts/A/2.flac", "Podcasts/B/1.flac")
      for (day, file) in ["A/1.flac", "B/1.flac", "A/2.flac"].enumerated() {
        try await kitchen.shell("touch -d 2026-01-0\(day + 1) Podcasts/\(file)")
      }
      try await kitchen.cook()
      #expect(try await kitchen.queue() == ["Podcasts/A/2.flac", "Podcasts/B/1.flac", "Podcasts/A/1.flac"])
    }
  }

  @Sendable private static func feed(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.add("b&a.flac")
      let urls = ["b&amp;a.flac", "bake.flac"].map { "file://\(kitchen.home.path)/\($0)" }
      let items = [
        #"<item><title>New</title><enclosure length="9" url="\#(urls[0])" type="audio/flac"/></item>"#,
        #"<item><title>Old</title><enclosure url="\#(urls[1])" type="audio/flac" /></item>"#,
      ]
      try kitchen.home.write("<rss><channel>\(items.joined())</channel></rss>", to: "feed.xml")
      try kitchen.home.write("file://\(kitchen.home.file("cook.flac"))\n", to: "list.txt")
      try await kitchen.replace("curl", by: #"for url; do :; done; cat "$HOME/${url##*/}""#)
      try await kitchen.cook()
      #expect(try await kitchen.queue() == ["b&a.flac", "bake.flac", "cook.flac"])
      let calls = try kitchen.calls(of: "curl")
      #expect(calls == ["-s https://example.org/feed.xml", "-s https://example.org/list.txt"])
    }
  }

  @Sendable private static func show(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      let daemon = kitchen.daemon
      try kitchen.home.write(try kitchen.script(), to: ".config/mpris-playerd/on-track")
      try await kitchen.add("Podcasts/Daily/1.flac", "Podcasts/Weekly/1.flac")
      try await kitchen.shell("mpris-playerd --start 0:40 Podcasts/Daily/1.flac Podcasts/Weekly/1.flac bake.flac")
      try await daemon.changed("Rate") { $0 == .double(1.5) }
      #expect(try await daemon.position() >= 40_000_000)
      let mark = daemon.signals.count
      try await daemon.call("Next")
      let seeked = try await daemon.signals.first("Seeked", from: mark) {
        $0.isSeeked && $0.arguments.first != .int64(0)
      }
      #expect(seeked.element.arguments.first?.asInt64 ?? 0 >= 30_000_000)
      try await daemon.changed("Rate", from: mark) { $0 == .double(1) }
      try await daemon.set("Rate", .double(2))
      try await daemon.call("Next")
      try await daemon.titled("Bake")
      #expect(try await daemon.position() < 30_000_000)
      // The hook runs for a track that has played.
      try await daemon.passes(1_000_000)
      let last = daemon.signals.count
      try await daemon.call("Previous")
      // The hook of this podcast runs after that of the other track, which has kept its speed.
      let again = try await daemon.signals.first("another Seeked", from: last) {
        $0.isSeeked && $0.arguments.first?.asInt64 ?? 0 >= 30_000_000
      }
      try await daemon.changed("Rate", from: again.index) { $0 == .double(1) }
    }
  }

  @Sendable private static func bookmarks(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.daemon.call("Pause")
      try await kitchen.seek(to: 31_500_000)
      try await kitchen.cook()
      #expect(try kitchen.text("bookmarks.txt") == "0:31 file://\(kitchen.home.file("cook.flac"))\n")
      #expect(try await kitchen.queue() == ["cook.flac"])
      #expect(try await kitchen.daemon.status() == "Playing")
      #expect(try await kitchen.daemon.position() >= 31_000_000)
    }
  }

  // MARK: Outputs and machines

  @Sendable private static func output(_ recipe: Recipe) async throws {
    try await withPulseServer { pulse in
      _ = try await pactl(pulse.environment, "load-module", "module-null-sink", "sink_name=other")
      try await withKitchen(recipe, sink: [], environment: pulse.environment) { kitchen in
        let selected = try await kitchen.shell("mpris-playerd output other")
        let lines = try await kitchen.cook().split(separator: "\n")
        #expect(lines.count == 2 && lines.first == selected.split(separator: "\n").first && lines[0] != lines[1])
        #expect(try await kitchen.extra("AudioOutput") == .string(""))
      }
    }
  }

  @Sendable private static func rooms(_ recipe: Recipe) async throws {
    try await withPulseServer { pulse in
      _ = try await pactl(pulse.environment, "load-module", "module-null-sink", "sink_name=kitchen")
      try await withKitchen(recipe, sink: [], environment: pulse.environment) { kitchen in
        try await kitchen.cook(0)
        #expect(try await kitchen.extra("AudioOutput") == .string("both"))
        try kitchen.savePlaylist("Jazz", ["bake.flac"])
        let server = try #require(pulse.process)
        let line = server.lines.count
        try await kitchen.daemon.set("Volume", .double(0.1))
        try await kitchen.withInstance(try kitchen.script(1)) { _, suffix in
          #expect(try await kitchen.value("Volume", of: suffix) == .double(0.1))
          try await server.waitForLine(containing: " on kitchen with sample spec", from: line, within: 20)
        }
      }
    }
  }

  @Sendable private static func machines(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try await kitchen.replace("ssh", by: #"shift; exec sh -c "$*""#)
      try await kitchen.cook()
      let volumes = ["kitchen", "attic"].map { "\($0) mpris-playerd volume 30" }
      #expect(try kitchen.calls(of: "ssh") == ["kitchen mpris-playerd pause"] + volumes)
      #expect(try await kitchen.daemon.status() == "Paused")
      #expect(try await kitchen.daemon.get("Volume").asDouble.map { ($0 * 100).rounded() } == 30)
    }
  }

  @Sendable private static func headless(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      for program in ["sudo", "systemctl"] { try await kitchen.replace(program) }
      try await kitchen.cook()
      let privileged = ["usermod --append --groups audio cook", "loginctl enable-linger cook"]
      #expect(try kitchen.calls(of: "sudo") == privileged)
      #expect(try kitchen.calls(of: "systemctl") == ["--user enable --now mpris-playerd"])
    }
  }

  // MARK: Watching

  @Sendable private static func bar(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      let lines = try kitchen.lines()
      try #require(lines.count == 3)
      try await kitchen.following(lines[0]) { watch in
        try await watch.waitForLine(containing: "– Cook")
        try await kitchen.daemon.call("Next")
        try await watch.waitForLine(containing: "– Bake")
      }
      try await kitchen.following(lines[1]) { try await $0.waitForLine(containing: #""event":"track""#) }
      #expect(try await kitchen.shell(lines[2]).contains(#""title":"Bake""#))
    }
  }

  @Sendable private static func progress(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      let lines = try kitchen.lines()
      try #require(lines.count == 2)
      let words = lines[0].split(separator: " ").map(String.init)
      let program = [DaemonUnderTest.executable] + words.dropFirst()
      try await withPseudoTerminal(program, environment: kitchen.environment()) { try await $0.shows("▶ Cook") }
      try await kitchen.following(lines[1]) { watch in
        let first = try await watch.waitForLine(containing: "position")
        try await watch.waitForLine(containing: "position", from: first.index + 1)
      }
    }
  }

  @Sendable private static func half(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      // A reader of a FIFO gets the line when it is written.
      let diary = kitchen.home.file("diary.txt")
      try #require(unsafe mkfifo(diary, 0o600) == 0)
      try await watching(try kitchen.script(), "AddBoundaryFractionObserver", kitchen, from: 29_500_000) { _ in
        _ = try await withChildProcess(["cat", diary]) { try await $0.waitForLine(containing: "Cook") }
      }
    }
  }

  @Sendable private static func lyrics(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      try kitchen.home.write("[00:01.00]One\n[00:02.00]Two\n", to: "song.lrc")
      try await watching(try kitchen.script(), "AddBoundaryTimeObserver", kitchen, from: 800_000) { watch in
        try await watch.waitForLine(containing: "One")
        try await watch.waitForLine(containing: "Two")
      }
    }
  }

  /// Runs a command that observes boundaries, and seeks before the first one when it does.
  private static func watching(
    _ command: String, _ method: String, _ kitchen: Kitchen, from position: Int64,
    _ body: (ChildProcess) async throws -> Void
  ) async throws {
    try await withBusMonitor(kitchen.daemon.bus, "member='\(method)'") { monitor in
      try await kitchen.following(command) { watch in
        try await monitor.waitForLine(containing: "member=\(method)")
        try await kitchen.seek(to: position)
        try await body(watch)
      }
    }
  }

  @Sendable private static func events(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      let lines = try kitchen.lines()
      try #require(lines.count == 3)
      #expect(try await kitchen.shell(lines[0]).contains("org.playerd.Monitor1"))
      try await kitchen.following(lines[1]) { monitor in
        try await monitor.waitForLine(containing: "is owned by")
        try await kitchen.daemon.call("Pause")
        try await monitor.waitForLine(containing: "'TimeControlStatus': <'paused'>")
      }
      #expect(try await kitchen.shell(lines[2]).contains("int64"))
    }
  }

  @Sendable private static func tracks(_ recipe: Recipe) async throws {
    try await withKitchen(recipe) { kitchen in
      // The first tracks of the daemon have left the queue.
      try await kitchen.shell("mpris-playerd bake.flac cook.flac")
      let lines = try kitchen.lines()
      try #require(lines.count == 3)
      #expect(try await kitchen.shell(lines[0]).split(separator: "\n").count == 2)
      #expect(try await kitchen.shell(lines[1]).hasPrefix(#"ao 2 "/org/playerd/track/"#))
      #expect(try await kitchen.shell(lines[2]).contains("'xesam:title': <'Bake'>"))
    }
  }
}
