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
  /// The whole queue, for a search.
  case queue(QueuePage)
  /// A part of the queue, for the list.
  case part(QueuePage)
  /// The daemon has had time to read the tags of that part.
  case tagTimeout
  case lyrics(LyricsSheet)
  case notice(String)
  /// Lines of the process that runs the daemon, for standard output or standard error.
  case output(String, isError: Bool)
  /// That process has ended.
  case ended
}
