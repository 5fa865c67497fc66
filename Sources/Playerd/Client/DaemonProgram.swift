import Glibc
import Logging

/// The daemon's program, separate from the command line so that a command to a running daemon does not load GStreamer.
enum DaemonProgram {
  /// The media framework of this program; nil in the command line's.
  @TaskLocal static var media: (any MediaFramework)?

  private static let name = "\(Names.executable)-daemon"

  /// The path of the program: in the folder of this one, or in `libexec` beside that folder.
  static var path: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Without `/proc` the folder is unknown, and the program is not found.
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? "/"
    let installed = "\(folder)../libexec/\(name)"
    return unsafe access(installed, X_OK) == 0 ? installed : folder + name
  }

  /// Returns the media framework; in a program without one, the same command continues in the daemon's program.
  ///
  /// Call it before the command prints or changes anything: the other program runs the command from the beginning, in
  /// the same process.
  ///
  /// - Throws: Exit status 70 if the program cannot be run; the reason has been logged.
  static func requireMedia() throws -> any MediaFramework {
    if let media { return media }
    let path = path
    // Threads of Dispatch block signals, and the new program inherits the signal mask of the calling thread.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    _ = unsafe withCStrings([path] + ProgramArguments.all) { unsafe execv(path, $0) }
    Logger(label: Names.executable).error("cannot run \(path): error \(errno); reinstall the package")
    throw ExitStatus.internalError
  }
}
