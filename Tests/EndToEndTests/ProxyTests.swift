import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the proxies that the environment and the settings of GNOME name to the streaming process.
@Suite("Proxies", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ProxyTests {
  /// A server that only the proxy knows.
  private static let remote = "http://only.proxy.test"

  /// Whether a module of GIO is installed.
  private static func hasModule(_ name: String) -> Bool {
    let libraries = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return (libraries.map { "/usr/lib/\($0)" } + ["/usr/lib"]).contains {
      FileManager.default.fileExists(atPath: "\($0)/gio/modules/\(name)")
    }
  }
  private static let hasGNOME = hasModule("libgiognomeproxy.so")
  private static let hasDconf = hasModule("libdconfsettings.so") && Tool.areAvailable("gsettings")

  /// Runs `body` with a server that is also a proxy, with a track at each URI.
  private func withProxy(
    _ titles: [(uri: String, title: String)], _ body: (_ server: HTTPServer, _ address: String) async throws -> Void
  ) async throws {
    try await withHTTPServer { server in
      for (uri, title) in titles {
        let file = try await Media.sine(seconds: 30, format: .flac, tags: Tags(title: title))
        server.script(uri, try .file(file))
      }
      try await body(server, String(server.origin.dropFirst("http://".count)))
    }
  }

  @Test(
    "A proxy in a variable gets the requests for its servers, and not those for the ones in no_proxy",
    arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func variables(variable: String) async throws {
    try await withProxy([("\(Self.remote)/a", "Remote"), ("/b", "Direct")]) { server, address in
      let environment = [variable: address, "no_proxy": "example.org, 127.0.0.1"]
      try await withDaemon(["\(Self.remote)/a"], environment: environment) { daemon in
        try await daemon.titled("Remote")
        try await daemon.passes(100_000)
        try await daemon.call("OpenUri", [.string("\(server.origin)/b")])
        try await daemon.titled("Direct")
        try await daemon.passes(100_000)
      }
    }
  }

  @Test("A redirect from a server in no_proxy to another one is followed by the proxy")
  func redirect() async throws {
    try await withProxy([("\(Self.remote)/a", "Remote")]) { server, address in
      let moved = server.script("/moved", .redirect(to: "\(Self.remote)/a"))
      let environment = ["http_proxy": "http://\(address)", "no_proxy": "127.0.0.0/8"]
      try await withDaemon([moved], environment: environment) { daemon in
        try await daemon.titled("Remote")
        try await daemon.passes(100_000)
      }
    }
  }

  @Test("An item behind a proxy that refuses connections fails with the reason, and the next item plays")
  func refused() async throws {
    try await withProxy([("/b", "Direct")]) { server, _ in
      let environment = ["http_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"]
      try await withDaemon(["\(Self.remote)/a", "\(server.origin)/b"], environment: environment) { daemon in
        try await daemon.titled("Direct")
        try await daemon.passes(100_000)
        try await daemon.process.waitForLine(containing: "\(Self.remote)/a: the proxy refuses the connection")
      }
    }
  }

  @Test(
    "A proxy in the settings of GNOME in a file gets the requests",
    .enabled(if: hasGNOME, "the module of GIO for the proxies of GNOME is not installed"))
  func keyFile() async throws {
    try await withProxy([("\(Self.remote)/a", "Remote")]) { _, address in
      let parts = address.split(separator: ":")
      let settings = "[system/proxy]\nmode='manual'\n[system/proxy/http]\nhost='\(parts[0])'\nport=\(parts[1])\n"
      try await withKeyFile(settings) { environment in
        try await withDaemon(["\(Self.remote)/a"], environment: environment) { daemon in
          try await daemon.titled("Remote")
          try await daemon.passes(100_000)
        }
      }
    }
  }

  @Test(
    "A proxy in the settings of GNOME in dconf gets the requests",
    .enabled(if: hasGNOME && hasDconf, "the modules of GIO for the proxies of GNOME and dconf are not installed"))
  func dconf() async throws {
    try await withProxy([("\(Self.remote)/a", "Remote")]) { _, address in
      let parts = address.split(separator: ":").map(String.init)
      try await withTemporaryDirectory { folder in
        let environment = ["XDG_CONFIG_HOME": folder.path, "XDG_CURRENT_DESKTOP": "GNOME"]
        let runtime = ["XDG_RUNTIME_DIR": try folder.makeDirectory("runtime")]
        try await withPrivateBus(
          services: "/usr/share/dbus-1/services", environment: environment.merging(runtime) { $1 }
        ) { bus in
          let settings = environment.merging(runtime) { $1 }.merging(bus.environment) { $1 }
          for (schema, key, value) in [
            ("", "mode", "manual"), (".http", "host", parts[0]), (".http", "port", parts[1]),
          ] {
            let command = ["gsettings", "set", "org.gnome.system.proxy\(schema)", key, value]
            let result = try await run(command, environment: settings)
            #expect(result.succeeded, "\(result.error)")
          }
        }
        guard FileManager.default.fileExists(atPath: folder.file("dconf/user")) else {
          try Test.cancel("dconf-service, which writes the settings, is not installed")
        }
        try await withDaemon(["\(Self.remote)/a"], environment: environment) { daemon in
          try await daemon.titled("Remote")
          try await daemon.passes(100_000)
        }
      }
    }
  }

  @Test(
    "If the settings of GNOME name a script, a request fails with that reason, and those that need no proxy succeed",
    .enabled(if: hasGNOME, "the module of GIO for the proxies of GNOME is not installed"))
  func script() async throws {
    try await withProxy([("/b", "Direct")]) { server, _ in
      let settings = "[system/proxy]\nmode='auto'\nautoconfig-url='\(server.origin)/proxy.pac'\n"
      try await withKeyFile(settings) { environment in
        try await withDaemon(["\(Self.remote)/a", "\(server.origin)/b"], environment: environment) { daemon in
          try await daemon.titled("Direct")
          try await daemon.passes(100_000)
          try await daemon.process.waitForLine(
            containing: "\(Self.remote)/a: the desktop selects the proxy by a script (PAC), which is not supported")
        }
      }
    }
  }

  /// Runs `body` with an environment in which GIO reads this file of settings.
  private func withKeyFile(_ settings: String, _ body: ([String: String]) async throws -> Void) async throws {
    try await withTemporaryDirectory { folder in
      try folder.makeDirectory("glib-2.0/settings")
      try folder.write(settings, to: "glib-2.0/settings/keyfile")
      try await body([
        "XDG_CONFIG_HOME": folder.path, "XDG_CURRENT_DESKTOP": "GNOME", "GSETTINGS_BACKEND": "keyfile",
      ])
    }
  }
}
