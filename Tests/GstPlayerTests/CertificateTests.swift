import GstPlayer
import Playback
import TestSupport
import Testing

/// The accepted certificates belong to the process, so the tests run one after another.
@Suite(
  "Certificates of servers", .serialized,
  .enabled(if: Media.isAvailable && Tool.areAvailable("python3"), "an encoder or python3 is not installed"))
struct CertificateTests {
  /// Returns the error of playing a URI.
  private func playing(_ uri: String) async throws -> PlayerError? {
    var error: PlayerError?
    try await withPlayer([uri]) { harness in
      try await harness.playToEnd()
      for case .itemFailed(_, error: let failure) in harness.events.elements { error = error ?? failure }
    }
    return error
  }

  /// Returns the error of inspecting a URI.
  private func inspecting(_ uri: String) async -> PlayerError? {
    do throws(PlayerError) {
      _ = try await MediaInspector().inspect(uri)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the error of reading a URI.
  private func reading(_ uri: String) async -> PlayerError? {
    do throws(PlayerError) {
      _ = try await URIReader(byteLimit: 1 << 20, timeout: .seconds(20)).read(uri)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the fingerprint in the message of an error.
  private func fingerprint(_ error: PlayerError?) throws -> String {
    let message = try #require(error?.message)
    return String(try #require(message.firstRange(of: "sha256:").map { message[$0.upperBound...].prefix(64) }))
  }

  @Test("The error names the fault of a certificate", arguments: ServerCertificate.allCases)
  func fault(certificate: ServerCertificate) async throws {
    let reason =
      switch certificate {
      case .selfSigned: "is self-signed"
      case .expired: "is self-signed and expired on 2002-01-01"
      case .notYetValid: "is self-signed and is not valid before 2090-01-01"
      case .otherHost: "is self-signed and is for another host"
      case .unknownIssuer: "is from an unknown issuer"
      }
    let path = try await Media.sine(seconds: 0.3)
    try await withHTTPServer { server in
      server.script("/a.flac", try .file(path))
      try await withTLS(certificate, before: server) { origin in
        let uri = origin + "/a.flac"
        for error in [try await playing(uri), await inspecting(uri), await reading(uri)] {
          #expect(error?.code == .tls)
          #expect(
            error?.message.hasPrefix("the certificate of 127.0.0.1 \(reason) (sha256:") == true,
            "\(error?.message ?? "")")
        }
        // The path of a redirect, and of a playlist.
        let moved = server.script("/moved", .redirect(to: uri))
        #expect(try await playing(moved)?.message.contains(reason) == true)
      }
      #expect(server.headers(of: "/a.flac").isEmpty)
    }
  }

  @Test("An accepted certificate is accepted for its host only, in playback, inspection and reading")
  func accepted() async throws {
    let path = try await Media.sine(seconds: 0.3)
    defer { ServerCertificates.accept([]) }
    try await withHTTPServer { server in
      server.script("/a.flac", try .file(path))
      for certificate in [ServerCertificate.expired, .otherHost] {
        try await withTLS(certificate, before: server) { origin in
          let uri = origin + "/a.flac"
          let print = try fingerprint(await reading(uri))
          func accept(_ host: String, _ fingerprint: String) throws {
            ServerCertificates.accept([try #require(AcceptedCertificate(host: host, fingerprint: fingerprint))])
          }
          try accept("127.0.0.1", String(print.reversed()))
          #expect(await reading(uri)?.code == .tls)
          try accept("localhost", print)
          #expect(await reading(uri)?.code == .tls)
          try accept("127.0.0.1", print.uppercased())
          #expect(await reading(uri) == nil)
          #expect(await inspecting(uri) == nil)
          #expect(try await playing(uri) == nil)
        }
      }
    }
  }

  @Test(
    "An accepted certificate applies to the playlists and segments of a stream, and a rejected one names its fault",
    .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
  func adaptive() async throws {
    defer { ServerCertificates.accept([]) }
    try await withHTTPServer { server in
      _ = try await LiveStreaming.serve(seconds: 1, segments: 2, at: ["/low.m3u8"], on: server)
      try await withTLS(.selfSigned, before: server) { origin in
        let lines = ["#EXT-X-STREAM-INF:BANDWIDTH=64000", "\(origin)/low.m3u8"]
        let uri = LiveStreaming.serve(lines, at: "/master.m3u8", on: server)
        let error = try await playing(uri)
        #expect(error?.code == .tls, "\(error?.message ?? "")")
        ServerCertificates.accept([
          try #require(AcceptedCertificate(host: "127.0.0.1", fingerprint: try fingerprint(await reading(origin))))
        ])
        #expect(try await playing(uri) == nil)
      }
    }
  }

  @Test("A server that does not speak TLS is a failure of the secure connection")
  func noTLS() async throws {
    let program = """
      import socket
      listener = socket.create_server(("127.0.0.1", 0))
      print("port", listener.getsockname()[1], flush=True)
      while True:
        client = listener.accept()[0]
        client.sendall(b"220 ready\\r\\n")
        client.close()
      """
    try await withChildProcess(["python3", "-c", program]) { child in
      let line = try await child.waitForLine(containing: "port ", within: 20).element.text
      let uri = "https://127.0.0.1:\(line.dropFirst("port ".count))/a.flac"
      for error in [try await playing(uri), await inspecting(uri), await reading(uri)] {
        #expect(error?.code == .tls)
        #expect(error?.message == "cannot establish a secure connection")
      }
    }
  }
}
