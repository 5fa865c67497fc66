import DBus
import TestSupport
import Testing

@testable import PlayerdStorage
@testable import PlayerdSystem

@Suite("Files of the playlist folder") struct PlaylistFileTests {
  @Test(
    "Each file name has its own object path, which is stable",
    arguments: [
      ("Jazz.m3u", "Jazz_2em3u"), ("Jazz.pls", "Jazz_2epls"), ("a_b.m3u", "a_5fb_2em3u"), ("ä.m3u", "_c3_a4_2em3u"),
      (" .m3u", "_20_2em3u"), ("\n1.m3u", "_0a1_2em3u"),
    ])
  func identity(name: String, element: String) {
    #expect(PlaylistFile.id(of: Array(name.utf8)).rawValue == "/org/playerd/playlist/" + element)
  }

  @Test("A file name that is not UTF-8 has an object path too")
  func bytes() {
    #expect(PlaylistFile.id(of: [0xff, 0xfe]).rawValue == "/org/playerd/playlist/_ff_fe")
  }

  @Test("Playlists are listed in natural order, with the picture of the same name; other files are left out")
  func list() async throws {
    try await withTemporaryDirectory { directory in
      for name in ["Set 10.m3u", "Set 2.M3U8", "radio.pls", "x.xspf", "disc.cue", ".hidden.m3u", "song.flac", "m3u"] {
        try directory.write("", to: name)
      }
      try directory.write("", to: "radio.png")
      try directory.makeDirectory("folder.m3u")
      let files = PlaylistFile.list(in: Array(directory.path.utf8))
      #expect(files.map(\.title) == ["disc", "radio", "Set 2", "Set 10", "x"])
      #expect(
        files.map { $0.picture.map { String(decoding: $0, as: UTF8.self) } } == [nil, "radio.png", nil, nil, nil])
      #expect(files.allSatisfy { $0.modified > .zero && $0.modified <= LocalFileSystem().now })
      #expect(PlaylistFile.list(in: Array(TemporaryDirectory.missing.utf8)).isEmpty)
    }
  }

  @Test(
    "The music directory is read from user-dirs.dirs",
    arguments: [
      ("XDG_MUSIC_DIR=\"$HOME/Musik\"\n", "/home/me/Musik"), ("# XDG_MUSIC_DIR=\"/no\"\n", nil),
      ("XDG_DESKTOP_DIR=\"$HOME/x\"\n  XDG_MUSIC_DIR=\"/srv/music\"  \n", "/srv/music"),
      ("XDG_MUSIC_DIR=\"$HOME\"", "/home/me"), ("XDG_MUSIC_DIR=\"/a \\\"b\\\" \\$c\"", "/a \"b\" $c"),
      ("XDG_MUSIC_DIR=\"relative\"", nil), ("XDG_MUSIC_DIR=$HOME/x", nil), ("XDG_MUSIC_DIR=\"", nil), ("", nil),
      ("XDG_MUSIC_DIR=\"$HOMEX/a\"", nil), ("XDG_MUSIC_DIR=\"/a\"\nXDG_MUSIC_DIR=\"/b\"", "/b"),
    ] as [(String, String?)])
  func musicDirectory(text: String, path: String?) {
    #expect(MusicDirectory.parse(text, home: "/home/me") == path)
  }
}
