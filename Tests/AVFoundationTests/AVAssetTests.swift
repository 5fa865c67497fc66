import Synchronization
import TestSupport
import Testing

@testable import AVFoundation

@Suite("Assets of AVFoundation", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct AVAssetTests {
  private static let tags = Tags(
    title: "Loaded", artists: ["One"], album: "Album", albumArtist: "All", genre: "Jazz", trackNumber: 3, date: "1999")

  private func asset(_ path: String) -> AVURLAsset { AVURLAsset(url: URL(fileURLWithPath: path)) }

  private func status(of asset: AVAsset) -> AVKeyValueStatus {
    unsafe asset.statusOfValue(forKey: "duration", error: nil)
  }

  /// Fails instead of waiting without end.
  private func load<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
    try await deadline(20, "the asset is loaded", body)
  }

  @Test("A loaded asset has its duration, one audio track, and is playable", arguments: Media.Format.allCases)
  func facts(format: Media.Format) async throws {
    let asset = asset(try await Media.sine(seconds: 2, format: format))
    #expect(asset.status(of: .duration) == .notYetLoaded && status(of: asset) == .unknown)
    let (duration, tracks, isPlayable) = try await load { try await asset.load(.duration, .tracks, .isPlayable) }
    #expect(abs(duration.seconds - 2) < 0.1 && isPlayable)
    #expect(asset.status(of: .duration) == .loaded(duration) && status(of: asset) == .loaded)
    #expect(asset.duration == duration && asset.isPlayable && asset.tracks.count == 1)
    try #require(tracks.count == 1)
    #expect(tracks[0].trackID == 1 && tracks[0].mediaType == .audio && tracks[0].asset === asset)
    let (range, scale, characteristics) = try await tracks[0].load(.timeRange, .naturalTimeScale, .mediaCharacteristics)
    #expect(range == CMTimeRange(start: .zero, duration: duration) && scale == 44_100)
    #expect(characteristics == [.audible])
    let (rate, volume) = try await asset.load(.preferredRate, .preferredVolume)
    #expect(rate == 1 && volume == 1)
    #expect(try await asset.load(.hasProtectedContent) == false)
    #expect(try await asset.load(.availableChapterLocales).isEmpty)
  }

  @Test(
    "The metadata of a file has the identifiers of its format, and common ones",
    arguments: [
      (Media.Format.flac, AVMetadataFormat.unknown, "vorb/TITLE"), (.ogg, .unknown, "vorb/TITLE"),
      (.mp3, .id3Metadata, "id3/TIT2"),
    ])
  func metadata(format: Media.Format, name: AVMetadataFormat, title: String) async throws {
    let cover = try await Media.cover(seed: 9)
    var tags = Self.tags
    tags.cover = cover
    let asset = asset(try await Media.sine(seconds: 1, format: format, tags: tags))
    let (metadata, common) = try await load { try await asset.load(.metadata, .commonMetadata) }
    let titles = AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: AVMetadataIdentifier(title))
    #expect(titles.map(\.stringValue) == ["Loaded"])
    let values: [(AVMetadataIdentifier, String)] = [
      (.commonIdentifierTitle, "Loaded"), (.commonIdentifierArtist, "One"), (.commonIdentifierAlbumName, "Album"),
      (.commonIdentifierType, "Jazz"), (.commonIdentifierCreationDate, "1999"),
    ]
    for (identifier, value) in values {
      let items = AVMetadataItem.metadataItems(from: common, filteredByIdentifier: identifier)
      #expect(items.map(\.stringValue) == [value], "\(identifier.rawValue)")
    }
    let artwork = AVMetadataItem.metadataItems(from: common, filteredByIdentifier: .commonIdentifierArtwork).first
    let picture = try await artwork?.load(.dataValue)
    #expect(picture == (try Data(contentsOf: URL(fileURLWithPath: cover))))
    #expect(try await asset.load(.availableMetadataFormats) == [name])
    #expect(try await asset.loadMetadata(for: name).count == metadata.count)
    #expect(try await asset.loadMetadata(for: .quickTimeMetadata).isEmpty)
    let date = try #require(try await asset.load(.creationDate))
    #expect(try await date.load(.dateValue) == Date(timeIntervalSince1970: 915_148_800))
    #expect(asset.metadata.count == metadata.count && asset.commonMetadata.count == common.count)
    #expect(asset.availableMetadataFormats == [name] && asset.metadata(forFormat: name).count == metadata.count)
    #expect(asset.creationDate?.stringValue == "1999")
  }

  @Test("Chapters are groups with a title and a range")
  func chapters() async throws {
    try await withTemporaryDirectory { directory in
      let plain = Array(try Data(contentsOf: URL(fileURLWithPath: try await Media.sine(seconds: 3, format: .wav))))
      let path = try directory.write(CueSheet.adding([(0, "Overture"), (44_100, "Finale")], to: plain), to: "cues.wav")
      let asset = asset(path)
      let groups = try await load {
        let locale = try #require(try await asset.load(.availableChapterLocales).first)
        return try await asset.loadChapterMetadataGroups(withTitleLocale: locale)
      }
      #expect(groups.map { $0.items.map(\.stringValue) } == [["Overture"], ["Finale"]])
      #expect(groups.map(\.timeRange.start.seconds) == [0, 1])
      #expect(groups.map(\.timeRange.duration.seconds) == [1, 2])
      #expect(groups.first?.items.first?.commonKey == .commonKeyTitle)
      #expect(groups.last?.items.first?.time.seconds == 1)
      let matching = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["de"])
      #expect(matching.count == 2)
      #expect(asset.chapterMetadataGroups(bestMatchingPreferredLanguages: []).count == 2)
      #expect(asset.availableChapterLocales.count == 1)
    }
  }

  @Test("Each audio track has its language and number; video is a separate track")
  func tracks() async throws {
    try await withTemporaryDirectory { directory in
      let file = Matroska([.init(language: "eng", title: "Original"), .init(language: "ger", channels: 2)])
      let asset = asset(try directory.write(file.bytes, to: "two.mka"))
      let tracks = try await load { try await asset.loadTracks(withMediaType: .audio) }
      #expect(tracks.map(\.trackID) == [1, 2])
      #expect(tracks.map(\.extendedLanguageTag) == ["en", "de"])
      #expect(tracks.map(\.languageCode) == ["eng", "deu"])
      #expect(tracks.first?.metadata.map(\.stringValue) == ["Original"])
      #expect(try await asset.loadTracks(withMediaType: .video).isEmpty)
      #expect(try await asset.loadTrack(withTrackID: 2)?.extendedLanguageTag == "de")
      #expect(try await asset.loadTrack(withTrackID: 3) == nil)
      #expect(try await asset.loadTracks(withMediaCharacteristic: .audible).count == 2)
    }
  }

  @Test("A film has a video track, which is not playable", .enabled(if: Film.isAvailable, "\(Film.unavailable)"))
  func film() async throws {
    let sound = try await Media.sine(seconds: 0.5, format: .wav)
    let asset = asset(try await Media.film(.matroska, sound: sound))
    let video = try await load { try await asset.loadTracks(withMediaType: .video) }
    #expect(video.map(\.trackID) == [2])
    #expect(try await video.first?.load(.isPlayable) == false)
    #expect(video.first?.hasMediaCharacteristic(.visual) == true)
    #expect(try await asset.load(.isPlayable))
  }

  @Test("An asset of a server has the same properties")
  func network() async throws {
    let path = try await Media.sine(seconds: 2, tags: Self.tags)
    try await withHTTPServer { server in
      let uri = server.script("/a.flac", try HTTPResponse.file(path, type: "audio/flac"))
      let asset = AVAsset(url: try #require(URL(string: uri)))
      let (duration, common) = try await load { try await asset.load(.duration, .commonMetadata) }
      #expect(duration == CMTime(value: 2, timescale: 1))
      #expect(common.first?.stringValue == "Loaded")
    }
  }

  // MARK: Failures

  @Test("A failure is the error of the player, also for later calls")
  func failures() async throws {
    let bad: [(URL?, Int, String)] = [
      (URL(fileURLWithPath: Media.missing), -1100, NSURLErrorDomain),
      (URL(fileURLWithPath: try await Media.textFile()), -11828, AVFoundationErrorDomain),
      (URL(fileURLWithPath: try await Media.emptyFile()), -11829, AVFoundationErrorDomain),
      (URL(fileURLWithPath: try await Media.cover()), -11869, AVFoundationErrorDomain),
      (URL(string: "gopher://127.0.0.1/a"), -1002, NSURLErrorDomain),
      (URL(string: "nonsense"), -1000, NSURLErrorDomain),
    ]
    for (url, code, domain) in bad {
      let asset = AVURLAsset(url: try #require(url))
      for _ in 0..<2 {
        let error = await #expect(throws: (any Error).self) { try await load { try await asset.load(.duration) } }
        let details = try #require(error) as NSError
        #expect(details.code == code && details.domain == domain, "\(asset.url) \(details)")
      }
      guard case .failed(let error) = asset.status(of: .tracks) else {
        Issue.record("not failed")
        continue
      }
      #expect(error.code == code)
      var outError: NSError?
      #expect(unsafe asset.statusOfValue(forKey: "tracks", error: &outError) == .failed)
      #expect(outError?.code == code)
      let isMedia = domain == AVFoundationErrorDomain
      #expect(asset.status(of: .isPlayable) == (isMedia ? .loaded(false) : .failed(error)))
      if isMedia { #expect(try await asset.load(.isPlayable) == false) }
    }
  }

  // MARK: Cancellation

  /// A server whose media stalls.
  private func withStalledAsset(_ body: (AVURLAsset, HTTPServer) async throws -> Void) async throws {
    let path = try await Media.sine(seconds: 2)
    try await withHTTPServer { server in
      let uri = server.script("/a.flac", try HTTPResponse.file(path, type: "audio/flac").stalling(at: 100))
      try await body(AVURLAsset(url: try #require(URL(string: uri))), server)
    }
  }

  @Test("Cancelling the asset ends all loads, and a later load begins again", .timeLimit(.minutes(1)))
  func cancelLoading() async throws {
    try await withStalledAsset { asset, server in
      let ended = EventLog<Int>()
      asset.loadTracks(withMediaType: .audio) { tracks, error in
        ended.append(tracks == nil ? (error as? AVError)?.errorCode ?? 0 : 0)
      }
      asset.loadTrack(withTrackID: 1) { _, error in ended.append((error as? AVError)?.errorCode ?? 0) }
      try await server.events.first("the media stalls") { $0 == .stalled(path: "/a.flac") }
      #expect(asset.status(of: .duration) == .loading && status(of: asset) == .loading)
      #expect(ended.count == 0)
      asset.cancelLoading()
      try await ended.first("the second load ends", from: 1) { _ in true }
      #expect(ended.elements == [-11878, -11878])
      #expect(status(of: asset) == .cancelled)
      server.change("/a.flac") { $0.stalling(at: .max) }
      #expect(try await asset.load(.duration) == CMTime(value: 2, timescale: 1))
    }
  }

  @Test("Cancelling a task ends its load alone", .timeLimit(.minutes(1)))
  func taskCancellation() async throws {
    try await withStalledAsset { asset, server in
      let others = Mutex(0)
      asset.loadValuesAsynchronously(forKeys: ["duration"]) { others.withLock { $0 += 1 } }
      let task = Task { try await asset.load(.duration) }
      try await server.events.first("the media stalls") { $0 == .stalled(path: "/a.flac") }
      task.cancel()
      await #expect { _ = try await task.value } throws: { AVError.operationCancelled ~= $0 }
      #expect(others.withLock { $0 } == 0)
      #expect(asset.status(of: .duration) == .loading)
      asset.cancelLoading()
      #expect(others.withLock { $0 } == 1)
      guard case .failed(let error) = asset.status(of: .duration) else {
        Issue.record("not cancelled")
        return
      }
      #expect(error.code == AVError.Code.operationCancelled.rawValue)
      #expect(status(of: asset) == .cancelled)
    }
  }

  @Test("Loads, cancelled tasks and cancelled assets at the same time all end", .timeLimit(.minutes(1)))
  func cancellations() async throws {
    let path = try await Media.sine(seconds: 1)
    for round in 0..<20 {
      let asset = asset(path)
      let endings = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<24 {
          group.addTask {
            let task = Task { try await asset.load(.duration).seconds }
            if (number + round) % 3 == 0 { task.cancel() }
            if (number + round) % 7 == 0 { asset.cancelLoading() }
            switch await task.result {
            case .success(let seconds): return seconds == 1
            case .failure(let error): return AVError.operationCancelled ~= error
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(endings == Array(repeating: true, count: 24))
      #expect(try await asset.load(.duration).seconds == 1)
    }
  }

  // MARK: Completion handlers

  @Test("Completion handlers get the same values and errors")
  func handlers() async throws {
    let good = asset(try await Media.sine(seconds: 1, tags: Self.tags))
    let tracks = await withCheckedContinuation { continuation in
      good.loadTracks(withMediaType: .audio) { tracks, error in continuation.resume(returning: (tracks, error)) }
    }
    #expect(tracks.0?.count == 1 && tracks.1 == nil)
    let bad = asset(Media.missing)
    let groups = await withCheckedContinuation { continuation in
      bad.loadChapterMetadataGroups(bestMatchingPreferredLanguages: []) { continuation.resume(returning: ($0, $1)) }
    }
    #expect(groups.0 == nil && (groups.1 as? URLError)?.code == .fileDoesNotExist)
  }

  @Test("All callers share one inspection")
  func sharing() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withHTTPServer { server in
      let uri = server.script("/a.flac", try HTTPResponse.file(path, type: "audio/flac"))
      let asset = AVURLAsset(url: try #require(URL(string: uri)))
      let durations = try await withThrowingTaskGroup { group in
        for _ in 0..<16 { group.addTask { try await asset.load(.duration).seconds } }
        return try await group.reduce(into: Set<Double>()) { $0.insert($1) }
      }
      #expect(durations.count == 1)
      let other = AVURLAsset(url: asset.url)
      let before = server.events.count
      _ = try await load { try await other.load(.duration) }
      // One load takes as many requests as sixteen did.
      #expect(server.events.count - before == before)
    }
  }
}
