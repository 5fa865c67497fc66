package import Playback

/// The functions that read media without a player: in this process, or by requests to another one.
package protocol InspectionService: Sendable {
  /// Replaces the settings; they apply to media that are opened from then on.
  func apply(_ settings: MediaSettings)

  /// Reads the description of the media behind a URI.
  ///
  /// - Parameters:
  ///   - uri: An absolute URI.
  ///   - timeout: The time limit.
  /// - Returns: The description.
  /// - Throws: The failure that playing the media would report; `load-timeout` after the time limit.
  func inspect(_ uri: String, timeout: Duration) async throws(PlayerError) -> MediaDescription

  /// Reads the bytes behind a URI.
  ///
  /// - Parameters:
  ///   - uri: An absolute URI.
  ///   - headers: The headers of the request; nil for the framework's own.
  ///   - byteLimit: More bytes than this are an error.
  ///   - timeout: The time limit of the whole transfer.
  ///   - forPlayback: Whether a player of the same process opens the URI next. It then continues the response of a server
  ///     that is not wanted or late, so that the server gets one request.
  ///   - isWanted: Called once, on any thread, before the content is read.
  /// - Returns: The content; nil if `isWanted` returned false.
  /// - Throws: The failure of the source, with the code that an item there would fail with.
  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) async throws(PlayerError) -> MediaContent?

  /// Measures the loudness of a file with the lowest priority.
  ///
  /// - Parameters:
  ///   - uri: The absolute URI.
  ///   - includingTagged: Whether a file with loudness tags is measured.
  /// - Returns: The loudness; nil if the file is not measured.
  /// - Throws: `cancelled` when the task is cancelled.
  func measureLoudness(of uri: String, includingTagged: Bool) async throws(PlayerError) -> TrackLoudness?

  /// Lists the output devices.
  func audioOutputs() async -> [AudioOutput]

  /// Checks that a description names an audio output that can be created; the output is not opened.
  func checkAudioSink(_ description: String) async throws(PlayerError)

  /// Plays one item to its end, and compares its samples at the output with its decoded samples.
  ///
  /// - Parameters:
  ///   - uri: The item.
  ///   - configuration: The configuration of the player.
  ///   - rate: The rate of playback.
  ///   - whilePlaying: Called once in the middle of the item, on a thread that may block.
  /// - Returns: The digests of the samples.
  /// - Throws: The failure of the item or of the output.
  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable () -> Void
  ) async throws(PlayerError) -> SampleComparison

  /// Describes the installed framework; nil when it cannot be initialized.
  func support() async -> FrameworkSupport?
}
