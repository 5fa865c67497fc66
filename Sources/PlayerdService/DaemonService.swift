import Logging
import PlayerdSystem

/// A part of the daemon that runs concurrently with the others.
///
/// The services of swift-service-lifecycle return no exit status, and run on the shared thread pool.
struct DaemonService: Sendable {
  /// The name, for debug messages.
  let name: String
  /// The queue of the service; nil for the daemon's own.
  ///
  /// A service that may block needs its own queue.
  var executor: QueueExecutor?
  /// The work, which returns when it is done or the task is cancelled; a returned exit status ends the daemon.
  var run: @Sendable () async -> ExitStatus? = { nil }
  /// The function that stops the service, after those later in the list; called once.
  var stop: @Sendable () async -> Void = {}
}

extension DaemonService {
  /// Creates a service that never ends the daemon.
  init(
    name: String, executor: QueueExecutor? = nil, serve: @escaping @Sendable () async -> Void,
    stop: @escaping @Sendable () async -> Void = {}
  ) {
    self.init(
      name: name, executor: executor,
      run: {
        await serve()
        return nil
      }, stop: stop)
  }
}

extension [DaemonService] {
  /// The time that the services have together to stop, and each one at least: the session may be on a disk that does not answer.
  private static let stopTime = (all: Duration.seconds(5), each: Duration.milliseconds(200))

  /// Starts the services in order, waits until one returns an exit status, then stops them in reverse order.
  ///
  /// - Parameters:
  ///   - log: Receives a debug message with the name of that service.
  ///   - ending: Called before the services are stopped.
  ///   - ended: Called with the status after the services have stopped; their tasks may still be running.
  /// - Returns: The exit status.
  func run(
    _ log: Logger, ending: @Sendable () -> Void, ended: @Sendable (ExitStatus) -> Void
  ) async -> ExitStatus {
    await withTaskGroup(of: (name: String, status: ExitStatus?).self) { group in
      for service in self {
        group.addTask(executorPreference: service.executor) { (service.name, await service.run()) }
      }
      var status = ExitStatus.internalError
      for await result in group {
        guard let code = result.status else { continue }
        log.debug("the service “\(result.name)” ends the daemon with status \(code.rawValue)")
        status = code
        break
      }
      ending()
      group.cancelAll()
      let deadline = SuspendingClock.now.advanced(by: Self.stopTime.all)
      for service in reversed() {
        let limit = Swift.max(Self.stopTime.each, SuspendingClock.now.duration(to: deadline))
        guard await DiskCall.result(within: limit, { await service.stop() }) == nil else { continue }
        log.error("the part “\(service.name)” does not end: a disk or a server does not answer")
      }
      ended(status)
      return status
    }
  }
}
