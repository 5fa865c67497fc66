package import Playback

/// The engine of a player, in this process.
package enum GstPlayerEngine {
  /// Initializes GStreamer in a process that opens local files with a function only.
  ///
  /// - Parameter opener: Opens the file at a path, and returns a descriptor, or the negative of an error number. It blocks.
  package static func initialize(openingFiles opener: @escaping @Sendable (_ path: [UInt8]) -> CInt) {
    FileAccess.use(opener)
    // The first item reports a failure.
    do { try GStreamer.initialize() } catch { return }
    FileElement.register
  }

  /// Creates an engine that starts GStreamer when the first item is loaded.
  package static func make(_ configuration: Player.Configuration) -> any PlaybackEngine {
    make(configuration, verifier: nil, startsOnDemand: true)
  }

  /// Creates an engine whose samples are compared by `verifier`.
  static func make(
    _ configuration: Player.Configuration, verifier: SampleVerifier?, startsOnDemand: Bool
  ) -> any PlaybackEngine {
    let loudness = LoudnessService(configuration.replayGain) { uri, report in
      let measurement = LoudnessMeasurement(of: uri, report)
      measurement.begin()
      return { measurement.cancel() }
    }
    return PipelineHost(
      configuration: configuration, loudness: loudness, verifier: verifier, startsOnDemand: startsOnDemand)
  }
}
