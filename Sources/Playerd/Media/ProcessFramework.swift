import EngineProcess
import Glibc
import Logging
import Playback
import Synchronization

/// GStreamer in two separate processes: the engine of the player, and the inspection of media that is not played.
///
/// A process starts when it is needed, so a command that needs no media starts none.
final class ProcessFramework: MediaFramework {
  private struct State {
    var settings = EngineSettings()
    var engine: ProcessEngine?
  }

  private let inspection = InspectionProcess(at: EngineProgramFile.path) { LibraryLog.write($0, isFatal: $1) }
  private let state = Mutex(State())

  /// Creates the framework.
  ///
  /// - Throws: Exit status 70 if the program cannot be run; the reason has been logged.
  init() throws {
    guard let fault = Self.fault else { return }
    Logger(label: Names.executable).error("\(fault); \(Self.remedy)")
    throw ExitStatus.internalError
  }

  /// The reason for which the program cannot be run; nil if it can be.
  static var fault: String? {
    guard unsafe access(EngineProgramFile.path, X_OK) != 0 else { return nil }
    return "cannot run \(EngineProgramFile.path): \(unsafe String(cString: strerror(errno)))"
  }

  /// A framework; nil if the program cannot be run.
  static var ifAvailable: ProcessFramework? { fault == nil ? try? ProcessFramework() : nil }

  static let remedy = "reinstall the package"

  private var engine: ProcessEngine? { state.withLock { $0.engine } }

  func apply(_ settings: EngineSettings) {
    inspection.apply(settings)
    state.withLock { state in
      state.settings = settings
      state.engine?.apply(settings)
    }
  }

  func makePlayer(_ configuration: Player.Configuration, observers: any ObserverExecutor) -> Player {
    let engine = ProcessEngine(configuration: configuration) { LibraryLog.write($0, isFatal: $1) }
    state.withLock { state in
      engine.apply(state.settings)
      state.engine = engine
    }
    return Player(configuration: configuration, engine: engine, clock: DispatchClock(), observers: observers)
  }

  func makeInspector(limit: Int, timeout: Duration) -> MediaInspection {
    inspection.makeInspector(limit: limit, timeout: timeout)
  }

  /// Reads in the process that plays the URI next, or else in that of the inspection.
  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping ContentDecision
  ) async throws(PlayerError) -> MediaContent? {
    guard forPlayback, let engine else {
      return try await inspection.read(
        uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: false, isWanted: isWanted)
    }
    return try await engine.read(
      uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: true, isWanted: isWanted)
  }

  func audioOutputs() async -> [AudioOutput] { await inspection.audioOutputs() }

  /// Checks in the process that plays next, so that the first item does not wait for another one.
  func checkAudioSink(_ description: String) async throws(PlayerError) {
    if let engine { return try await engine.checkAudioSink(description) }
    try await inspection.checkAudioSink(description)
  }

  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable (_ processID: Int32) -> Void
  ) async throws(PlayerError) -> SampleComparison {
    try await inspection.compareSamples(of: uri, configuration, rate: rate) { [inspection] in
      if let processID = inspection.processID { whilePlaying(processID) }
    }
  }

  func support() async -> FrameworkSupport? { await inspection.support() }
}
