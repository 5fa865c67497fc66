/// A step that concerns the daemon's files, its queue loader or the login manager.
///
/// Times are milliseconds and parts permille, as in ``Action``.
package enum StorageAction: Hashable, Sendable {
  /// Opens a source: 0 replaces the queue, 1 appends, 2 plays next, 3 plays now, 4 adds at the start.
  case open(StorageSource, placement: Int, paused: Bool)
  /// Opens a folder of this run again, which replaces the queue.
  case reopen(Int)
  /// Ends the daemon in order, and starts it again.
  case restart
  /// Ends the process or the machine at a later operation of the disk; at once for 0.
  case crash(operations: Int, kept: Int, powerLoss: Bool)
  /// Damages a file before the next start: 0 is the session, 1 its position, 2 the positions of long files.
  case damage(file: Int, manner: Int)
  case diskFull(for: Int)
  case diskReadOnly(for: Int)
  case diskSlow(latency: Int, for: Int)
  /// The machine is suspended and wakes up.
  case sleep
  /// A shutdown begins, and is cancelled after a time.
  case shutdown(cancelledAfter: Int)
  case loginLost
  /// Another program replaces the configuration file.
  case configure(SimulatedConfiguration)
  /// The configuration is reloaded, by a signal or by a client.
  case reload(bySignal: Bool)
}

/// The parts of a daemon's configuration that a run varies, and its disk.
package struct StorageSettings: Hashable, Sendable {
  /// The index of the setting `resume`: paused, playing, off.
  package var resume: Int
  /// The index of the setting `pause-on-sleep`: pause, resume, off.
  package var pauseOnSleep: Int
  package var inhibitsSleep: Bool
  package var hasJournal: Bool
  /// Whether all folders are books.
  package var hasBooks: Bool

  package init(
    resume: Int = 0, pauseOnSleep: Int = 0, inhibitsSleep: Bool = false, hasJournal: Bool = true, hasBooks: Bool = false
  ) {
    self.resume = resume
    self.pauseOnSleep = pauseOnSleep
    self.inhibitsSleep = inhibitsSleep
    self.hasJournal = hasJournal
    self.hasBooks = hasBooks
  }
}
