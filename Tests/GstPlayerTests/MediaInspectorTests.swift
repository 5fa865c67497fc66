import FoundationEssentials
import Glibc
import GstPlayer
import TestSupport
import Testing

@Suite("Media inspection", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct MediaInspectorTests {
  private let inspector = MediaInspector()

  @Test("An inspected file has its duration, one audio track, and is seekable", arguments: Media.Format.allCases)
  func facts(format: Media.Format) async throws {
    let description = try await inspect(try await Media.sine(seconds: 2, format: format))
    let duration = try #require(description.duration)
    #expect(abs(duration.seconds - 2) < 0.1)
    #expect(description.isSeekable)
    #expect(!description.isLive)
    #expect(!description.hasVideo)
    #expect(description.chapters.isEmpty)
    try #require(description.audioTracks.count == 1)
    let track = description.audioTracks[0]
    #expect(track.channels == (format == .mp3 ? track.channels : 2))
    #expect(track.sampleRate == 44_100)
    #expect(track.language == nil)
    let codecs: [Media.Format: String] = [.flac: "FLAC", .mp3: "MP3", .ogg: "Vorbis", .wav: "PCM"]
    let codec = try #require(codecs[format])
    #expect(track.codec?.contains(codec) == true, "\(track)")
  }

  @Test("Tags and cover are read, and a cover does not count as video", arguments: [Media.Format.flac, .mp3, .ogg])
  func metadata(format: Media.Format) async throws {
    let cover = try await Media.cover(seed: 7)
    let tags = Tags(
      title: "Inspected", artists: ["One"], album: "Album", albumArtist: "All", genre: "Jazz", trackNumber: 3,
      date: "1999", cover: cover)
    let description = try await inspect(try await Media.sine(seconds: 1, format: format, tags: tags))
    let metadata = description.metadata
    #expect(metadata.title == "Inspected")
    #expect(metadata.artists == ["One"])
    #expect(metadata.album == "Album")
    #expect(metadata.albumArtists == ["All"])
    #expect(metadata.genres == ["Jazz"])
    #expect(metadata.trackNumber == 3)
    #expect(metadata.date == "1999")
    #expect(metadata.artwork?.mimeType == "image/png")
    let picture = Array(try Data(contentsOf: URL(filePath: cover)))
    #expect(metadata.artwork?.bytes == picture)
    #expect(!description.hasVideo)
  }

  @Test("Cue points become chapters with titles; the last chapter ends with the media")
  func chapters() async throws {
    try await withTemporaryDirectory { directory in
      let plain = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 3, format: .wav))))
      let path = try directory.write(
        CueSheet.adding([(0, "Overture"), (44_100, "Act"), (88_200, "Finale")], to: plain), to: "cues.wav")
      let description = try await inspect(path)
      #expect(
        description.chapters == [
          .init(start: .zero, duration: .seconds(1), title: "Overture"),
          .init(start: .seconds(1), duration: .seconds(1), title: "Act"),
          .init(start: .seconds(2), duration: .seconds(1), title: "Finale"),
        ])
    }
  }

  @Test("Nested chapters follow their parent, only one edition counts, and a track has its language")
  func nestedChapters() async throws {
    try await withTemporaryDirectory { directory in
      let file = Matroska(
        codec: "A_PCM/INT/LIT", language: "ger",
        editions: [
          [
            .init(0, 1, "One", inside: [.init(0, 0.5, "One and a bit"), .init(0.5, 1, "One and more")]),
            .init(1, 2, "Two"),
          ],
          [.init(0, 2, "The other cut")],
        ])
      let description = try await inspect(try directory.write(file.bytes, to: "nested.mka"))
      #expect(description.chapters.map(\.title) == ["One", "One and a bit", "One and more", "Two"])
      #expect(description.chapters.map(\.start) == [0, 0, 0.5, 1].map { .seconds($0) })
      #expect(description.chapters.map(\.duration) == [1, 0.5, 0.5, 1].map { .seconds($0) })
      #expect(description.audioTracks.map(\.language) == ["de"])
      #expect(description.audioTracks.map(\.channels) == [1])
      #expect(description.audioTracks.map(\.sampleRate) == [8_000])
    }
  }

  @Test("Each of several tracks has its own language and title; the title of a single track is the media's")
  func tracks() async throws {
    let english = Matroska.Track(language: "eng", title: "Original")
    let german = Matroska.Track(language: "ger", channels: 2, title: "Synchron")
    try await withTemporaryDirectory { directory in
      let two = try await inspect(try directory.write(Matroska([english, german]).bytes, to: "two.mka"))
      #expect(two.audioTracks.map(\.language) == ["en", "de"])
      #expect(two.audioTracks.map(\.title) == ["Original", "Synchron"])
      #expect(two.audioTracks.map(\.channels) == [1, 2])
      let one = try await inspect(try directory.write(Matroska([german]).bytes, to: "one.mka"))
      #expect(one.audioTracks.map(\.title) == [nil])
    }
  }

  @Test("Inspection over HTTP returns the same description, with and without ranges", arguments: [true, false])
  func network(acceptsRanges: Bool) async throws {
    let path = try await Media.sine(seconds: 2, tags: Tags(title: "Far away"))
    try await withHTTPServer { server in
      let response = try HTTPResponse.file(path, type: "audio/flac")
      let uri = server.script("/a.flac", acceptsRanges ? response : response.refusingRanges())
      let description = try await within(uri)
      #expect(description.metadata.title == "Far away")
      #expect(description.duration == .seconds(2))
      #expect(description.isSeekable == acceptsRanges)
    }
  }

  // MARK: Failures

  @Test("Inspecting an unplayable file fails with the same code as playing it")
  func failures() async throws {
    try await withTemporaryDirectory { directory in
      let pipe = directory.file("pipe.flac")
      #expect(unsafe mkfifo(pipe, 0o600) == 0)
      let bad: [(String, PlayerError.Code)] = [
        (fileURI(Media.missing), .notFound), (fileURI(try await Media.textFile()), .notMedia),
        (fileURI(try await Media.emptyFile()), .empty), (fileURI(directory.path), .notMedia),
        (fileURI(try directory.write([0x66, 0x4c, 0x61], to: "short.flac")), .notMedia),
        (fileURI(try await Media.cover()), .noAudio), (fileURI(pipe), .notMedia), ("file:///dev/zero", .notMedia),
        ("gopher://127.0.0.1/a", .unsupportedScheme), ("nonsense", .invalidArgument),
      ]
      for (uri, code) in bad {
        let error = await #expect(throws: PlayerError.self, "\(uri)") { _ = try await within(uri) }
        #expect(error?.code == code, "\(uri): \(String(describing: error)) \(error?.detail ?? "")")
      }
    }
  }

  @Test("The error for a missing decoder contains the name of the decoder")
  func missingDecoder() async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write(Matroska(codec: "A_NOBODY/KNOWS").bytes, to: "unknown.mka")
      let error = await #expect(throws: PlayerError.self) { _ = try await inspect(path) }
      #expect(error?.code == .codecMissing, "\(String(describing: error)) \(error?.detail ?? "")")
      #expect(error?.message.hasPrefix("not installed: ") == true)
      #expect(error?.message.hasSuffix(" decoder") == true)
    }
  }

  @Test("Server errors keep their codes")
  func serverFailures() async throws {
    try await withHTTPServer { server in
      let missing = await #expect(throws: PlayerError.self) { _ = try await within(server.origin + "/missing") }
      #expect(missing?.code == .httpError)
      #expect(missing?.message == "the server responds with status 404")
      server.stop()
      let refused = await #expect(throws: PlayerError.self) { _ = try await within(server.origin + "/a") }
      #expect(refused?.code == .networkRefused)
    }
  }

  @Test("An inspection without a task calls its completion once, with the description or the error")
  func completion() async throws {
    let path = try await Media.sine(seconds: 1)
    for (uri, isCancelled) in [(fileURI(path), false), (fileURI(Media.missing), false), (fileURI(path), true)] {
      let answer = await withCheckedContinuation { continuation in
        // A second call would trap.
        let cancel = inspector.begin(uri) { continuation.resume(returning: $0) }
        if isCancelled { for _ in 0..<2 { cancel() } }
      }
      switch answer {
      case .success(let description): #expect(description.duration == .seconds(1) && uri.hasSuffix(path))
      case .failure(let error): #expect(error.code == (isCancelled ? .cancelled : .notFound))
      }
    }
  }

  private func inspect(_ path: String) async throws -> MediaDescription { try await within(fileURI(path)) }

  private func within(_ uri: String) async throws -> MediaDescription {
    try await deadline(20, "\(uri) is inspected") { [inspector] in try await inspector.inspect(uri) }
  }
}
