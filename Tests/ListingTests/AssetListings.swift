import AVFoundation
import TestSupport
import Testing

/// The code of the pages of AVFoundation about assets.
@Suite(.enabled(if: Media.isAvailable, "\(Media.unavailable)")) struct AssetListings {
  @Test("The asset of the page has a duration, a title and no chapters")
  func loading() async throws {
    let url = URL(fileURLWithPath: try await Media.sine(seconds: 1, tags: Tags(title: "Listed")))
    let asset = AVURLAsset(url: url)
    let (duration, tracks, isPlayable) = try await asset.load(.duration, .tracks, .isPlayable)
    print(duration.seconds, tracks.count, isPlayable)
    #expect(duration.seconds == 1 && tracks.count == 1 && isPlayable)
    let metadata = try await asset.load(.commonMetadata)
    for item in AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: .commonIdentifierTitle) {
      print(try await item.load(.stringValue) ?? "untitled")
    }
    #expect(metadata.map(\.stringValue) == ["Listed"])
    for group in try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"]) {
      print(group.timeRange.start.seconds, group.items.first?.stringValue ?? "untitled")
    }
  }

  @Test("The errors of the page are caught")
  func errors() async throws {
    for path in [Media.missing, try await Media.textFile()] {
      let asset = AVURLAsset(url: URL(fileURLWithPath: path))
      do {
        _ = try await asset.load(.duration)
      } catch AVError.fileFormatNotRecognized {
        print("not media")
      } catch let error as URLError where error.code == .fileDoesNotExist {
        print("not found")
      } catch {
        print(error.localizedDescription)
      }
      #expect(asset.status(of: .isPlayable) != .loaded(true) && asset.status(of: .duration) != .notYetLoaded)
    }
  }
}
