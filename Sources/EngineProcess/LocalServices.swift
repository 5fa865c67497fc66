import Glibc

/// The sockets of this machine's services to which a process in the sandbox may connect.
struct LocalServices: Sendable {
  private let policy: SandboxPolicy
  private let variable: @Sendable (String) -> String?
  private let read: @Sendable (String) -> String?

  /// Creates the services of a policy.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - variable: Returns the value of a variable of the environment.
  ///   - read: Returns the content of a file of settings; nil if there is none.
  init(
    _ policy: SandboxPolicy,
    variable: @escaping @Sendable (String) -> String? = { name in unsafe getenv(name).map { unsafe String(cString: $0) }
    },
    read: @escaping @Sendable (String) -> String? = { LocalServices.content(of: $0) }
  ) { (self.policy, self.variable, self.read) = (policy, variable, read) }

  /// Whether the process may connect to the socket at a path.
  func allows(_ path: String) -> Bool {
    if policy.resolvesNames, Self.names.contains(path) { return true }
    if policy.servesMixer, path.hasPrefix(Self.mixer), !path.contains("..") { return true }
    return policy.playsSound && sound.contains(path)
  }

  /// The name services: the services behind Debian's NSS modules, and the cache of names.
  ///
  /// `getaddrinfo` asks `nss-resolve`, `nss-mdns`, `nss-sss` and `nscd`, and `getpwuid` asks `nss-systemd`.
  static let names: Set = [
    "/run/systemd/resolve/io.systemd.Resolve", "/run/avahi-daemon/socket", "/var/run/avahi-daemon/socket",
    "/run/nscd/socket", "/var/run/nscd/socket", "/var/lib/sss/pipes/nss",
    "/run/systemd/userdb/io.systemd.Multiplexer", "/run/systemd/userdb/io.systemd.DynamicUser",
    "/run/systemd/userdb/io.systemd.NameServiceSwitch",
  ]

  /// The socket of ALSA's mixer.
  private static let mixer = "/tmp/alsa-dmix-"

  /// The sockets of the sound servers.
  private var sound: Set<String> {
    func folder(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let runtime = folder("XDG_RUNTIME_DIR")
    let pulse = [folder("PULSE_RUNTIME_PATH"), runtime.map { "\($0)/pulse" }, "/run/pulse", "/var/run/pulse"]
    let pipeWire = [folder("PIPEWIRE_RUNTIME_DIR"), runtime, "/run/pipewire"]
    let remotes = [variable("PIPEWIRE_REMOTE"), "pipewire-0"].compactMap(\.self)
    var paths = Set(pulse.compactMap(\.self).map { "\($0)/native" })
    paths.formUnion(pipeWire.compactMap(\.self).flatMap { folder in remotes.map { "\(folder)/\($0)" } })
    paths.formUnion(remotes.filter { $0.hasPrefix("/") })
    paths.formUnion(servers.compactMap(Self.path))
    return paths.filter { $0.hasPrefix("/") }
  }

  /// Whether a server of PulseAudio is in the network.
  var hasSoundServerInNetwork: Bool { servers.contains { Self.path(of: $0) == nil } }

  /// The servers of PulseAudio that the environment or its settings name.
  private var servers: [Substring] {
    let config = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" }
    let files = [
      variable("PULSE_CLIENTCONFIG"), config.map { "\($0)/pulse/client.conf" },
      variable("HOME").map { "\($0)/.pulse/client.conf" },
      "/etc/pulse/client.conf",
    ]
    let settings = files.compactMap(\.self).compactMap(read).flatMap(Self.defaultServers)
    return ([variable("PULSE_SERVER")].compactMap(\.self) + settings).flatMap {
      $0.split(whereSeparator: \.isWhitespace)
    }
  }

  /// Returns the values of the setting that names the server, from the text of a file.
  private static func defaultServers(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingPrefix(while: \.isWhitespace) }
      guard parts.count == 2, parts[0].prefix(while: { !$0.isWhitespace }) == "default-server" else { return nil }
      return String(parts[1])
    }
  }

  /// Returns the path of a server; nil for one in the network.
  ///
  /// A server may be preceded by the ID of its machine, in braces.
  ///
  /// <https://www.freedesktop.org/wiki/Software/PulseAudio/Documentation/User/ServerStrings/>
  private static func path(of server: Substring) -> String? {
    let address = server.first == "{" ? server.drop { $0 != "}" }.dropFirst() : server
    if address.hasPrefix("unix:") { return String(address.dropFirst(5)) }
    return address.hasPrefix("/") ? String(address) : nil
  }

  /// Returns the first 256 KiB of a file.
  static func content(of path: String) -> String? {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    let count = unsafe Glibc.read(file, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
