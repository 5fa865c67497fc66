package import Glibc

/// Programs that this process starts.
package enum SpawnedProcess {
  /// Starts a program with the default action of each signal, and blocks none.
  ///
  /// <https://man7.org/linux/man-pages/man3/posix_spawn.3.html>
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: The name of the program and its arguments.
  ///   - environment: Its variables, as `NAME=value`.
  ///   - flags: Flags of `posix_spawnattr_setflags` beside those for signals; the default process group is a new one.
  ///   - prepare: Adds the actions for its descriptors.
  /// - Returns: The process ID, and 0 or the error number.
  package static func start(
    _ path: String, _ arguments: [String], environment: [String], flags: CInt = 0,
    _ prepare: (inout posix_spawn_file_actions_t) -> Void
  ) -> (processID: pid_t, error: CInt) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe prepare(&actions)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(truncatingIfNeeded: POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags))
    var processID: pid_t = 0
    let error = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe posix_spawn(&processID, path, &actions, &attributes, arguments, environment)
      }
    }
    return (processID, error)
  }

  /// Calls `body` with texts as a null-terminated array of C strings.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(&pointers)
  }
}
