import Testing

@testable import PlaylistFormats

/// The tests of PLS.
struct PLSTests {
  @Test("Files, titles and lengths are matched by number, in any order and case")
  func numbers() throws {
    let playlist = try read(
      .pls,
      """
      [playlist]
      NumberOfEntries=3
      File10=http://c/
      title1=One
      File1=http://a/
      Length1=-1
      FILE2=music/b.mp3
      Length2=61
      Version=2
      """)
    #expect(playlist.entries.map(\.location) == [.uri("http://a/"), .path("music/b.mp3"), .uri("http://c/")])
    #expect(playlist.entries.map(\.title) == ["One", nil, nil])
    #expect(playlist.entries.map(\.duration) == [nil, .seconds(61), nil])
    #expect(playlist.warnings.isEmpty)
  }

  @Test("The titles may follow all files, and a file may have a title alone before it")
  func groups() throws {
    let lines =
      (1...3).map { "File\($0)=\($0).mp3" } + [3, 1, 2].map { "Title\($0)=T\($0)" } + ["Title0=x", "File0=0.mp3"]
    let playlist = try read(.pls, "[playlist]\n" + lines.joined(separator: "\n"))
    #expect(playlist.entries.map(\.location) == (0...3).map { .path(Array("\($0).mp3".utf8)) })
    #expect(playlist.entries.map(\.title) == ["x", "T1", "T2", "T3"])
  }

  @Test("Each unusable line is one warning")
  func badLines() throws {
    let lines = "[playlist]\nFile1=a\nFile1=b\nnonsense\nLength1=long\nFile2=\nTitle9=alone\n"
    let playlist = try read(.pls, lines + "File9223372036854775808=c\n")
    #expect(playlist.entries.map(\.location) == [.path("a")])
    #expect(playlist.warnings.map(\.line) == [3, 4, 5, 6, 8])
  }
}
