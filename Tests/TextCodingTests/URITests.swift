import Testing

@testable import TextCoding

@Suite("URIs in texts, and references") struct URITests {
  @Test(
    "User information and the values of queries and fragments are left out of every URI of a text",
    arguments: [
      ("http://user:password@host/a", "http://host/a"), ("see http://a@b, ftp://c:d@e/f.", "see http://b, ftp://e/f."),
      ("https://h/a?token=1&b=2;c=3#t=4", "https://h/a?token=…&b=…;c=…#t=…"), ("http://h/?secret", "http://h/?…"),
      ("http://h/?a=&b", "http://h/?a=&…"),
      ("URL: http://h/?k=v, Redirect to: (NULL)", "URL: http://h/?k=…, Redirect to: (NULL)"),
      ("“http://u:p@h/?a=b”: not found", "“http://h/?a=…”: not found"), ("http://u:pa/ss@h/x@y", "http://y"),
      ("http://u:p@w@h:80/x@y", "http://h:80/x@y"), ("http://[::1]:80/x@y", "http://[::1]:80/x@y"),
      ("http://h:80/x@y", "http://h:80/x@y"), ("http://u:p@[::1]/", "http://[::1]/"),
      ("mail@example.org", "mail@example.org"),
      ("://a@b", "://a@b"), ("a://", "a://"), ("file:///a@b", "file:///a@b"), ("x http://", "x http://"), ("", ""),
      ("http://h/ä?ö=ü\nhttp://i@j", "http://h/ä?ö=…\nhttp://j"), ("rtsp://u:p@h http://v:q@i", "rtsp://h http://i"),
    ])
  func secrets(text: String, expected: String) {
    #expect(text.withoutURISecrets == expected)
    #expect(expected.withoutURISecrets == expected)
    #expect(text.hasURISecrets == (text != expected))
  }

  @Test(
    "A URI without user information still identifies its resource",
    arguments: [
      ("http://user:password@host:80/a?b=c#d", "http://host:80/a?b=c#d"),
      ("http://host/a?b=c@d", "http://host/a?b=c@d"),
      ("file:///a@b", "file:///a@b"), ("a@b", "a@b"),
    ])
  func users(uri: String, expected: String) { #expect(uri.withoutURIUsers == expected) }

  @Test(
    "Each form of RFC 8089 has its host and its path",
    arguments: [
      ("file:///a%20b", "", "/a b", nil), ("file:/a", "", "/a", nil), ("FILE://LocalHost/a", "localhost", "/a", nil),
      ("file://Server/share/a", "server", "/share/a", nil), ("file:///a#t=3", "", "/a", "/a#t=3"),
      ("file:///a?b%23#c", "", "/a", "/a?b##c"), ("file:///C:/a", "", "/C:/a", nil), ("file://C:/a", "", "C:/a", nil),
      ("file:C:/a", "", "C:/a", nil), ("file:///C|/a", "", "/C|/a", nil), ("file:///C:\\a\\b", "", "/C:/a/b", nil),
      ("file:\\\\server\\a", "server", "/a", nil), ("file:", "", "", nil), ("file://", "", "", nil),
    ] as [(String, String, String, String?)])
  func files(uri: String, host: String, path: String, long: String?) throws {
    let file = try #require(FileReference(uri))
    #expect(file.host == host)
    #expect(String(decoding: file.path, as: UTF8.self) == path)
    #expect(file.longPath.map { String(decoding: $0, as: UTF8.self) } == long)
  }

  @Test("A URI of another scheme and a path are no file: URI", arguments: ["http://a/b", "/a", "C:\\a", ""])
  func others(text: String) { #expect(FileReference(text) == nil) }

  @Test(
    "References are resolved as in the examples of RFC 3986",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"),
      ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
      ("g#s", "http://a/b/c/g#s"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("g#s/../x", "http://a/b/c/g#s/../x"), ("ä", "http://a/b/c/ä"),
    ])
  func resolution(reference: String, expected: String) {
    #expect(URIReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
  }

  @Test(
    "A base may be relative itself",
    arguments: [
      ("a", "music/", "music/a"), ("../a", "x/y/", "x/a"), ("../a", "x", "../a"), ("/a", "x/", "/a"), ("a", "", "a"),
    ])
  func relativeBase(reference: String, base: String, expected: String) {
    #expect(URIReference.resolve(reference, against: base) == expected)
  }
}
