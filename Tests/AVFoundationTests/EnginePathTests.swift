import AVFoundation
import TestSupport
import Testing

@Suite("The engine of AVFoundation", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct EnginePathTests {
  @Test("A player that is created with a path of an engine plays in its processes")
  @MainActor func path() async throws {
    #expect(AVPlayer.enginePath == nil)
    let item = AVPlayerItem(url: try await sine(1))
    AVPlayer.enginePath = "/missing/engine"
    let player = AVPlayer(playerItem: item)
    AVPlayer.enginePath = nil
    try await item.settled()
    #expect(item.status == .failed)
    #expect("\(item.error.debugDescription)".contains("/missing/engine: No such file"), "\(item.error as Any)")
    withExtendedLifetime(player) {}
  }
}
