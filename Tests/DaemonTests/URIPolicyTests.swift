import Glibc
import MPRISService
import TestSupport
import Testing

@testable import PlayerdConfiguration

@Suite("URIs that clients may open") struct URIPolicyTests {
  enum Answer { case allowed, notSupported, accessDenied, invalid, limitExceeded }

  private func answer(_ uri: String, _ policy: URIPolicy = URIPolicy()) -> Answer {
    switch policy.refusal(of: uri) {
    case nil: .allowed
    case .notSupported?: .notSupported
    case .accessDenied?: .accessDenied
    case .invalid?: .invalid
    case .limitExceeded?: .limitExceeded
    }
  }

  @Test(
    "Without a policy every playable URI may be opened",
    arguments: [
      ("file:///a.flac", .allowed), ("FILE:///a.flac", .allowed), ("http://a/b", .allowed), ("https://a/b", .allowed),
      ("gopher://a/b", .notSupported), ("mailto:a", .notSupported), ("x:y", .notSupported), ("http:a", .invalid),
    ] as [(String, Answer)])
  func unrestricted(uri: String, expected: Answer) { #expect(answer(uri) == expected) }

  @Test("A scheme that is not among the allowed ones is denied")
  func schemes() {
    let policy = URIPolicy(schemes: ["file"])
    #expect(answer("file:///a", policy) == .allowed)
    #expect(answer("https://a/b", policy) == .accessDenied)
    #expect(answer("gopher://a/b", policy) == .notSupported)
    #expect(policy.objection(to: "https://a/b") != nil)
  }

  @Test(
    "A file outside of the allowed folders is denied in every spelling",
    arguments: [
      ("file:///music/a.flac", .allowed), ("file:///music", .allowed), ("file:///music//x/../a.flac", .allowed),
      ("file://localhost/music/a", .allowed), ("https://a/b", .allowed), ("file:///a.flac", .accessDenied),
      ("file:///musical/a.flac", .accessDenied), ("file:///music/../etc/passwd", .accessDenied),
      ("file:///music/%2e%2e/etc/passwd", .accessDenied), ("file:///music/a/../../b", .accessDenied),
      ("file://elsewhere/music/a", .invalid), ("file:///music/%00", .invalid),
    ] as [(String, Answer)])
  func roots(uri: String, expected: Answer) {
    #expect(answer(uri, URIPolicy(roots: [Array("/music/".utf8), Array("/other".utf8)])) == expected)
  }

  @Test("A symbolic link out of the allowed folders is denied when it is resolved")
  func links() async throws {
    try await withTemporaryDirectory { directory in
      let music = try directory.makeDirectory("music")
      try directory.write("x", to: "music/inside")
      try directory.write("x", to: "outside")
      #expect(unsafe symlink("../outside", directory.file("music/link")) == 0)
      let policy = URIPolicy(roots: [Array(music.utf8)])
      #expect(policy.objection(to: "file://\(music)/inside") == nil)
      #expect(policy.objection(to: "file://\(music)/missing") == nil)
      #expect(answer("file://\(music)/link", policy) == .allowed)
      #expect(policy.objection(to: "file://\(music)/link") != nil)
    }
  }
}
