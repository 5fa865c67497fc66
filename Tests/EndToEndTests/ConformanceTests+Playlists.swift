import DBus
import FoundationEssentials
import TestSupport
import Testing

extension ConformanceTests {
  @Test("Playlists are ordered by last change and by last play, the oldest first; an activated playlist plays")
  func playlistOrders() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withTemporaryDirectory { directory in
      for (name, age) in [("a", 10.0), ("b", 30), ("c", 20)] {
        try directory.write("\(file)\n", to: "\(name).m3u")
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -1000 * age)], ofItemAtPath: directory.file("\(name).m3u"))
      }
      try await withDaemon([], environment: ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.path]) { daemon in
        let orderings = try await daemon.get("Orderings", of: PlaylistsTests.interface).asStrings
        #expect(Set(orderings ?? []) == ["Alphabetical", "Modified", "Played"])
        #expect(try await daemon.playlists("Modified").map(\.name) == ["b", "c", "a"])
        let active = try #require(try await daemon.playlists("Alphabetical").first)
        try await daemon.activate(active.id)
        try await daemon.titled("First")
        #expect(try await daemon.status() == "Playing")
        #expect(try await daemon.active() == active.id)
        #expect(try await daemon.playlists("Played").map(\.name) == ["b", "c", "a"])
      }
    }
  }

  @Test("A playlist that gets a picture is signalled as changed, under its previous ID")
  func playlistPicture() async throws {
    try await withTemporaryDirectory { directory in
      for name in ["a", "b"] { try directory.write("", to: "\(name).m3u") }
      try await withDaemon([], environment: ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.path]) { daemon in
        let changed = try await daemon.client.signals(
          path: DaemonUnderTest.path, interface: PlaylistsTests.interface, member: "PlaylistChanged")
        let before = try await daemon.playlists("Alphabetical")
        #expect(before.map(\.icon) == ["", ""])
        try directory.write("", to: "b.png")
        let emitted = try await deadline(10, "the picture is published") {
          for await signal in changed { return signal.arguments.first }
          return nil
        }
        let playlist = try #require(emitted.flatMap { FoundPlaylist($0) })
        #expect(playlist.id == before.last?.id && playlist.name == "b")
        #expect(playlist.icon == "file://\(directory.path)/b.png")
        #expect(try await daemon.get("PlaylistCount", of: PlaylistsTests.interface) == .uint32(2))
      }
    }
  }
}
