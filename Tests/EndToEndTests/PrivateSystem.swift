import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The private services and files with which the daemon and its processes find names and check certificates.
struct PrivateSystem: Sendable {
  /// The lines of `/etc/nsswitch.conf`.
  var hosts = "files"
  var users = "files systemd"
  /// The names of 127.0.0.1 in `/etc/hosts`.
  var names: [String] = []
  /// The address of the DNS server; without one, none answers.
  var nameServer = "127.0.0.1"
  /// The certificates of the trusted authorities; nil keeps the system's file.
  var authorities: String?

  /// A started system.
  struct Running: Sendable {
    /// The beginning of the command line of a program in the system.
    let launcher: [String]
    let environment: [String: String]
    fileprivate let folder: TemporaryDirectory

    /// Returns the path at which a service makes the socket that programs see below `/run`.
    func socket(_ path: String) throws -> String {
      let parent = path.split(separator: "/").dropLast().joined(separator: "/")
      return try folder.makeDirectory("run/\(parent)") + "/\(path.split(separator: "/").last ?? "")"
    }
  }

  /// Runs `body` with the system; cancels the test if it cannot be made, or if it lacks a module of names.
  func run(_ body: (Running) async throws -> Void) async throws {
    let needed = (hosts + " " + users).split(separator: " ").map(String.init).filter {
      NameModule.optional.contains($0)
    }
    let missing = needed.filter { !NameModule.isInstalled($0) }
    guard missing.isEmpty else {
      try Test.cancel("modules of names are not installed: \(missing.joined(separator: ", "))")
    }
    try await withTemporaryDirectory { folder in
      let files = [
        ("nsswitch.conf", "passwd: \(users)\ngroup: \(users)\nhosts: \(hosts)\n"),
        ("hosts", "127.0.0.1 \((["localhost"] + names).joined(separator: " "))\n"),
        ("resolv.conf", "nameserver \(nameServer)\noptions timeout:1 attempts:1\n"),
      ]
      var mounts = [(file: try folder.makeDirectory("run"), place: "/run")]
      for (name, text) in files { mounts.append((try folder.write(text, to: name), "/etc/\(name)")) }
      if let authorities {
        mounts.append((try folder.write(authorities, to: "certificates"), "/etc/ssl/certs/ca-certificates.crt"))
      }
      guard let launcher = try await PrivateMounts.launcher(mounts) else {
        try Test.cancel("\(PrivateMounts.unavailable)")
      }
      try await body(Running(launcher: launcher, environment: NameModule.environment, folder: folder))
    }
  }
}

/// The modules of names that the C library loads, apart from its own.
enum NameModule {
  static let optional = ["mdns4_minimal", "resolve", "myhostname", "mymachines", "systemd"]

  /// The folder into which `scripts/install-deps.sh` unpacks modules whose packages would change the system.
  private static let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/.build-test/nss"

  static func isInstalled(_ module: String) -> Bool {
    let library = "libnss_\(module).so.2"
    return unsafe FileManager.default.fileExists(atPath: "\(folder)/\(library)") || dlopen(library, RTLD_LAZY) != nil
  }

  /// The variables of a program that finds the modules.
  static var environment: [String: String] {
    let own = ChildEnvironment.base["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
    return ["LD_LIBRARY_PATH": folder + own]
  }
}
