package import Playback

/// The functions of the process, each as a request.
extension InspectionProcess {
  package func inspect(_ uri: String, timeout: Duration) async throws(PlayerError) -> MediaDescription {
    let answer = try await perform(PendingRequest(.inspect(uri: uri, timeout: timeout)))
    // The kind of an answer is checked when it arrives.
    return if case .description(let description) = answer { description } else { MediaDescription() }
  }

  /// Returns a function that inspects media, at most `limit` at the same time; further calls wait in their order.
  package func makeInspector(
    limit: Int, timeout: Duration
  ) -> @Sendable (_ uri: String) async throws(PlayerError) -> MediaDescription {
    let turns = InspectionTurns(limit: limit)
    return { uri throws(PlayerError) in
      guard await turns.begin() else {
        throw PlayerError(code: .cancelled, message: "the inspection was cancelled")
      }
      defer { turns.end() }
      return try await self.inspect(uri, timeout: timeout)
    }
  }

  package func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) async throws(PlayerError) -> MediaContent? {
    try await perform(
      .read(
        uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: forPlayback, isWanted: isWanted)
    ).content
  }

  package func measureLoudness(of uri: String, includingTagged: Bool) async throws(PlayerError) -> TrackLoudness? {
    let answer = try await perform(PendingRequest(.measureLoudness(uri: uri, includingTagged: includingTagged)))
    return if case .loudness(let loudness) = answer { loudness } else { nil }
  }

  /// Lists the output devices; empty if the process ends.
  package func audioOutputs() async -> [AudioOutput] {
    guard case .audioOutputs(let outputs) = try? await perform(PendingRequest(.audioOutputs)) else { return [] }
    return outputs
  }

  package func checkAudioSink(_ description: String) async throws(PlayerError) {
    _ = try await perform(PendingRequest(.checkAudioSink(description)))
  }

  package func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable () -> Void
  ) async throws(PlayerError) -> SampleComparison {
    let request = PendingRequest(.compareSamples(of: uri, configuration, rate: rate)) { _ in
      whilePlaying()
      return true
    }
    let answer = try await perform(request)
    return if case .comparison(let comparison) = answer { comparison } else { SampleComparison() }
  }

  /// Describes the installed framework; nil when it cannot be initialized, or the process ends.
  package func support() async -> FrameworkSupport? {
    guard case .support(let support) = try? await perform(PendingRequest(.support)) else { return nil }
    return support
  }
}
