import PlayerdInterfaces

/// An event of the screen: from the terminal, the daemon, or the process that runs it.
enum ScreenEvent: Sendable {
  case input([UInt8])
  /// The rest of a sequence of a key has not arrived.
  case keyTimeout
  /// The terminal is closed.
  case hangUp
  /// Ctrl-Z.
  case suspend
  case signal(CInt)
  /// The shown time has changed.
  case tick
  case update(WatchFeed.Update)
  /// The bus is lost, or the daemon cannot be watched.
  case failed(String)
  case tracks(QueuePage, isAll: Bool)
  case lyrics(LyricsSheet)
  case notice(String)
  /// The user has asked the daemon to quit.
  case quit
  /// Lines of the process that runs the daemon, for standard output or standard error.
  case output(String, isError: Bool)
  /// That process has ended.
  case ended
}
