/// A certificate of a server that cannot be verified, with the reason in its name; all have one key.
public enum ServerCertificate: String, CaseIterable, Sendable {
  case selfSigned, expired, notYetValid, otherHost, unknownIssuer

  /// The certificate for 127.0.0.1, or for another host, in the PEM format.
  var text: String { "-----BEGIN CERTIFICATE-----\n\(content)\n-----END CERTIFICATE-----" }

  private var content: String {
    switch self {
    case .selfSigned:
      """
      MIIBjzCCATagAwIBAgIUX8kZa8VsH78KXh9YxSJ+4KUE290wCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyNjE3NTMyN1oYDzIxMjYxMTAy
      MTc1MzI3WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAQ5XT4yocD6mkjn82xHY2pDWFcl0/7C0+CTpYANfOOzW6wJy9BgYJyq
      vpNexao60EhDaH/TiVqcATqtfO5i2BUUo2QwYjAdBgNVHQ4EFgQUXtp09KMuaqnh
      nluoBXqa8EUW1PkwHwYDVR0jBBgwFoAUXtp09KMuaqnhnluoBXqa8EUW1PkwDwYD
      VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
      IDVhxvT2F66yKP9pDkQelJW0GWWN5vOl29rflSp12aTyAiB+vfYu7/zPmkZjKe+Z
      QbtF9rsrEffHdWZje8w2VLozvA==
      """
    case .expired:
      """
      MIIBjjCCATSgAwIBAgIUTk6FCAKDgSYxZ/l3r5F798wFDwIwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJMTI3LjAuMC4xMB4XDTAxMDEwMTAwMDAwMFoXDTAyMDEwMTAw
      MDAwMFowFDESMBAGA1UEAwwJMTI3LjAuMC4xMFkwEwYHKoZIzj0CAQYIKoZIzj0D
      AQcDQgAEOV0+MqHA+ppI5/NsR2NqQ1hXJdP+wtPgk6WADXzjs1usCcvQYGCcqr6T
      XsWqOtBIQ2h/04lanAE6rXzuYtgVFKNkMGIwHQYDVR0OBBYEFF7adPSjLmqp4Z5b
      qAV6mvBFFtT5MB8GA1UdIwQYMBaAFF7adPSjLmqp4Z5bqAV6mvBFFtT5MA8GA1Ud
      EwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAKBggqhkjOPQQDAgNIADBFAiEA
      5PvnC5axOxNA6A58XbTjToOVJEl0s26BvRap/rEA0mACIA7eMCPs171/BHxK7yif
      vckpVOmTVn6/rtNF+xXXD6JT
      """
    case .notYetValid:
      """
      MIIBkzCCATigAwIBAgIUSlALsc+/cbULFHaBYkN0PNo3TqIwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJMTI3LjAuMC4xMCIYDzIwOTAwMTAxMTIwMDAwWhgPMjA5MTAx
      MDExMjAwMDBaMBQxEjAQBgNVBAMMCTEyNy4wLjAuMTBZMBMGByqGSM49AgEGCCqG
      SM49AwEHA0IABDldPjKhwPqaSOfzbEdjakNYVyXT/sLT4JOlgA1847NbrAnL0GBg
      nKq+k17FqjrQSENof9OJWpwBOq187mLYFRSjZDBiMB0GA1UdDgQWBBRe2nT0oy5q
      qeGeW6gFeprwRRbU+TAfBgNVHSMEGDAWgBRe2nT0oy5qqeGeW6gFeprwRRbU+TAP
      BgNVHRMBAf8EBTADAQH/MA8GA1UdEQQIMAaHBH8AAAEwCgYIKoZIzj0EAwIDSQAw
      RgIhAKd+GRFSIj4j9DCkd5b1k76R+q95efSb3EOCQNKxsUA3AiEA8uHLviPb1H2N
      bWw0h+0MSnWWSLtbHWqiOzN7tCcj3mA=
      """
    case .otherHost:
      """
      MIIBoTCCAUegAwIBAgIUatr6I7yWLbzHNTsoaYD4fux0XmswCgYIKoZIzj0EAwIw
      GDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMjYxNzUzMjdaGA8yMTI2
      MTEwMjE3NTMyN1owGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49
      AgEGCCqGSM49AwEHA0IABDldPjKhwPqaSOfzbEdjakNYVyXT/sLT4JOlgA1847Nb
      rAnL0GBgnKq+k17FqjrQSENof9OJWpwBOq187mLYFRSjbTBrMB0GA1UdDgQWBBRe
      2nT0oy5qqeGeW6gFeprwRRbU+TAfBgNVHSMEGDAWgBRe2nT0oy5qqeGeW6gFeprw
      RRbU+TAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUw
      CgYIKoZIzj0EAwIDSAAwRQIgdNGhvgCc+r6fQP9z7Rp2piaJRikScAWj+26u9xRk
      HywCIQDMJ49h4yn9PkuX7VMPDVa5fbCiG1okWDl098KXEk3eyA==
      """
    case .unknownIssuer:
      """
      MIIBfTCCASOgAwIBAgIURm4cS/QDXZdutG59V8DJCW2UW3MwCgYIKoZIzj0EAwIw
      EjEQMA4GA1UEAwwHVGVzdCBDQTAgFw0yNjExMjYxNzUzMjdaGA8yMTI2MTEwMjE3
      NTMyN1owFDESMBAGA1UEAwwJMTI3LjAuMC4xMFkwEwYHKoZIzj0CAQYIKoZIzj0D
      AQcDQgAEOV0+MqHA+ppI5/NsR2NqQ1hXJdP+wtPgk6WADXzjs1usCcvQYGCcqr6T
      XsWqOtBIQ2h/04lanAE6rXzuYtgVFKNTMFEwDwYDVR0RBAgwBocEfwAAATAdBgNV
      HQ4EFgQUXtp09KMuaqnhnluoBXqa8EUW1PkwHwYDVR0jBBgwFoAU52r4dcozQkyv
      8vxGkWMKMVOImEowCgYIKoZIzj0EAwIDSAAwRQIhAJB7rYP7qZ8yR7KiZS1mJze5
      wSjZG69v0rjhdMSUBeZgAiBKaLErxXHeg+71dV7aMOvyvJRVoAbKRPBWl0FXXhE7
      lA==
      """
    }
  }

  fileprivate static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgY4dA2zhrMmG5TBU/
    D/WdM79g0xzahvASsJz0ndEo0Q+hRANCAAQ5XT4yocD6mkjn82xHY2pDWFcl0/7C
    0+CTpYANfOOzW6wJy9BgYJyqvpNexao60EhDaH/TiVqcATqtfO5i2BUU
    -----END PRIVATE KEY-----
    """
}

/// An authority that no system trusts, unless a test adds it to the certificates of the system.
public enum TestAuthority {
  /// The certificate of the authority, in the PEM format.
  public static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBdjCCARygAwIBAgIUT2FEkGdxBfKIG1kjNfhgn92KYhEwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVbXByaXMtcGxheWVyZCB0ZXN0IENBMCAXDTIwMDEwMTAwMDAw
    MFoYDzIxMjAwMTAxMDAwMDAwWjAgMR4wHAYDVQQDDBVtcHJpcy1wbGF5ZXJkIHRl
    c3QgQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQSeeAvygWx8uLC1H+Pbz8L
    e1EQp3T5jrkN+YPHtm3CKIdLsGqq1vONq6bd/5ioB25PIjG2kn1IpyFL7DvSGzP9
    ozIwMDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBTWvspQut+8Ph6khnnV+g26
    3bn6pjAKBggqhkjOPQQDAgNIADBFAiBAmfxIpj8tHbjQjsL5KcOrJ0gRPaVSFQyP
    0qqvZ38ShAIhAICnz076IStzp/TexCxi3VTYf27p3larBRh/xqOrM7OC
    -----END CERTIFICATE-----

    """

  /// The certificate that it has issued for 127.0.0.1 and radio.local.
  fileprivate static let issued = """
    -----BEGIN CERTIFICATE-----
    MIIBejCCASGgAwIBAgIUaHyNWTKpUtrgo3OQ2zDv5om7+jgwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVbXByaXMtcGxheWVyZCB0ZXN0IENBMCAXDTIwMDEwMTAwMDAw
    MFoYDzIxMjAwMTAxMDAwMDAwWjAWMRQwEgYDVQQDDAtyYWRpby5sb2NhbDBZMBMG
    ByqGSM49AgEGCCqGSM49AwEHA0IABDldPjKhwPqaSOfzbEdjakNYVyXT/sLT4JOl
    gA1847NbrAnL0GBgnKq+k17FqjrQSENof9OJWpwBOq187mLYFRSjQTA/MBwGA1Ud
    EQQVMBOCC3JhZGlvLmxvY2FshwR/AAABMB8GA1UdIwQYMBaAFNa+ylC637w+HqSG
    edX6DbrdufqmMAoGCCqGSM49BAMCA0cAMEQCIF2ngLjDZRW2o/Cym1tcw1mlmHIj
    qWw7BcN9OJBAJkN0AiBUawrsCAqU0OMRj6+PJcggEJinF8iN+o3rtF2+BkCEzA==
    -----END CERTIFICATE-----
    """
}

/// Runs `body` with the origin of a TLS server, which passes each connection to an HTTP server.
@discardableResult
public func withTLS<T>(
  _ certificate: ServerCertificate, before server: HTTPServer, _ body: (_ origin: String) async throws -> T
) async throws -> T {
  try await withTLS(certificate.text, before: server, body)
}

/// The same with a certificate of the ``TestAuthority``.
@discardableResult
public func withIssuedTLS<T>(
  before server: HTTPServer, _ body: (_ origin: String) async throws -> T
) async throws -> T {
  try await withTLS(TestAuthority.issued, before: server, body)
}

private func withTLS<T>(
  _ certificate: String, before server: HTTPServer, _ body: (_ origin: String) async throws -> T
) async throws -> T {
  try await withTemporaryDirectory { directory in
    let file = try directory.write([certificate, ServerCertificate.key, ""].joined(separator: "\n"), to: "pem")
    let port = server.origin.split(separator: ":").last.map(String.init) ?? ""
    return try await withChildProcess(["python3", "-c", proxy, file, port]) { child in
      let line = try await child.waitForLine(containing: "port ", on: .output, within: 20).element.text
      return try await body("https://127.0.0.1:\(line.dropFirst("port ".count))")
    }
  }
}

/// The program of the server: its arguments are the file with certificate and key, and the port of the HTTP server.
private let proxy = """
  import socket, ssl, sys, threading
  context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
  context.load_cert_chain(sys.argv[1])
  listener = socket.create_server(("127.0.0.1", 0))
  print("port", listener.getsockname()[1], flush=True)
  def copy(source, target):
    try:
      while data := source.recv(65536): target.sendall(data)
    except OSError: pass
    for end in (source, target):
      try: end.shutdown(socket.SHUT_RDWR)
      except OSError: pass
  def serve(client):
    try:
      client = context.wrap_socket(client, server_side=True)
      server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
    except OSError: return client.close()
    threading.Thread(target=copy, args=(client, server), daemon=True).start()
    copy(server, client)
  while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
  """
