extension Player {
  /// The last 100 playbacks of items and the one in progress, the oldest first; the counterpart of
  /// `AVPlayerItem.accessLog()`.
  ///
  /// The playback in progress has its present values. Those of one item are found by ``Player/AccessLogEntry/item``.
  public var accessLog: [Player.AccessLogEntry] { core.accessLog }

  /// The last 100 errors, the oldest first, including those from which the player recovered; the counterpart of
  /// `AVPlayerItem.errorLog()`.
  public var errorLog: [Player.ErrorLogEntry] { core.errorLog }

  /// Returns the entries of both logs from now on as a sequence: each error when it occurs, and each playback when it is
  /// complete.
  ///
  /// If it is not read, it keeps the latest 1,024 entries. It ends when the player is closed. The counterpart of
  /// `AVPlayerItem.newAccessLogEntryNotification` and `newErrorLogEntryNotification`.
  public func logEntries() -> AsyncStream<Player.LogEntry> { core.logEntries() }
}
