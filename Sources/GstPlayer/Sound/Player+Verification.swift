import Dispatch
package import Playback

extension Player {
  /// Plays one item to its end, and compares its samples at the output with its decoder's samples.
  ///
  /// - Parameters:
  ///   - uri: The item.
  ///   - configuration: The configuration of the player.
  ///   - rate: The rate of playback.
  ///   - whilePlaying: Called once, in the middle of the item. It may block its thread; playback continues.
  /// - Returns: The digests of the samples.
  /// - Throws: The failure of the item or of the output.
  package static func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable () -> Void
  ) async throws(PlayerError) -> SampleComparison {
    // In the sandbox, the thread of the caller may be the one that receives the file.
    let header = await withCheckedContinuation { continuation in
      DispatchQueue(label: "GstPlayer.Verification").async {
        continuation.resume(returning: LocalFile.flacStreamInfo(uri))
      }
    }
    let verifier = SampleVerifier(header: header)
    let player = Player(configuration: configuration, verifier: verifier)
    let events = player.events()
    player.replaceQueue(with: [Item(uri: uri)])
    player.rate = rate
    let middle = try player.addBoundaryTimeObserver(forFractions: [0.5]) { _ in whilePlaying() }
    player.play()
    var failure: PlayerError?
    for await event in events {
      switch event {
      case .itemFailed(_, let error), .outputFailed(let error): failure = failure ?? error
      default: break
      }
      if failure != nil || event == .queueEnded { break }
    }
    middle.cancel()
    await player.close()
    if let failure { throw failure }
    return verifier.comparison
  }
}
