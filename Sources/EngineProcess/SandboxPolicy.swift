import Glibc
package import Playback

/// The resources that a process in the sandbox may reach beyond those that every process needs.
package struct SandboxPolicy: Equatable, Sendable {
  /// The files to which the output writes, which are created.
  package var outputs: [String] = []
  /// Whether the process may use the network.
  package var hasNetwork = false
  /// Whether it may read discs.
  package var readsDiscs = false
  /// Whether it may ask the local services that resolve names.
  package var resolvesNames = false
  /// Whether it may connect to the sound servers of the machine, and use the sound cards.
  package var playsSound = false
  /// Whether the output may be the mixer of ALSA, which needs to fork and to serve a local socket.
  package var servesMixer = false

  /// Whether it may make sockets.
  var hasSockets: Bool { hasNetwork || hasLocalSockets }
  /// Whether it may make sockets of local services.
  package var hasLocalSockets: Bool { resolvesNames || playsSound || servesMixer }

  /// The policy of a process that reads local files: it cannot make a socket.
  package static let files = SandboxPolicy()

  /// The policy of a process that reads discs: it cannot make a socket either.
  package static let discs: SandboxPolicy = {
    var policy = files
    policy.readsDiscs = true
    return policy
  }()

  /// The policy of a process that reads from servers.
  package static let streams: SandboxPolicy = {
    var policy = SandboxPolicy()
    (policy.hasNetwork, policy.resolvesNames) = (true, true)
    return policy
  }()

  /// The policy of a process that inspects media of servers and discs, lists outputs, or plays by itself.
  package static let servers: SandboxPolicy = {
    var policy = streams
    (policy.playsSound, policy.readsDiscs) = (true, true)
    return policy
  }()

  private init() {}

  /// Creates the policy of the output of a player.
  package init(output configuration: Player.Configuration) {
    let sink = configuration.audioSink ?? ""
    outputs = Self.outputs(of: sink)
    let elements = sink.split { $0 == "!" || $0.isWhitespace }.map(String.init)
    let isDefault = sink.isEmpty || elements.contains("autoaudiosink")
    servesMixer = elements.contains("alsasink") || isDefault && !Self.hasSoundServer
    // Another output may be selected later.
    playsSound = true
    // The element behind the last exclamation mark.
    let last = sink.split(separator: "!").last.flatMap { $0.split(whereSeparator: \.isWhitespace).first }.map(
      String.init)
    let hasUnknown = last.map { !Self.localSinks.contains($0) } ?? false
    hasNetwork =
      hasUnknown || elements.contains { $0.hasPrefix("server=") } || LocalServices(self).hasSoundServerInNetwork
    resolvesNames = hasNetwork
  }

  /// Creates the policy of a process that plays by itself through the output of a player.
  package init(playing configuration: Player.Configuration) {
    self.init(output: configuration)
    (hasNetwork, resolvesNames, readsDiscs) = (true, true, true)
  }

  /// The sinks that need no network, apart from a server that is named.
  private static let localSinks: Set = [
    "autoaudiosink", "pulsesink", "pipewiresink", "alsasink", "jackaudiosink", "osssink", "oss4sink", "openalsink",
    "fakesink", "filesink", "fdsink", "appsink", "fakeaudiosink",
  ]

  /// Whether a sound server is configured, or has a socket; the default output is the mixer of ALSA without one.
  private static var hasSoundServer: Bool {
    func value(_ variable: String) -> String? { unsafe getenv(variable).map { unsafe String(cString: $0) } }
    if value("PULSE_SERVER") != nil || value("PIPEWIRE_REMOTE") != nil { return true }
    let folders = ["XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "PIPEWIRE_RUNTIME_DIR"].compactMap(value)
    let sockets = folders.flatMap { folder in ["pulse/native", "native", "pipewire-0"].map { "\(folder)/\($0)" } }
    return (sockets + ["/run/pulse/native", "/run/pipewire/pipewire-0"]).contains { unsafe access($0, F_OK) == 0 }
  }

  /// Returns the files that a description of an output names by `location=/…`.
  private static func outputs(of sink: String) -> [String] {
    sink.split(whereSeparator: \.isWhitespace).compactMap { word in
      let property = "location="
      guard word.hasPrefix(property) else { return nil }
      let path = word.dropFirst(property.count).filter { $0 != "\"" }
      return path.hasPrefix("/") ? path : nil
    }
  }
}

// MARK: - Arguments

extension SandboxPolicy {
  private static let (on, off) = ("--sandbox=on", "--sandbox=off")
  private static let output = "--output="
  private static var flags: [(name: String, flag: WritableKeyPath<SandboxPolicy, Bool>)] {
    [
      ("--network", \.hasNetwork), ("--discs", \.readsDiscs), ("--names", \.resolvesNames), ("--sound", \.playsSound),
      ("--mixer", \.servesMixer),
    ]
  }

  /// The arguments of the program; the policy must be known before it starts a thread.
  static func arguments(of policy: SandboxPolicy?) -> [String] {
    guard let policy else { return [off] }
    return [on] + policy.outputs.map { output + $0 } + flags.filter { policy[keyPath: $0.flag] }.map(\.name)
  }

  /// Reads the arguments of the program; nil for no sandbox.
  ///
  /// - Throws: ``WireError`` for an unknown argument.
  static func policy(of arguments: some Collection<String>) throws(WireError) -> SandboxPolicy? {
    if arguments.elementsEqual([off]) { return nil }
    guard arguments.first == on else { throw WireError("an unknown argument") }
    var policy = SandboxPolicy()
    for argument in arguments.dropFirst() {
      if argument.hasPrefix(output) {
        policy.outputs.append(String(argument.dropFirst(output.count)))
      } else if let flag = flags.first(where: { $0.name == argument })?.flag {
        policy[keyPath: flag] = true
      } else {
        throw WireError("an unknown argument")
      }
    }
    return policy
  }
}

/// The parts of the sandbox that are in force in a process.
package struct SandboxState: Codable, CustomStringConvertible, Equatable, Sendable {
  /// The version of the kernel's Landlock, which restricts files; nil without it.
  package var landlock: Int?
  /// Whether system calls are restricted by seccomp.
  package var hasSeccomp: Bool

  package init(landlock: Int?, hasSeccomp: Bool) {
    self.landlock = landlock
    self.hasSeccomp = hasSeccomp
  }

  /// The reason why the sandbox is not complete; nil if it is.
  package var missing: String? {
    switch (landlock != nil, hasSeccomp) {
    case (true, true): nil
    case (false, true): "without Landlock, it can open all files"
    case (true, false): "without seccomp, it can start programs"
    case (false, false): "the kernel has neither Landlock nor seccomp"
    }
  }

  /// The parts as text, such as `Landlock 7, seccomp`.
  package var description: String {
    let parts = [landlock.map { "Landlock \($0)" }, hasSeccomp ? "seccomp" : nil].compactMap(\.self)
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}

extension EngineChild {
  /// What restricts the process: the parts of the sandbox, or `off`; nil until it has reported its start.
  var restrictions: String? { hasStarted ? sandbox?.description ?? "off" : nil }
}
