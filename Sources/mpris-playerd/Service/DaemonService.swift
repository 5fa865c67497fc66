import ArgumentParser
import Logging

/// A part of the daemon that runs beside the others.
struct DaemonService: Sendable {
  /// The name, for debug messages.
  let name: String
  /// The queue that the service runs on; nil for the daemon's own.
  ///
  /// A service that may block has one.
  let executor: QueueExecutor?
  /// Runs until the task is cancelled, or until there is nothing left to do; an exit status ends the daemon.
  let run: @Sendable () async -> ExitCode?
  /// Ends the service, after those that come later in the list; called once.
  let stop: @Sendable () async -> Void

  /// Makes a service; by default one with nothing to run, or with nothing to end.
  ///
  init(
    _ name: String, on executor: QueueExecutor? = nil, run: @escaping @Sendable () async -> ExitCode? = { nil },
    stop: @escaping @Sendable () async -> Void = {}
  ) {
    self.name = name
    self.executor = executor
    self.run = run
    self.stop = stop
  }

  /// Makes a service that never ends the daemon.
  init(
    _ name: String, on executor: QueueExecutor? = nil, serve: @escaping @Sendable () async -> Void,
    stop: @escaping @Sendable () async -> Void = {}
  ) {
    self.init(
      name, on: executor,
      run: {
        await serve()
        return nil
      }, stop: stop)
  }
}

extension [DaemonService] {
  /// Runs the services, started in their order, until one returns an exit status; then stops them in the reverse order.
  ///
  /// - Parameters:
  ///   - log: Gets a debug message with the name of that service.
  ///   - ending: Called before the services are stopped.
  ///   - ended: Called with the status when they have been stopped, and their tasks may still be ending.
  /// - Returns: That exit status.
  func run(
    _ log: Logger, ending: @Sendable () -> Void, ended: @Sendable (ExitCode) -> Void
  ) async -> ExitCode {
    await withTaskGroup(of: (name: String, status: ExitCode?).self) { group in
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
      for service in reversed() { await service.stop() }
      ended(status)
      return status
    }
  }
}
