import FoundationEssentials
import Glibc

/// A lookup of programs, so that a suite can report the missing program when it is skipped.
public enum Tool {
  /// Returns the absolute path of `name`, looked up in `PATH` unless it is a path; nil if there is no such program.
  public static func path(_ name: String) -> String? {
    if name.contains("/") { return isExecutable(name) ? name : nil }
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  /// Whether all `names` can be run; for `.enabled(if:)`.
  public static func areAvailable(_ names: String...) -> Bool {
    names.allSatisfy { path($0) != nil }
  }

  /// Returns the path of an executable product of this package, which is built beside the running tests.
  public static func built(_ product: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = tests.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(product)"
    guard isExecutable(path) else { throw SystemCallError(call: path, code: ENOENT) }
    return path
  }

  private static func isExecutable(_ path: String) -> Bool {
    unsafe access(path, X_OK) == 0
  }
}

/// The initial environment of children.
public enum ChildEnvironment {
  /// The environment of the tests without the desktop, and with English messages.
  ///
  /// Removed are the session bus, also that of a user who is logged in, the display, the audio server and the XDG folders.
  public static let base: [String: String] = {
    var environment = ProcessInfo.processInfo.environment.filter { name, _ in
      !["DBUS_", "PULSE_", "PIPEWIRE_", "XDG_", "MPRIS_PLAYERD_"].contains { name.hasPrefix($0) }
        && !["DISPLAY", "WAYLAND_DISPLAY", "LANGUAGE", "NOTIFY_SOCKET"].contains(name)
    }
    environment["LC_ALL"] = "C.UTF-8"
    // Without this variable, the user's bus is found in /run/user.
    environment["XDG_RUNTIME_DIR"] = TemporaryDirectory.missing
    // The machine's suspend must not reach a test.
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(TemporaryDirectory.missing)"
    // This also keeps libpulse from starting a server.
    environment["PULSE_SERVER"] = "unix:\(TemporaryDirectory.missing)"
    // A test must not read the user's configuration and saved session.
    // Not even root can create these folders.
    environment["XDG_CONFIG_HOME"] = "/proc/nonexistent/config"
    environment["XDG_STATE_HOME"] = "/proc/nonexistent/state"
    // Libraries log a cache folder that cannot be created.
    environment["XDG_CACHE_HOME"] = (try? TemporaryDirectory())?.file("cache") ?? "/proc/nonexistent/cache"
    // A scan of GStreamer's plug-ins takes half a second of a processor.
    environment["GST_REGISTRY_1_0"] = pluginRegistry
    return environment
  }()

  /// The variables of a child without a session bus.
  public static let withoutBus = [
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(TemporaryDirectory.missing)/bus",
    "XDG_RUNTIME_DIR": TemporaryDirectory.missing,
  ]

  /// The registry file of GStreamer's plug-ins, outside the folders of a test.
  private static let pluginRegistry: String? = {
    let own = ProcessInfo.processInfo.environment
    if let file = own["GST_REGISTRY_1_0"] ?? own["GST_REGISTRY"] { return file }
    var system = utsname()
    guard let cache = own["XDG_CACHE_HOME"] ?? own["HOME"].map({ "\($0)/.cache" }), unsafe uname(&system) == 0 else {
      return nil
    }
    let machine = unsafe withUnsafeBytes(of: &system.machine) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "\(cache)/gstreamer-1.0/registry.\(machine).bin"
  }()
}
