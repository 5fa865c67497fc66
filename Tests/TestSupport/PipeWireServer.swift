/// A private PipeWire sound server: `pipewire`, `wireplumber` and `pipewire-pulse`, with one output, a null sink.
public final class PipeWireServer: Sendable {
  /// Whether the programs are installed; for `.enabled(if:_:)`, with ``unavailable`` as the reason.
  public static var isAvailable: Bool {
    Tool.areAvailable("pipewire", "wireplumber", "pipewire-pulse", "pw-metadata", "pactl")
  }
  /// The reason for skipping a suite that needs PipeWire.
  public static let unavailable = "pipewire, wireplumber, pipewire-pulse or pulseaudio-utils is not installed"

  /// Whether the output changes to the rate of a stream, as a device does; from PipeWire 1 on, the server converts for it.
  public static var switchesRate: Bool {
    get async throws { try await run(["pipewire", "--version"]).output.contains("libpipewire 0.") }
  }

  /// Whether the policy of the server can give streams priorities by their roles, in the language of ``rolePolicy``.
  public static var hasRoles: Bool {
    get async throws {
      try await run(["wireplumber", "--version"]).output.contains("libwireplumber 0.4")
    }
  }

  /// The name of the output, which can be recorded from `<name>.monitor`.
  public static let sink = "playerd-null"

  private let home: String
  private let sound: PrivateServer
  private let pulse: PrivateServer
  private let policy: PrivateServer

  init(in directory: TemporaryDirectory, rates: [Int], hasRoles: Bool) throws {
    home = directory.path
    for folder in ["pipewire/pipewire", "wireplumber/wireplumber"] { try directory.makeDirectory("\(folder).conf.d") }
    try directory.write(Self.soundConfiguration(rates), to: "pipewire/pipewire.conf.d/null-sink.conf")
    try directory.write(Self.policyConfiguration, to: "wireplumber/wireplumber.conf.d/no-hardware.conf")
    for (folder, text) in Self.olderPolicyConfiguration {
      try directory.makeDirectory("wireplumber/\(folder).lua.d")
      try directory.write(text, to: "wireplumber/\(folder).lua.d/51-no-hardware.lua")
    }
    if hasRoles {
      try directory.makeDirectory("wireplumber/policy.lua.d")
      try directory.write(Self.rolePolicy, to: "wireplumber/policy.lua.d/51-roles.lua")
    }
    let environment = [
      "HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": directory.file("state"),
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(TemporaryDirectory.missing)", "PIPEWIRE_DEBUG": "3",
    ]
    sound = PrivateServer(["pipewire"], environment: environment, readiness: "start main loop")
    pulse = PrivateServer(["pipewire-pulse"], environment: environment, readiness: "start main loop")
    let quiet = environment.merging(["PIPEWIRE_DEBUG": "2"]) { $1 }
    policy = PrivateServer(["wireplumber"], environment: quiet, readiness: nil)
  }

  /// The environment in which a client plays on this server, through either protocol.
  public var environment: [String: String] {
    ["PULSE_SERVER": "unix:\(home)/pulse/native", "PIPEWIRE_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home]
  }

  /// Starts the server; returns when streams are linked to the output.
  func start() async throws {
    try await sound.start()
    try await policy.start()
    try await pulse.start()
    // The policy sets the default output once it links streams.
    let watch = ["pw-metadata", "--monitor", "--name", "default"]
    try await withChildProcess(watch, environment: environment) { metadata in
      try await metadata.waitForLine(containing: "default.audio.sink", within: 20)
    }
  }

  /// Kills the server as a crash would.
  public func kill() async {
    for program in [pulse, policy, sound] { await program.stop() }
  }

  /// Restarts the server on the same addresses; a running server is killed first.
  public func restart() async throws {
    await kill()
    try await start()
  }

  /// Returns a configuration with a long quantum, which gives a loaded machine more time.
  private static func soundConfiguration(_ rates: [Int]) -> String {
    """
    context.properties = {
      default.clock.rate = \(rates.first ?? Waveform.sampleRate)
      default.clock.allowed-rates = [ \(rates.map(String.init).joined(separator: " ")) ]
      default.clock.quantum = 8192
      default.clock.min-quantum = 8192
      default.clock.max-quantum = 8192
    }
    context.objects = [ {
      factory = adapter
      args = {
        factory.name = support.null-audio-sink
        node.name = \(sink)
        node.description = "Null Output"
        media.class = Audio/Sink
        audio.position = [ FL FR ]
        monitor.channel-volumes = true
      }
    } ]
    """
  }

  /// Music is disconnected while a stream of the role Phone or Communication lasts.
  private static let rolePolicy = """
    default_policy.policy.roles = {
      ["Multimedia"] = { ["alias"] = { "Music" }, ["priority"] = 25, ["action.default"] = "cork" },
      ["Communication"] = { ["alias"] = { "Phone" }, ["priority"] = 75, ["action.default"] = "cork" },
    }
    default_policy.endpoints = {
      ["endpoint.multimedia"] = { ["media.class"] = "Audio/Sink", ["role"] = "Multimedia" },
      ["endpoint.communication"] = { ["media.class"] = "Audio/Sink", ["role"] = "Communication" },
    }

    """

  /// No hardware device is opened.
  private static let policyConfiguration = """
    wireplumber.profiles = {
      main = { hardware.audio = disabled, hardware.bluetooth = disabled, hardware.video-capture = disabled }
    }
    """

  /// The same configuration for WirePlumber before 0.5, in Lua.
  ///
  /// Version 0.4.13 does not have a `bluez_midi_monitor`, and exits if there is no session bus for the portal.
  private static let olderPolicyConfiguration = [
    "main": """
    alsa_monitor.enabled = false
    v4l2_monitor.enabled = false
    libcamera_monitor.enabled = false
    default_access.properties["enable-flatpak-portal"] = false

    """,
    "bluetooth": """
    bluez_monitor.enabled = false
    if bluez_midi_monitor then bluez_midi_monitor.enabled = false end

    """,
  ]
}

/// Runs `body` with a private sound server; kills and reaps it when the body returns or throws.
///
/// The output runs at the first of `rates`, and changes to another one for a stream that begins while no other plays. With `hasRoles`,
/// a call disconnects the music.
@discardableResult
public func withPipeWireServer<T>(
  rates: [Int] = [Waveform.sampleRate], hasRoles: Bool = false, _ body: (PipeWireServer) async throws -> T
) async throws -> T {
  try await withTemporaryDirectory { directory in
    let server = try PipeWireServer(in: directory, rates: rates, hasRoles: hasRoles)
    return try await scoped {
      try await server.start()
      return try await body(server)
    } close: {
      await server.kill()
    }
  }
}
