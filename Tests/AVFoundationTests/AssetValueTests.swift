import Foundation
import TestSupport
import Testing

@testable import AVFoundation
@testable import GstPlayer

/// Tests of the synchronous properties of assets.
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct AssetValueTests {
  private func url(_ seconds: Double, _ tags: Tags = Tags(title: "Loaded")) async throws -> URL {
    URL(fileURLWithPath: try await Media.sine(seconds: seconds, tags: tags))
  }

  @Test("An asset of a URL is an AVURLAsset")
  func factory() async throws {
    let url = try await url(1)
    let asset = AVAsset(url: url)
    #expect((asset as? AVURLAsset)?.url == url)
    #expect(asset.duration == CMTime(value: 1, timescale: 1))
  }

  @Test("The synchronous properties of an asset block until it is loaded")
  func blocking() async throws {
    let url = try await url(2)
    // On a separate thread, because it blocks.
    let seconds = await withCheckedContinuation { continuation in
      DispatchQueue(label: "asset").async {
        let asset = AVURLAsset(url: url)
        let title = AVMetadataItem.metadataItems(
          from: asset.commonMetadata, filteredByIdentifier: .commonIdentifierTitle
        ).first
        #expect(title?.stringValue == "Loaded" && asset.tracks.count == 1 && asset.isPlayable)
        #expect(asset.tracks(withMediaType: .audio).first?.naturalTimeScale == 44_100)
        continuation.resume(returning: asset.duration.seconds)
      }
    }
    #expect(seconds == 2)
  }

  @Test("The properties of an asset that cannot be loaded are empty")
  func failure() {
    let asset = AVURLAsset(url: URL(fileURLWithPath: Media.missing))
    #expect(asset.duration.isIndefinite && asset.tracks.isEmpty && asset.metadata.isEmpty && !asset.isPlayable)
  }

  @Test("An asset whose item is ready takes its properties from the item, and opens nothing again")
  @MainActor
  func ofItem() async throws {
    try await withSilentPlayers {
      let asset = AVURLAsset(url: try await url(2))
      let item = AVPlayerItem(asset: asset)
      let player = AVPlayer(playerItem: item)
      try await item.settled()
      try await player.reaches(\.currentItem?.tracks.count, "the track is known") {
        $0.currentItem?.tracks.isEmpty == false
      }
      #expect(asset.duration == item.duration && asset.tracks.count == 1)
      #expect(asset.loader.description == nil, "the asset was not loaded")
    }
  }

  @Test("A handler of one asset may block until another one is loaded, in any number")
  func nested() async throws {
    let url = try await url(1)
    let done = EventLog<Double>()
    for _ in 0..<8 {
      AVURLAsset(url: url).loadTracks(withMediaType: .audio) { _, _ in
        done.append(AVURLAsset(url: url).duration.seconds)
      }
    }
    try await done.first("the last handler", from: 7, within: 60) { $0 == 1 }
  }

  @Test("The values of keys can be awaited")
  func values() async throws {
    let asset = AVURLAsset(url: try await url(1))
    await asset.loadValues(forKeys: ["duration", "tracks"])
    #expect(unsafe asset.statusOfValue(forKey: "duration", error: nil) == .loaded)
  }
}
