import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

@testable import AVFoundation

/// Tests of the data of delegates, on an output that plays in real time.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct ResourceLoaderTests {
  /// A cache of a file in memory.
  private final class Cache: NSObject, AVAssetResourceLoaderDelegate, Sendable {
    enum Behaviour: Sendable {
      case provides, refuses, fails
      /// Provides the beginning, and never finishes.
      case stalls
    }

    let bytes: Data
    let hasRanges: Bool
    let behaviour: Behaviour
    /// The offset and the length of each request for data, and −1 for each cancelled one.
    let log = EventLog<[Int]>()
    let queue = DispatchQueue(label: "cache")

    init(_ bytes: Data, hasRanges: Bool = true, _ behaviour: Behaviour = .provides) {
      (self.bytes, self.hasRanges, self.behaviour) = (bytes, hasRanges, behaviour)
    }

    func resourceLoader(
      _ resourceLoader: AVAssetResourceLoader,
      shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
      dispatchPrecondition(condition: .onQueue(queue))
      guard behaviour != .refuses, let data = loadingRequest.dataRequest else { return false }
      log.append([Int(data.requestedOffset), data.requestedLength])
      if behaviour == .fails {
        loadingRequest.finishLoading(with: CocoaError(.fileReadCorruptFile))
        return true
      }
      if let content = loadingRequest.contentInformationRequest {
        content.contentType = "org.xiph.flac"
        content.contentLength = Int64(bytes.count)
        content.isByteRangeAccessSupported = hasRanges
      }
      // A delegate may answer later and in parts.
      queue.async { [self] in
        let start = Int(data.requestedOffset)
        let end = min(bytes.count, start + data.requestedLength)
        let isShort = behaviour == .stalls && data.requestedLength > 2
        let part = bytes[start..<(isShort ? min(end, start + 20_000) : end)]
        for offset in stride(from: part.startIndex, to: part.endIndex, by: 10_000) {
          data.respond(with: part[offset..<min(part.endIndex, offset + 10_000)])
        }
        if !isShort { loadingRequest.finishLoading() }
      }
      return true
    }

    func resourceLoader(
      _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {
      dispatchPrecondition(condition: .onQueue(queue))
      #expect(loadingRequest.isCancelled)
      log.append([-1])
    }
  }

  private func bytes(_ seconds: Double) async throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: try await Media.sine(seconds: seconds)))
  }

  private func asset(_ cache: Cache, _ text: String = "cache://songs/a.flac") throws -> AVURLAsset {
    let asset = AVURLAsset(url: try #require(URL(string: text)))
    asset.resourceLoader.setDelegate(cache, queue: cache.queue)
    #expect(asset.resourceLoader.delegate === cache && asset.resourceLoader.delegateQueue === cache.queue)
    return asset
  }

  @Test("An item plays the data of a delegate to its end, and its description was requested first")
  func play() async throws {
    try await withSilentPlayers {
      let cache = Cache(try await bytes(1))
      let item = AVPlayerItem(asset: try asset(cache))
      let record = Record()
      let token = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end")
      let player = AVPlayer(playerItem: item)
      player.play()
      try await record.first("end")
      #expect(item.duration == CMTime(value: 1, timescale: 1) && item.error == nil)
      #expect(cache.log.elements.starts(with: [[0, 2], [0, cache.bytes.count]]))
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("A seek requests the data from its offset, if the delegate supports ranges")
  func seek() async throws {
    try await withSilentPlayers {
      let cache = Cache(try await bytes(60))
      let player = AVPlayer(playerItem: AVPlayerItem(asset: try asset(cache)))
      let item = try #require(player.currentItem)
      try await item.settled()
      let time = CMTime(value: 50, timescale: 1)
      #expect(await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.currentTime() == time)
      let request = try await cache.log.first("a range", within: 30) { $0[0] > 0 }.element
      #expect(request[0] + request[1] == cache.bytes.count)
    }
  }

  @Test("An asset loads its properties from a delegate without ranges")
  func properties() async throws {
    let cache = Cache(try await bytes(2), hasRanges: false)
    let asset = try asset(cache)
    #expect(asset.url.absoluteString == "cache://songs/a.flac")
    let (isPlayable, tracks) = try await asset.load(.isPlayable, .tracks)
    #expect(isPlayable && tracks.count == 1)
    withExtendedLifetime(cache) {}
  }

  @Test("An item fails if its delegate refuses or fails", arguments: [true, false])
  func failure(refuses: Bool) async throws {
    try await withSilentPlayers {
      let cache = Cache(Data(), refuses ? .refuses : .fails)
      let item = AVPlayerItem(asset: try asset(cache))
      let player = AVPlayer(playerItem: item)
      try await item.settled()
      #expect(item.status == .failed && player.rate == 0)
    }
  }

  @Test("A request is cancelled when its player is released")
  func cancellation() async throws {
    try await withSilentPlayers {
      let cache = Cache(try await bytes(60), .stalls)
      var player: AVPlayer? = AVPlayer(playerItem: AVPlayerItem(asset: try asset(cache)))
      player?.play()
      try await cache.log.first("the data", within: 30) { $0[1] > 2 }
      player = nil
      try await cache.log.first("the end of the request", within: 30) { $0 == [-1] }
    }
  }

  @Test("A delegate is not called for files, and other programs do not reach its data by guessing")
  func address() async throws {
    let cache = Cache(try await bytes(1))
    let path = try await Media.sine(seconds: 1)
    let file = try asset(cache, URL(fileURLWithPath: path).absoluteString)
    #expect(try await file.load(.duration) == CMTime(value: 1, timescale: 1))
    #expect(cache.log.count == 0)
    let asset = try asset(cache)
    let uri = asset.loader.uri
    #expect(uri.hasPrefix("http://127.0.0.1:") && uri.hasSuffix("/a.flac"))
    let root = try #require(uri.split(separator: "/").dropFirst().first)
    let other = AVURLAsset(url: try #require(URL(string: "http://\(root)/a.flac")))
    await #expect(throws: (any Error).self) { try await other.load(.duration) }
    #expect(cache.log.count == 0)
  }
}
