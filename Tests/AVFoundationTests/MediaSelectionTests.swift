import Foundation
import Playback
import TestSupport
import Testing

@testable import AVFoundation

/// Tests of the selection of audio tracks, on an output that plays in real time.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct MediaSelectionTests {
  /// Runs `body` with a file with an English and a German track.
  private func withFile(_ body: (URL) async throws -> Void) async throws {
    try await withSilentPlayers {
      try await withTemporaryDirectory { directory in
        var file = Matroska()
        file.clusters = 100
        file.tracks = [
          Matroska.Track(language: "eng", title: "Original"), Matroska.Track(language: "ger", isMarked: false),
        ]
        try await body(URL(fileURLWithPath: try directory.write(file.bytes, to: "dubbed.mka")))
      }
    }
  }

  @Test("The audio tracks of an asset are the options of its group, with names and languages")
  func group() async throws {
    try await withFile { url in
      let asset = AVURLAsset(url: url)
      let group = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
      #expect(group.options.map(\.extendedLanguageTag) == ["en", "de"] && group.defaultOption == group.options.first)
      #expect(group.options[0].displayName == "Original")
      #expect(group.options[1].displayName(with: Locale(identifier: "en")) == "German")
      #expect(asset.availableMediaCharacteristicsWithMediaSelectionOptions == [.audible])
      #expect(asset.mediaSelectionGroup(forMediaCharacteristic: .audible) == group)
      #expect(try await asset.loadMediaSelectionGroup(for: .legible) == nil)
      let german = AVMediaSelectionGroup.mediaSelectionOptions(
        from: group.options, filteredAndSortedAccordingToPreferredLanguages: ["fr", "de"])
      #expect(german == [group.options[1]])
      #expect(
        AVMediaSelectionGroup.mediaSelectionOptions(from: group.options, with: Locale(identifier: "de")) == german)
    }
    let single = AVURLAsset(url: try await sine(1))
    #expect(try await single.loadMediaSelectionGroup(for: .audible) == nil)
  }

  @Test("An option is selected before and during playback, and the change is posted")
  func selection() async throws {
    try await withFile { url in
      let item = AVPlayerItem(url: url)
      let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .audible))
      let record = Record()
      let token = record.notifications(AVPlayerItem.mediaSelectionDidChangeNotification, of: item, as: "change")
      item.select(group.options[1], in: group)
      #expect(item.currentMediaSelection.selectedMediaOption(in: group) == group.options[1])
      let player = AVPlayer(playerItem: item)
      try await item.settled()
      try await player.reaches(\.currentItem?.currentMediaSelection, "the track") {
        $0.player.snapshot.audioTrackIndex == 1
      }
      item.select(group.options[0], in: group)
      #expect(player.player.snapshot.audioTrackIndex == 0)
      #expect(item.currentMediaSelection.selectedMediaOption(in: group) == group.options[0])
      try await record.first("change")
      item.select(nil, in: group)
      #expect(player.player.snapshot.audioTrackIndex == 0)
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("The criteria of a player select the track by its language, unless they are not applied")
  func criteria() async throws {
    try await withFile { url in
      let player = AVPlayer()
      let criteria = AVPlayerMediaSelectionCriteria(preferredLanguages: ["de"], preferredMediaCharacteristics: nil)
      player.setMediaSelectionCriteria(criteria, forMediaCharacteristic: .audible)
      #expect(player.mediaSelectionCriteria(forMediaCharacteristic: .audible) === criteria)
      let item = AVPlayerItem(url: url)
      player.replaceCurrentItem(with: item)
      try await item.settled()
      try await player.reaches(\.currentItem?.currentMediaSelection, "the track") {
        $0.player.snapshot.audioTrackIndex == 1
      }
      let group = try #require(item.asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
      #expect(item.selectedMediaOption(in: group)?.extendedLanguageTag == "de")
      item.select(group.options[0], in: group)
      item.selectMediaOptionAutomatically(in: group)
      #expect(player.player.snapshot.audioTrackIndex == 1)
      player.appliesMediaSelectionCriteriaAutomatically = false
      #expect(player.player.preferredAudioLanguages == [])
    }
  }
}
