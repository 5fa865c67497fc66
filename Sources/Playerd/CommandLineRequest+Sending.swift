import DBus
import Logging
import PlayerdClient
import PlayerdInterfaces
import PlayerdService
import PlayerdSystem

extension CommandLineRequest {
  /// Sends the items, waits until they are queued, and prints the result.
  ///
  /// - Throws: `ExitStatus` 64 for options that a running instance cannot apply, with nothing sent; 66 if no item was
  ///   queued; 1 if only some were, or if a newer request replaced this one.
  func send(to instance: RunningInstance) async throws {
    guard startOptions.isEmpty else {
      instance.log.error(
        """
        an instance is already running; \(startOptions.joined(separator: ", ")) only takes effect when the daemon starts; \
        “--new-instance” starts a separate instance
        """)
      throw ExitStatus.usage
    }
    if !isQuiet { await instance.warnOfUpgrade() }
    if isBare {
      try await instance.status().write()
      NotifySocket().send(.ready)
      return
    }
    let report = try await instance.control.call(ControlInterface.open, request.uris, request.options)
    for rejection in report.rejections { instance.log.error("\(rejection)") }
    let unnamed = report.rejectionCount - Int64(report.rejections.count)
    if unnamed > 0 { instance.log.error("\(unnamed) more items cannot be queued") }
    guard !report.isSuperseded else { throw instance.failure("a newer request replaced this one") }
    if !request.uris.isEmpty, report.trackCount == 0, !report.isUnfinished { throw ExitStatus.nothingPlayable }
    if !isQuiet {
      let line = request.uris.isEmpty ? try await instance.transportLine() : report.line(for: request)
      _ = StandardOutput.write(line.withoutControls + "\n")
    }
    // A systemd unit that has forwarded its items is ready.
    NotifySocket().send(.ready)
    if report.rejectionCount > 0 || rejectionCount > 0 { throw ExitStatus.failure }
  }

  /// Sends the items to the instance that owns the daemon's name.
  ///
  /// - Throws: The exit status; the reason has been logged.
  func forward(to name: BusName, over connection: DBusConnection, _ log: Logger) async throws {
    let instance = RunningInstance(connection: connection, owner: name, name: .main, log: log)
    do {
      try await RunningInstance.checkIsNotStopped(name, on: connection, log)
      try await send(to: instance)
    } catch let error as DBusError {
      log.error("the running instance rejected the items: \(error.message)")
      throw ExitStatus(for: error)
    }
  }
}
