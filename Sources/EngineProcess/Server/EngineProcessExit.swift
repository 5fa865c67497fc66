import Glibc

/// The end of an engine process; every exit uses it.
///
/// `_exit` skips the exit handlers and destructors of libraries, which may block while threads of plug-ins run. The
/// system closes the output and the socket.
enum EngineProcessExit {
  /// Ends the process.
  static func exit(_ status: Int32) -> Never { _exit(status) }
}
