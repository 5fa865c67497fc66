import DBus
package import Logging
package import PlayerdSystem

/// The commands that follow a daemon until they are ended.
extension WatchFeed {
  /// Runs `body` until it returns a status; a signal ends it with status 0, the loss of the bus with 69.
  package func run(
    until signals: AsyncStream<CInt>, _ log: Logger, _ body: @escaping @Sendable () async -> ExitStatus?
  ) async -> ExitStatus {
    await withTaskGroup(of: ExitStatus?.self) { group in
      group.addTask(executorPreference: connection.taskExecutor) {
        for await _ in signals { return .success }
        return nil
      }
      group.addTask(executorPreference: connection.taskExecutor) { await body() }
      group.addTask(executorPreference: connection.taskExecutor) { [connection] in
        await connection.closed()
        if !Task.isCancelled { log.error("lost the connection to the session bus") }
        return ExitStatus.unavailable
      }
      for await result in group {
        guard let result else { continue }
        group.cancelAll()
        return result
      }
      return ExitStatus.internalError
    }
  }

  /// Passes each update to `take`, which returns false when nothing reads its output; returns the status of the command.
  package func run(_ log: Logger, _ take: (Update) async -> Bool) async -> ExitStatus? {
    do {
      var isRead = true
      try await run { update in
        isRead = await take(update)
        return isRead
      }
      // The loss of the bus is handled by the task that waits for it.
      return isRead ? nil : .success
    } catch {
      log.error("cannot watch the daemon: \(error.message)")
      return ExitStatus.unavailable
    }
  }
}
