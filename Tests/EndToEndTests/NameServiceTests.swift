import DBus
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of the names and certificates of servers, which the streaming process in the sandbox reads and asks for.
@Suite("Names and certificates of servers", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct NameServiceTests {
  private static let avahi = "avahi-daemon/socket"
  private static let resolved = "systemd/resolve/io.systemd.Resolve"
  /// The line of a Debian desktop, with each module of names that Debian installs there.
  private static let desktop =
    "files mymachines mdns4_minimal [NOTFOUND=return] resolve [!UNAVAIL=return] myhostname dns"

  /// Serves tracks at paths that are their titles, and returns the port.
  private func serve(_ titles: String..., on server: HTTPServer) async throws -> String {
    for title in titles {
      let file = try await Media.sine(seconds: 30, format: .flac, tags: Tags(title: title))
      server.script("/\(title)", try .file(file))
    }
    return String(try #require(server.origin.split(separator: ":").last))
  }

  /// Starts the daemon in a system with items, and runs `body` with it; no process of the engine may end.
  private func withPlayer(
    _ items: [String], in system: PrivateSystem.Running, launcher: [String] = [],
    _ body: (DaemonUnderTest) async throws -> Void
  ) async throws {
    try await withDaemon(items, environment: system.environment, launcher: system.launcher + launcher) { daemon in
      try await body(daemon)
      #expect(!daemon.process.captured(.error).contains("process ended"), "\(daemon.process.diagnostics)")
    }
  }

  /// Replies as avahi-daemon does to libnss-mdns: with an address, or with the error for an unknown name.
  private static func reply(ofAvahi request: String, _ names: [String]) -> String {
    let words = request.split(separator: " ").map(String.init)
    guard words.count == 2, words[0] == "RESOLVE-HOSTNAME-IPV4", names.contains(words[1]) else {
      return "-15 Timeout reached"
    }
    return "+ 1 0 \(words[1]) 127.0.0.1"
  }

  /// Replies as systemd-resolved does to libnss-resolve.
  ///
  /// <https://www.freedesktop.org/software/systemd/man/latest/systemd-resolved.service.html>
  private static func reply(ofResolved request: String, _ names: [String]) -> String? {
    struct Request: Decodable {
      struct Parameters: Decodable {
        var name: String
        var family: Int?
      }
      var method: String
      var parameters: Parameters
    }
    guard let request = try? JSONDecoder().decode(Request.self, from: Data(request.utf8)),
      request.method == "io.systemd.Resolve.ResolveHostname"
    else { return nil }
    let name = request.parameters.name
    guard names.contains(name) else { return #"{"error":"io.systemd.Resolve.DNSError","parameters":{"rcode":3}}"# }
    guard request.parameters.family != Int(AF_INET6) else {
      return #"{"error":"io.systemd.Resolve.NoSuchResourceRecord","parameters":{}}"#
    }
    let address = #"{"ifindex":1,"family":2,"address":[127,0,0,1]}"#
    return #"{"parameters":{"addresses":[\#(address)],"name":"\#(name)","flags":1}}"#
  }

  @Test("A name in .local, which avahi resolves, plays, also from a server with TLS whose authority the system trusts")
  func local() async throws {
    let system = PrivateSystem(hosts: Self.desktop, authorities: TestAuthority.certificate)
    try await withHTTPServer { server in
      let port = try await serve("Plain", "Secure", on: server)
      try await system.run { system in
        try await withLocalService(at: system.socket(Self.avahi), delimiter: "\n") {
          Self.reply(ofAvahi: $0, ["radio.local"])
        } _: { avahi in
          try await withPlayer(["http://radio.local:\(port)/Plain"], in: system) { daemon in
            try await daemon.titled("Plain")
            try await daemon.passes(100_000)
            #expect(avahi.requests.elements.contains("RESOLVE-HOSTNAME-IPV4 radio.local"))
            guard Tool.areAvailable("python3") else { return }
            try await withIssuedTLS(before: server) { origin in
              let uri = origin.replacing("127.0.0.1", with: "radio.local") + "/Secure"
              try await daemon.call("OpenUri", [.string(uri)])
              try await daemon.titled("Secure")
              try await daemon.passes(100_000)
            }
          }
        }
      }
    }
  }

  @Test("A name that systemd-resolved resolves plays")
  func resolved() async throws {
    try await withHTTPServer { server in
      let port = try await serve("Radio", on: server)
      try await PrivateSystem(hosts: Self.desktop).run { system in
        try await withLocalService(at: system.socket(Self.resolved), delimiter: "\0") {
          Self.reply(ofResolved: $0, ["radio.test"])
        } _: { resolved in
          try await withPlayer(["http://radio.test:\(port)/Radio"], in: system) { daemon in
            try await daemon.titled("Radio")
            try await daemon.passes(100_000)
            #expect(resolved.requests.count > 0)
          }
        }
      }
    }
  }

  @Test("A name that a service does not know fails with the reason, and the next item plays")
  func unknown() async throws {
    try await withHTTPServer { server in
      let port = try await serve("Radio", on: server)
      try await PrivateSystem(hosts: Self.desktop).run { system in
        try await withLocalService(at: system.socket(Self.avahi), delimiter: "\n") {
          Self.reply(ofAvahi: $0, ["radio.local"])
        } _: { _ in
          try await withLocalService(at: system.socket(Self.resolved), delimiter: "\0") {
            Self.reply(ofResolved: $0, [])
          } _: { _ in
            let unknown = ["http://none.local:\(port)/a", "http://none.test:\(port)/a"]
            try await withPlayer(unknown + ["http://radio.local:\(port)/Radio"], in: system) { daemon in
              try await daemon.titled("Radio")
              try await daemon.passes(100_000)
              for uri in unknown {
                try await daemon.process.waitForLine(containing: "\(uri): the server's name cannot be resolved")
              }
            }
          }
        }
      }
    }
  }

  @Test("While a service has not answered, other names are resolved and the player responds; the late answer is used")
  func slow() async throws {
    try await withHTTPServer { server in
      let port = try await serve("First", "Second", "Slow", on: server)
      try await PrivateSystem(hosts: "files mdns4_minimal").run { system in
        let gate = Gate()
        try await withLocalService(at: system.socket(Self.avahi), delimiter: "\n") {
          if $0.hasSuffix("slow.local") { gate.wait() }
          return Self.reply(ofAvahi: $0, ["radio.local", "slow.local"])
        } _: { avahi in
          defer { gate.open() }
          try await withPlayer(["http://radio.local:\(port)/First"], in: system) { daemon in
            try await daemon.titled("First")
            try await daemon.call("OpenUri", [.string("http://slow.local:\(port)/Slow")])
            try await avahi.requests.first("the slow request") { $0.hasSuffix("slow.local") }
            // Another name at the same service, while the first request is open.
            try await daemon.call("OpenUri", [.string("http://radio.local:\(port)/Second")])
            try await daemon.titled("Second")
            try await daemon.passes(100_000)
            #expect(server.headers(of: "/Slow").isEmpty)
            let count = avahi.requests.count
            try await daemon.call("OpenUri", [.string("http://slow.local:\(port)/Slow")])
            try await avahi.requests.first("the slow request", from: count) { $0.hasSuffix("slow.local") }
            gate.open()
            try await daemon.titled("Slow")
            try await daemon.passes(100_000)
          }
        }
      }
    }
  }

  @Test("A name in DNS plays although the services of the modules before it do not run; an unknown name fails")
  func dns() async throws {
    do {
      try await withNameServer(["radio.example": [127, 0, 0, 1]]) { names in
        try await withHTTPServer { server in
          let port = try await serve("Radio", on: server)
          try await PrivateSystem(hosts: Self.desktop, nameServer: names.address).run { system in
            let unknown = "http://none.example:\(port)/a"
            try await withPlayer([unknown, "http://radio.example:\(port)/Radio"], in: system) { daemon in
              try await daemon.titled("Radio")
              try await daemon.passes(100_000)
              try await daemon.process.waitForLine(containing: "\(unknown): the server's name cannot be resolved")
              #expect(names.requests.elements.contains("radio.example"))
            }
          }
        }
      }
    } catch let error as SystemCallError where error.code == EACCES || error.code == EADDRINUSE {
      try Test.cancel("port 53 is not available: \(error)")
    }
  }

  @Test(
    "A name in /etc/hosts plays, also if a module without its service finds the users",
    arguments: ["files systemd", "systemd compat hesiod files", "hesiod systemd"])
  func hosts(users: String) async throws {
    try await withHTTPServer { server in
      let port = try await serve("Radio", on: server)
      try await PrivateSystem(hosts: "files hesiod", users: users, names: ["radio.test"]).run { system in
        // Without the variable, libraries ask for the home folder of the user.
        let launcher = ["env", "-u", "HOME"]
        try await withPlayer(["http://radio.test:\(port)/Radio"], in: system, launcher: launcher) { daemon in
          try await daemon.titled("Radio")
          try await daemon.passes(100_000)
        }
      }
    }
  }

  @Test(
    "A certificate of an authority that the system does not trust fails with the reason, and the next item plays",
    .enabled(if: Tool.areAvailable("python3"), "python3 is not installed"))
  func unknownAuthority() async throws {
    try await withHTTPServer { server in
      _ = try await serve("Secure", on: server)
      try await PrivateSystem(authorities: TestAuthority.certificate).run { system in
        try await withTLS(.unknownIssuer, before: server) { unknown in
          try await withIssuedTLS(before: server) { known in
            try await withPlayer(["\(unknown)/Secure", "\(known)/Secure"], in: system) { daemon in
              try await daemon.titled("Secure")
              try await daemon.passes(100_000)
              try await daemon.process.waitForLine(
                containing: "\(unknown)/Secure: the certificate of 127.0.0.1 is from an unknown issuer")
            }
          }
        }
      }
    }
  }
}

/// A gate at which threads wait until it is opened.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() {
    semaphore.wait()
    // The next thread passes, too.
    semaphore.signal()
  }

  func open() { semaphore.signal() }
}
