import Glibc
import GstPlayer
import Logging
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdStorage
@testable import PlayerdSystem

@Suite("Configuration")
struct ConfigurationTests {
  private static func sources(
    file: String = "", environment: [String: String] = [:], options: [String: ConfigurationValue] = [:]
  ) throws(ConfigurationError) -> ConfigurationSources {
    var sources = ConfigurationSources()
    try sources.add(ConfigurationFile(file, path: "config.toml"), path: "config.toml")
    try sources.add(environment: environment)
    try sources.add(options: options)
    return sources
  }

  private static func failure(file: String = "", environment: [String: String] = [:]) -> String? {
    do throws(ConfigurationError) {
      _ = try sources(file: file, environment: environment)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("Without a source every key has its default")
  func defaults() throws {
    let sources = try Self.sources()
    #expect(sources.configuration == Configuration())
    for key in ConfigurationKey.all { #expect(sources.origin(of: key) == .standard) }
  }

  @Test("The command line overrides the environment, which overrides the file, and each value has its origin")
  func precedence() throws {
    let file = "volume = 10\nrate = 2\nloop = \"track\"\n"
    let sources = try Self.sources(
      file: file, environment: ["MPRIS_PLAYERD_VOLUME": "20", "MPRIS_PLAYERD_RATE": "3"],
      options: ["volume": .number(30)])
    #expect(sources.configuration.volume == 0.3)
    #expect(sources.configuration.rate == 3)
    #expect(sources.configuration.loop == .track)
    let origins = ["volume", "rate", "loop"].compactMap(ConfigurationKey.named).map(sources.origin(of:))
    #expect(
      origins == [.option("volume"), .variable("MPRIS_PLAYERD_RATE"), .file(path: "config.toml", line: 3)])
  }

  @Test(
    "A volume is in percent, whole or with a percent sign below 4",
    arguments: [
      ("80", 0.8), ("1", 0.01), ("0", 0), ("2", 0.02), ("100", 1), ("400", 4), ("\"80\"", 0.8), ("\"1%\"", 0.01),
      ("\"0.5%\"", 0.005), ("33.5", 0.335), ("4.5", 0.045),
    ])
  func volume(text: String, volume: Double) throws {
    let sources = try Self.sources(file: "volume = \(text)")
    #expect(abs(sources.configuration.volume - volume) < 1e-9)
    let again = try Self.sources(file: sources.text)
    #expect(again.configuration == sources.configuration && sources.warnings.isEmpty)
  }

  @Test(
    "A fraction is not a volume, and the error has the percentage",
    arguments: [
      ("volume", "0.5", "0.5 is a fraction; write 50, because volumes are in percent"),
      ("volume", "1.5", "1.5 is a fraction; write 150, because volumes are in percent"),
      ("volume", "\"1.0\"", "\"1.0\" is a fraction; write 100, because volumes are in percent"),
      ("volume", "\"0.07\"", "\"0.07\" is a fraction; write 7, because volumes are in percent"),
      ("volume-max", "1.5", "1.5 is a fraction; write 150, because volumes are in percent"),
      ("volume-max", "2", "invalid value 2; expected 100 to 400"),
      ("volume", "401", "invalid value 401; expected 0 to 400"),
      ("volume", "-1", "invalid value -1; expected 0 to 400"),
      ("volume", "\"loud\"", "invalid value \"loud\"; expected 0 to 400"),
      ("volume", "nan", "invalid value nan; expected 0 to 400"),
    ])
  func fraction(key: String, text: String, reason: String) {
    #expect(Self.failure(file: "\(key) = \(text)") == "config.toml:1: \(key): \(reason)")
  }

  @Test("A variable does not accept a fraction as a volume either")
  func fractionInVariable() {
    #expect(
      throws: ConfigurationError(
        "$MPRIS_PLAYERD_VOLUME: \"0.5\" is a fraction; write 50, because volumes are in percent")
    ) {
      try Self.sources(environment: ["MPRIS_PLAYERD_VOLUME": "0.5"])
    }
  }

  @Test("A fade is in seconds, up to five, and is off by default")
  func fade() throws {
    #expect(try Self.sources().configuration.player.fade == .zero)
    #expect(try Self.sources(file: "fade = 0.3").configuration.player.fade == .milliseconds(300))
    #expect(try Self.sources(environment: ["MPRIS_PLAYERD_FADE": "5"]).configuration.player.fade == .seconds(5))
    #expect(Self.failure(file: "fade = 5.5") == "config.toml:1: fade: invalid value 5.5; expected 0 to 5")
  }

  @Test("The pitch is kept unless it is set to follow the speed")
  func pitch() throws {
    #expect(try Self.sources().configuration.player.timePitchAlgorithm == .timeDomain)
    #expect(try Self.sources(file: "pitch = \"follow\"").configuration.player.timePitchAlgorithm == .varispeed)
  }

  @Test("The processes of media have a sandbox unless the key is off")
  func sandbox() throws {
    #expect(try Self.sources().configuration.player.engine.sandbox == .on)
    #expect(try Self.sources(file: "sandbox = \"off\"").configuration.player.engine.sandbox == .off)
  }

  @Test("The printed configuration is a file that sets the same values")
  func roundTrip() throws {
    let file = """
      volume = 25
      shuffle = true
      audio-sink = "pulsesink device=\\"a\\\\b\\""
      audio-languages = ["de", "pt-BR"]
      allowed-roots = ["/srv/music", "/home/käthe"]
      log-level = "debug"
      """
    let sources = try Self.sources(file: file)
    #expect(sources.configuration.audioSink == "pulsesink device=\"a\\b\"")
    #expect(sources.configuration.player.preferredAudioLanguages == ["de", "pt-BR"])
    #expect(sources.configuration.allowedRoots == ["/srv/music", "/home/käthe"])
    #expect(try Self.sources(file: sources.text).configuration == sources.configuration)
  }

  @Test(
    "A mistake in a file is reported with its line, its key and the valid values",
    arguments: [
      ("\nvolume = 500", "config.toml:2: volume: invalid value 500; expected 0 to 400"),
      ("volume = \"loud\"", "config.toml:1: volume: invalid value \"loud\"; expected 0 to 400"),
      ("volume-max = 50", "config.toml:1: volume-max: invalid value 50; expected 100 to 400"),
      ("volume = true", "config.toml:1: volume: invalid value true; expected 0 to 400"),
      ("volume = nan", "config.toml:1: volume: invalid value nan; expected 0 to 400"),
      ("loop = \"all\"", "config.toml:1: loop: invalid value \"all\"; expected none, track or playlist"),
      ("shuffle = 1", "config.toml:1: shuffle: invalid value 1; expected true, false or albums"),
      ("shuffle = \"on\"", "config.toml:1: shuffle: invalid value \"on\"; expected true, false or albums"),
      ("# a remark\nvolum = 1", "config.toml:2: volum: unknown key; did you mean “volume”?"),
      ("zzzzzzzzzz = 1", "config.toml:1: zzzzzzzzzz: unknown key"),
      (
        "audio-languages = [\"de\", \"all of them\"]",
        "config.toml:1: audio-languages: “all of them” is not a language code, such as “de” or “pt-BR”"
      ),
      (
        "text-encoding = \"utf-16\"",
        "config.toml:1: text-encoding: “utf-16” is not an encoding with ASCII characters that iconv knows"
      ),
      (
        "certificates = [\"nas.local=sha256:12\"]",
        "config.toml:1: certificates: “nas.local=sha256:12” is not of the form “host=sha256:” and 64 hexadecimal digits"
      ),
      ("allowed-roots = [\"music\"]", "config.toml:1: allowed-roots: “music” is not an absolute path"),
      (
        "allowed-schemes = [\"a b\"]", "config.toml:1: allowed-schemes: “a b” is not a URI scheme, such as “rtsp”"
      ),
      (
        "user-agent = \" a\"", "config.toml:1: user-agent: header \"User-Agent\": the value begins or ends with a space"
      ),
      (
        "allowed-roots = [1]",
        "config.toml:1: allowed-roots: the value is not a string, a number, true, false or a list of strings"
      ),
      (
        "rate = 1\n[volume]\nx = 1",
        "config.toml:2: [volume]: sections are not supported; put the keys at the top level"
      ),
      (
        " [ audio ] # output\nfade = 1",
        "config.toml:1: [audio]: sections are not supported; put the keys at the top level"
      ),
      (
        "rate = 1\n\nnetwork.buffer = 5",
        "config.toml:3: [network]: sections are not supported; put the keys at the top level"
      ),
      ("rate = 1\n[a.b]\nx = 1", "config.toml:2: [a]: sections are not supported; put the keys at the top level"),
      ("rate = 1\n[[a]]\nx = 1", "config.toml:2: [a]: sections are not supported; put the keys at the top level"),
      ("volume = loud", "config.toml:1: volume: invalid value “loud”; expected 0 to 400"),
      ("rate = fast", "config.toml:1: rate: invalid value “fast”; expected 0.25 to 4"),
      ("notify = yes", "config.toml:1: notify: invalid value “yes”; expected true or false"),
      ("rate = 1\nresume = playing", "config.toml:2: resume: a string needs quotes, as in resume = \"playing\""),
      (
        "playlists-directory = /srv/lists # here",
        "config.toml:1: playlists-directory: a string needs quotes, as in playlists-directory = \"/srv/lists\""
      ),
      ("volume = 1\nrate = \n", "config.toml:2: rate: the value is missing"),
      ("volume = 1\r\nrate = \r\n", "config.toml:2: rate: the value is missing"),
      ("rate = 1\nrate = 2", "config.toml:2: rate: the key is set twice"),
      ("rate 2", "config.toml:1: the line does not have the form key = value"),
      ("rate = [1, ", "config.toml:1: rate: “[1,” is not a string in quotes, a number, true, false or a list"),
    ])
  func wrong(_ file: String, _ message: String) {
    #expect(Self.failure(file: file) == message)
  }

  @Test("A TOML syntax error is reported with its line", arguments: ["\u{0}= 1\n[[", "=", "\n\n]", "rate = \"1\n\n"])
  func malformed(_ file: String) {
    #expect(Self.failure(file: file)?.hasPrefix("config.toml:") == true)
  }

  @Test("A variable is parsed as the type of its key, and an invalid one is named")
  func variables() throws {
    let sources = try Self.sources(
      environment: [
        "MPRIS_PLAYERD_SHUFFLE": "yes", "MPRIS_PLAYERD_ALLOWED_ROOTS": "/a, /b", "MPRIS_PLAYERD_AUDIO_SINK": "fakesink",
        "UNRELATED": "x",
      ])
    #expect(sources.configuration.shuffle == .tracks)
    #expect(sources.configuration.allowedRoots == ["/a", "/b"])
    #expect(sources.configuration.audioSink == "fakesink")
    #expect(
      Self.failure(environment: ["MPRIS_PLAYERD_RATE": "fast"])
        == "$MPRIS_PLAYERD_RATE: invalid value “fast”; expected 0.25 to 4")
    #expect(
      Self.failure(environment: ["MPRIS_PLAYERD_RATE": "9"])
        == "$MPRIS_PLAYERD_RATE: invalid value 9; expected 0.25 to 4")
  }

  @Test("An unknown variable with the prefix of the program is a warning with a suggestion")
  func unknownVariable() throws {
    let sources = try Self.sources(environment: ["MPRIS_PLAYERD_VOLUM": "1", "MPRIS_PLAYERD_LOOP": "track", "X": "y"])
    #expect(sources.warnings == ["$MPRIS_PLAYERD_VOLUM: unknown key; did you mean “MPRIS_PLAYERD_VOLUME”?"])
    #expect(sources.configuration.loop == .track)
  }

  @Test("Addresses of a resolver without its command are a warning")
  func resolverWithoutCommand() throws {
    var sources = try Self.sources(environment: ["MPRIS_PLAYERD_RESOLVER_FOR": "video.example"])
    #expect(sources.warnings == ["resolver-for: nothing is resolved without the key resolver"])
    sources = try Self.sources(environment: [
      "MPRIS_PLAYERD_RESOLVER_FOR": "video.example", "MPRIS_PLAYERD_RESOLVER": "yt-dlp",
    ])
    #expect(sources.warnings.isEmpty)
  }

  @Test("The session takes precedence over the file and the defaults, and variables and options over the session")
  func session() throws {
    var session = SavedSession()
    (session.volume, session.rate, session.loop, session.order) = (0.125, 1.5, .playlist, [0])
    var sources = try Self.sources(file: "volume = 90\nrate = 2\n", environment: ["MPRIS_PLAYERD_LOOP": "track"])
    try sources.add(options: ["shuffle": .boolean(false)])
    sources.add(session, restoringQueue: true)
    #expect(sources.configuration.volume == 0.5)
    #expect(sources.configuration.rate == 1.5)
    #expect(sources.configuration.loop == .track)
    #expect(sources.configuration.shuffle == .off)
    let origins = ["volume", "rate", "loop", "shuffle"].map { sources.origins[$0]?.description }
    #expect(origins == ["session", "session", "$MPRIS_PLAYERD_LOOP", "--shuffle"])
  }

  @Test("The random order of albums comes from the file, a variable or the session")
  func shuffledAlbums() throws {
    #expect(try Self.sources(file: "shuffle = \"albums\"\n").configuration.shuffle == .albums)
    #expect(try Self.sources(environment: ["MPRIS_PLAYERD_SHUFFLE": "albums"]).configuration.shuffle == .albums)
    #expect(
      Self.failure(environment: ["MPRIS_PLAYERD_SHUFFLE": "discs"])
        == "$MPRIS_PLAYERD_SHUFFLE: invalid value \"discs\"; expected true, false or albums")
    var session = SavedSession(queue: ["file:///a"], order: [0])
    for keepsAlbums in [false, true] {
      session.keepsAlbums = keepsAlbums
      var sources = ConfigurationSources()
      sources.add(session, restoringQueue: true)
      #expect(sources.configuration.shuffle == (keepsAlbums ? .albums : .tracks))
      #expect(sources.text.contains("shuffle = \(keepsAlbums ? "\"albums\"" : "true")\n"))
    }
  }

  @Test("With keep-volume disabled, a start has the configured volume and not the session's")
  func sessionVolume() throws {
    var session = SavedSession()
    (session.volume, session.loop) = (0.125, .playlist)
    for (file, volume) in [("volume = 80", 0.5), ("volume = 80\nkeep-volume = false", 0.8)] {
      var sources = ConfigurationSources()
      try sources.add(ConfigurationFile(file, path: "c"), path: "c")
      sources.add(session, restoringQueue: true)
      #expect(sources.configuration.volume == volume)
      #expect(sources.configuration.loop == .playlist)
    }
  }

  @Test("Without a session, a start has the volume of the player that runs, unless another one is given or kept")
  func lastVolume() throws {
    for (file, volume) in [("volume = 80", 0.1), ("volume = 80\nkeep-volume = false", 0.8)] {
      var sources = try Self.sources(file: file)
      sources.add(lastVolume: 0.1)
      #expect(sources.configuration.volume == volume)
    }
    var sources = ConfigurationSources()
    try sources.add(options: ["volume": .number(40)])
    sources.add(lastVolume: 0.1)
    #expect(sources.configuration.volume == 0.4)
  }

  @Test("A new queue does not adopt the speed of the session, unless keep-rate is set")
  func sessionRate() throws {
    var session = SavedSession()
    session.rate = 1.5
    for (file, rate) in [("rate = 2", 2.0), ("rate = 2\nkeep-rate = true", 1.5)] {
      var sources = try Self.sources(file: file)
      sources.add(session, restoringQueue: false)
      #expect(sources.configuration.rate == rate)
    }
  }

  @Test("Keys are unique, in kebab case, and have a summary")
  func rows() {
    #expect(Set(ConfigurationKey.all.map(\.name)).count == ConfigurationKey.all.count)
    for key in ConfigurationKey.all {
      #expect(key.name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(key.name)")
      #expect(key.summary.hasSuffix("."), "\(key.name)")
      #expect(key.kind.objection(to: key.value(in: Configuration())) == nil, "\(key.name)")
    }
  }

  @Test("Reloading applies values that can change, keeps the others for the next start, and ignores an invalid file")
  func reload() {
    let files = ["volume-max = 200\nfade = 2\nrate = 2\n", "volume-max = 9\nallow-quit = false\n"]
    let settings = [0, 1].map { index in
      Settings(ConfigurationSources()) { () throws(ConfigurationError) in try Self.sources(file: files[index]) }
    }
    let log = Logger(label: "test")
    #expect(throws: Never.self) { try settings[0].reload(log: log) }
    #expect(throws: ConfigurationError.self) { try settings[1].reload(log: log) }
    #expect(settings[0].current.maximumVolume == 2 && settings[0].current.fade == 2)
    #expect(settings[0].current.rate == 1)
    #expect(settings[1].current == Configuration())
  }

  @Test("Of concurrent reloads, each reads the file after the one before has ended")
  func concurrentReloads() async throws {
    let steps = EventLog<String>()
    let settings = Settings(ConfigurationSources(), threshold: LogThreshold()) { () throws(ConfigurationError) in
      steps.append("begin")
      // Time for the other reload to begin.
      for _ in 0..<1000 where steps.count == 1 { sched_yield() }
      steps.append("end")
      return ConfigurationSources()
    }
    for executor in [QueueExecutor(label: "test.signal"), QueueExecutor(label: "test.control")] {
      executor.run { _ = try? settings.reload(log: Logger(label: "test")) }
    }
    try await steps.first("the end of the second reload", from: 3)
    #expect(steps.elements == ["begin", "end", "begin", "end"])
  }
}
