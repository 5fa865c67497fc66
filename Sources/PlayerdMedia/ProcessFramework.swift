package import EngineProcess
import Glibc
import Logging
package import Playback
import PlayerClock
package import PlayerdConfiguration
import PlayerdSystem
import Synchronization

/// GStreamer in separate processes: the engine of the player, and the inspection of media that is not played.
///
/// A process starts on demand, so a command without media does not start a process.
package final class ProcessFramework: MediaFramework {
  private struct State {
    var settings = MediaSettings()
    var engine: ProcessEngine?
    var resolver: (any MediaResolver)?
    /// The measurements of the player; nil without any.
    var loudness: LoudnessService?
    /// The inspection of local files, without sockets.
    var files: InspectionProcess?
    /// The inspection of everything else, and of the outputs: a sound server may be in the network.
    var servers: InspectionProcess?
  }

  private let sandbox: Player.Configuration.Engine.Sandbox
  private let state = Mutex(State())

  /// Creates the framework of a command.
  ///
  /// - Parameter configuration: The configuration, which selects the sandbox; nil for the default one.
  /// - Throws: Exit status 70 if the program cannot be run; the reason has been logged.
  package convenience init(_ configuration: Configuration?) throws {
    self.init(sandbox: configuration?.sandbox)
    try check()
  }

  /// Creates the framework of a daemon.
  ///
  /// - Parameters:
  ///   - sandbox: Whether the processes are restricted; nil for the default.
  ///   - player: Starts the process of this player, which initializes GStreamer while the daemon starts; nil to start it later.
  package init(sandbox: Player.Configuration.Engine.Sandbox?, preparing player: Player.Configuration? = nil) {
    self.sandbox = sandbox ?? .on
    guard let player else { return }
    let engine = Self.makeEngine(player)
    engine.prepare()
    state.withLock { $0.engine = engine }
  }

  /// Checks that the program can be run.
  ///
  /// - Throws: Exit status 70 if it cannot; the reason has been logged.
  package func check() throws {
    guard let fault = Self.fault else { return }
    Logger(label: Names.executable).error("\(fault); \(Self.remedy)")
    throw ExitStatus.internalError
  }

  /// The reason for which the program cannot be run; nil if it can be.
  package static var fault: String? {
    guard unsafe access(EngineProgramFile.path, X_OK) != 0 else { return nil }
    return "cannot run \(EngineProgramFile.path): \(unsafe String(cString: strerror(errno)))"
  }

  /// Returns a framework; nil if the program cannot be run.
  package static func ifAvailable(_ configuration: Configuration?) -> ProcessFramework? {
    fault == nil ? ProcessFramework(sandbox: configuration?.sandbox) : nil
  }

  package static let remedy = "reinstall the package"

  private static func makeEngine(_ configuration: Player.Configuration) -> ProcessEngine {
    ProcessEngine(configuration.engine, SandboxPolicy(output: configuration)) { LibraryLog.write($0, isFatal: $1) }
  }

  private static func makeInspection(
    _ sandbox: Player.Configuration.Engine.Sandbox, _ policy: SandboxPolicy
  ) -> InspectionProcess {
    var program = Player.Configuration.Engine.process(at: EngineProgramFile.path)
    program.idleTime = .seconds(10)
    program.sandbox = sandbox
    return InspectionProcess(program, policy) { LibraryLog.write($0, isFatal: $1) }
  }

  /// The process that inspects local files.
  ///
  /// Its thread exists from the first use on, as for `servers`.
  private var files: InspectionProcess { inspection(\.files, .files) }

  private var servers: InspectionProcess { inspection(\.servers, .servers) }

  private func inspection(
    _ path: WritableKeyPath<State, InspectionProcess?>, _ policy: SandboxPolicy
  ) -> InspectionProcess {
    state.withLock { state in
      if let inspection = state[keyPath: path] { return inspection }
      let inspection = Self.makeInspection(sandbox, policy)
      inspection.apply(state.settings)
      state[keyPath: path] = inspection
      return inspection
    }
  }

  /// The process that inspects a URI.
  private func inspection(of uri: String) -> InspectionProcess { Player.Item.isLocal(uri) ? files : servers }

  private var engine: ProcessEngine? { state.withLock { $0.engine } }

  package func apply(_ settings: MediaSettings) {
    state.withLock { state in
      state.settings = settings
      state.engine?.apply(settings)
      state.loudness?.apply(settings)
      state.files?.apply(settings)
      state.servers?.apply(settings)
    }
  }

  package func use(_ resolver: any MediaResolver) { state.withLock { $0.resolver = resolver } }

  package func makePlayer(_ configuration: Player.Configuration, observers: any ObserverExecutor) -> Player {
    let (engine, loudness) = state.withLock { state in
      let engine = state.engine ?? Self.makeEngine(configuration)
      engine.apply(state.settings)
      if let resolver = state.resolver { engine.use(resolver) }
      let loudness = LoudnessService(configuration, digest: SHA256.text(of:)) { LibraryLog.write($0, isFatal: $1) }
      loudness?.apply(state.settings)
      (state.engine, state.loudness) = (engine, loudness)
      return (engine, loudness)
    }
    engine.configure(configuration)
    return Player(
      configuration: configuration, engine: engine, loudness: loudness, clock: DispatchClock(), observers: observers)
  }

  package func makeInspector(limit: Int, timeout: Duration) -> MediaInspection {
    let files = files.makeInspector(limit: limit, timeout: timeout)
    let servers = servers.makeInspector(limit: limit, timeout: timeout)
    return { uri throws(PlayerError) in try await Player.Item.isLocal(uri) ? files(uri) : servers(uri) }
  }

  /// Reads in the process that plays the URI next, or else in the inspection process.
  package func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping ContentDecision
  ) async throws(PlayerError) -> MediaContent? {
    // The engine may be playing, so only a load replaces it.
    guard forPlayback, let engine, engine.reachesAllPaths else {
      return try await inspection(of: uri).read(
        uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: false, isWanted: isWanted)
    }
    return try await engine.read(
      uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: true, isWanted: isWanted)
  }

  package func audioOutputs() async -> [AudioOutput] { await servers.audioOutputs() }

  /// Checks in the process that plays next, so that the first item does not wait for another one.
  package func checkAudioSink(_ description: String) async throws(PlayerError) {
    if let engine { return try await engine.checkAudioSink(description) }
    try await servers.checkAudioSink(description)
  }

  package func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable (_ processID: Int32) -> Void
  ) async throws(PlayerError) -> SampleComparison {
    // It plays as the engine does, and has the same restrictions.
    let process = Self.makeInspection(configuration.engine.sandbox, SandboxPolicy(playing: configuration))
    defer { process.close() }
    process.apply(state.withLock { $0.settings })
    return try await process.compareSamples(of: uri, configuration, rate: rate) {
      if let processID = process.processID { whilePlaying(processID) }
    }
  }

  package func support() async -> FrameworkSupport? { await servers.support() }

  package var restrictions: String? { servers.restrictions }
}
