import AVFoundation
import Dispatch
import TestSupport
import Testing

/// Tests of types that exist so that code compiles, and of names that programs write.
@Suite struct UnsupportedTypeTests {
  private final class Delegate: NSObject, AVPlayerItemLegibleOutputPushDelegate, AVContentKeySessionDelegate {}

  private func code(_ body: () async throws -> Void) async -> AVError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? AVError)?.code }
  }

  @Test("A composition refuses parts of assets and tracks, and cannot be loaded")
  func composition() async throws {
    let composition = AVMutableComposition()
    let part = AVURLAsset(url: URL(fileURLWithPath: Media.missing))
    let range = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))
    let refusal = await code { try composition.insertTimeRange(range, of: part, at: .zero) }
    #expect(refusal == .operationNotSupportedForAsset)
    let track = composition.addMutableTrack(withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid)
    #expect(track == nil && composition.tracks.isEmpty)
    #expect(await code { _ = try await composition.load(.duration) } == .noSourceTrack)
    #expect(try await !composition.load(.isPlayable))
  }

  @Test("An item of a composition fails")
  func playback() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(asset: AVMutableComposition())
      let player = AVPlayer(playerItem: item)
      try await item.settled()
      #expect((item.error as? AVError)?.code == .noSourceTrack && player.rate == 0)
    }
  }

  @Test("A session for keys and an output of subtitles keep their settings, without retaining a delegate")
  func stored() {
    let session = AVContentKeySession(keySystem: .fairPlayStreaming)
    let asset = AVURLAsset(url: URL(fileURLWithPath: Media.missing))
    for _ in 1...2 { session.addContentKeyRecipient(asset) }
    #expect(session.keySystem == .fairPlayStreaming && session.contentKeyRecipients.count == 1)
    session.removeContentKeyRecipient(asset)
    #expect(session.contentKeyRecipients.isEmpty)
    let output = AVPlayerItemLegibleOutput()
    var delegate: Delegate? = Delegate()
    session.setDelegate(delegate, queue: .main)
    let queue = DispatchQueue(label: "subtitles")
    output.setDelegate(delegate, queue: queue)
    output.textStylingResolution = .sourceAndRulesOnly
    #expect(
      session.delegate === delegate && output.delegate === delegate && output.delegateQueue === queue)
    delegate = nil
    #expect(session.delegate == nil && output.delegate == nil && output.textStylingResolution == .sourceAndRulesOnly)
    let item = AVPlayerItem(asset: asset)
    item.add(output)
    #expect(item.outputs == [output])
  }

  @Test("Settings without an effect keep their values, and a group of a program changes")
  func settings() async {
    let detector = AVRouteDetector()
    detector.isRouteDetectionEnabled = true
    #expect(detector.isRouteDetectionEnabled && !detector.multipleRoutesDetected)
    let item = AVPlayerItem(url: URL(fileURLWithPath: Media.missing))
    item.allowedAudioSpatializationFormats = .multichannel
    #expect(item.allowedAudioSpatializationFormats == .multichannel)
    let player = AVPlayer()
    player.isClosedCaptionDisplayEnabled = true
    #expect(player.isClosedCaptionDisplayEnabled)
    let range = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))
    let group = AVMutableTimedMetadataGroup(items: [], timeRange: .invalid)
    group.items = [AVMetadataItem()]
    group.timeRange = range
    #expect(group.items.count == 1 && group.timeRange == range)
    let isGranted = await AVAudioApplication.requestRecordPermission()
    #expect(!isGranted && AVAudioApplication.shared.recordPermission == .denied)
  }

  @Test("Markers of navigation and groups between dates keep their values")
  func groups() {
    let dates = AVDateRangeMetadataGroup(items: [], start: Date(timeIntervalSince1970: 0), end: nil)
    let markers = AVNavigationMarkersGroup(title: "Chapters", dateRangeNavigationMarkers: [dates])
    #expect(markers.title == "Chapters" && markers.dateRangeNavigationMarkers == [dates])
    #expect(markers.timedNavigationMarkers == nil && dates.startDate == Date(timeIntervalSince1970: 0))
    #expect(AVNavigationMarkersGroup(title: nil, timedNavigationMarkers: []).timedNavigationMarkers == [])
  }

  @Test(
    "The key of an identifier is the key of the same name",
    arguments: [
      (AVMetadataIdentifier.iTunesMetadataTrackSubTitle, AVMetadataKey.iTunesMetadataKeyTrackSubTitle, "@st3"),
      (.quickTimeUserDataCreationDate, .quickTimeUserDataKeyCreationDate, "@day"),
      (.quickTimeMetadataGenre, .quickTimeMetadataKeyGenre, "com.apple.quicktime.genre"),
      (.id3MetadataUserText, .id3MetadataKeyUserText, "TXXX"),
      (.id3MetadataInvolvedPeopleList_v24, .id3MetadataKeyInvolvedPeopleList_v24, "TIPL"),
      (.isoUserDataCopyright, .isoUserDataKeyCopyright, "cprt"),
      (.identifier3GPUserDataTitle, .metadata3GPUserDataKeyTitle, "titl"),
    ])
  func keys(identifier: AVMetadataIdentifier, key: AVMetadataKey, text: String) throws {
    #expect(key.rawValue == text)
    let space = try #require(AVMetadataItem.keySpace(forIdentifier: identifier))
    #expect(AVMetadataItem.identifier(forKey: key, keySpace: space) == identifier)
    #expect((AVMetadataItem.key(forIdentifier: identifier) as? NSString)?.isEqual(to: text) == true)
  }

  @Test(
    "A track of audio does not have a characteristic of video or of subtitles",
    .enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
  func characteristics() async throws {
    let asset = AVURLAsset(url: try await sine(1))
    let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    let others: [AVMediaCharacteristic] = [
      .containsHDRVideo, .frameBased, .isOriginalContent, .describesMusicAndSoundForAccessibility, .dubbedTranslation,
    ]
    #expect(track.hasMediaCharacteristic(.audible) && !others.contains(where: track.hasMediaCharacteristic))
    let (size, transform, rate) = try await track.load(.naturalSize, .preferredTransform, .nominalFrameRate)
    #expect(size == .zero && transform.isIdentity && rate == 0 && track.naturalSize == .zero)
    #expect(try await asset.load(.minimumTimeOffsetFromLive) == .invalid)
    #expect(asset.allMediaSelections == [asset.preferredMediaSelection])
    #expect(try await asset.load(.allMediaSelections) == [asset.preferredMediaSelection])
  }
}
