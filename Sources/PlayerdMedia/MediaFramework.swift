package import EngineProcess
package import Playback
import PlayerdConfiguration

/// The functions of a media framework that the daemon and its commands need.
///
/// The daemon uses ``ProcessFramework``, and tests use other types.
package protocol MediaFramework: Sendable {
  /// Replaces the settings; they apply to media that are opened from then on.
  func apply(_ settings: MediaSettings)

  /// Sets what resolves the addresses of the items of players that are made later.
  func use(_ resolver: any MediaResolver)

  /// Creates a player with an empty queue; the framework starts when the first item is loaded.
  ///
  /// - Parameters:
  ///   - configuration: The output, initial volume and time limits.
  ///   - observers: The executor on which observers are called.
  /// - Returns: The player.
  func makePlayer(_ configuration: Player.Configuration, observers: any ObserverExecutor) -> Player

  /// Creates a function that reads the metadata of the media behind a URI.
  ///
  /// - Parameters:
  ///   - limit: The number of inspections of local files at the same time, and of others; further calls wait.
  ///   - timeout: The longest time for one inspection.
  /// - Returns: A function that can be called from any task.
  func makeInspector(limit: Int, timeout: Duration) -> MediaInspection

  /// Reads the bytes behind a URI.
  ///
  /// - Parameters:
  ///   - uri: An absolute URI.
  ///   - headers: The headers of the request; nil for the framework's own.
  ///   - byteLimit: More bytes than this are an error.
  ///   - timeout: The longest time for the whole transfer.
  ///   - forPlayback: Whether a player opens the URI next. It then continues the response of a server that is not wanted
  ///     or late, so that the server gets one request.
  ///   - isWanted: Called once, on any thread, before the content is read.
  /// - Returns: The content; nil if `isWanted` returned false.
  /// - Throws: The failure of the source, with the code that an item there would fail with.
  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping ContentDecision
  ) async throws(PlayerError) -> MediaContent?

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
  ///   - whilePlaying: Called once in the middle of the item, on a thread that may block, with the ID of the process that
  ///     plays.
  /// - Returns: The digests of the samples.
  /// - Throws: The failure of the item or of the output.
  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable (_ processID: Int32) -> Void
  ) async throws(PlayerError) -> SampleComparison

  /// Describes the installed framework; nil when it cannot be initialized.
  func support() async -> FrameworkSupport?

  /// What restricts the process of ``support()``, such as `Landlock 7, seccomp`; nil before, or without a process.
  var restrictions: String? { get }
}

extension MediaFramework {
  package var restrictions: String? { nil }
  package func use(_ resolver: any MediaResolver) {}
}

/// A function that decides whether content is read, from the media type that the server reports and the first bytes.
package typealias ContentDecision = @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool

/// A function that reads the metadata of the media behind a URI.
package typealias MediaInspection = @Sendable (_ uri: String) async throws(PlayerError) -> MediaDescription
