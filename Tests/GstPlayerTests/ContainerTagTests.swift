import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Tags of containers", .enabled(if: Media.isAvailable && Film.isAvailable, "\(Film.unavailable)"))
struct ContainerTagTests {
  private static let tags = Tags(
    title: "Title", artists: ["One"], album: "Album", genre: "Jazz", trackNumber: 3, date: "1999")

  /// The fields that the tag systems of the containers have in common.
  private struct Fields: Equatable {
    var title: String?
    var artists: [String]
    var album: String?
    var genres: [String]
    var trackNumber: Int?
    var date: String?

    init(_ metadata: MediaMetadata) {
      (title, artists, album) = (metadata.title, metadata.artists, metadata.album)
      (genres, trackNumber, date) = (metadata.genres, metadata.trackNumber, metadata.date)
    }
  }

  @Test("An inspected file has the tags that it has when it plays", arguments: Film.audioContainers)
  func parity(container: Film) async throws {
    let path = try await made(container, sound: try await Media.sine(seconds: 0.5, tags: Self.tags))
    let inspected = try await inspect(path)
    try #require(inspected.title == "Title")
    #expect(inspected.artists == ["One"])
    try await withPlayer([fileURI(path)]) { harness in
      try await harness.ready()
      try await harness.reaches("the inspected tags") { Fields($0.metadata) == Fields(inspected) }
    }
  }

  @Test("The tags of a container behind an ID3 tag, and its cover, are inspected")
  func precededByTag() async throws {
    let tags = Tags(title: "Title", artists: ["One"], cover: try await Media.cover(seed: 3))
    let path = try await made(Film.audioContainers[0], sound: try await Media.sine(seconds: 0.5, tags: tags))
    try await withTemporaryDirectory { directory in
      let frame = ID3.frame("TALB", [0] + Array("Album".utf8), 4)
      let tag = Array("ID3".utf8) + [4, 0, 0] + ID3.size(frame.count, 4) + frame
      let inspected = try await inspect(
        try directory.write(tag + Array(Data(contentsOf: URL(filePath: path))), to: "tagged.m4a"))
      #expect(inspected.title == "Title")
      #expect(inspected.artwork?.mimeType == "image/png")
    }
  }

  private func inspect(_ path: String) async throws -> MediaMetadata {
    try await deadline(20, "\(path) is inspected") { try await MediaInspector().inspect(fileURI(path)).metadata }
  }
}
