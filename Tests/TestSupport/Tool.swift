import FoundationEssentials
import Glibc

/// Looks up programs, so that a suite that needs one can say why it is skipped.
public enum Tool {
  /// The absolute path of `name`, looked up in `PATH` unless it is a path already; nil when there is none.
  public static func path(_ name: String) -> String? {
    if name.contains("/") { return isExecutable(name) ? name : nil }
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  /// Whether every one of `names` can be run; for `.enabled(if:)`.
  public static func areAvailable(_ names: String...) -> Bool {
    names.allSatisfy { path($0) != nil }
  }

  /// The path of an executable product of this package, built beside the running tests.
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

/// The environment that children start from.
public enum ChildEnvironment {
  /// The environment of the tests without the desktop around them: no session bus, no display, no audio server, no
  /// XDG folders; English messages.
  public static let base: [String: String] = {
    var environment = ProcessInfo.processInfo.environment.filter { name, _ in
      !["DBUS_", "PULSE_", "PIPEWIRE_", "XDG_", "MPRIS_PLAYERD_"].contains { name.hasPrefix($0) }
        && !["DISPLAY", "WAYLAND_DISPLAY", "LANGUAGE", "NOTIFY_SOCKET"].contains(name)
    }
    environment["LC_ALL"] = "C.UTF-8"
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent"  // this machine's sleep is none of a test's
    environment["PULSE_SERVER"] = "unix:/nonexistent"  // also keeps libpulse from starting a server
    // What the user of this machine has configured, and had played, is none of a test's.
    // Not even root can make these folders.
    environment["XDG_CONFIG_HOME"] = "/proc/nonexistent/config"
    environment["XDG_STATE_HOME"] = "/proc/nonexistent/state"
    // Libraries complain of a cache that cannot be made.
    environment["XDG_CACHE_HOME"] = (try? TemporaryDirectory())?.file("cache") ?? "/proc/nonexistent/cache"
    return environment
  }()
}
