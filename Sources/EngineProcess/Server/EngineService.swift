import CLinux
import EventLoop
import Glibc
import Synchronization

/// The main function of the engine program.
package enum EngineService {
  /// The exit status of a program that was not started by a player of the same version, as in `sysexits.h`.
  static let usage: Int32 = 64
  /// The status of a program that lacks a resource of the system.
  private static let system: Int32 = 71
  /// The status after an invalid message.
  private static let invalidMessage: Int32 = 65

  /// Serves a part of an engine, or inspections, on the inherited socket until the program that has started it has gone; never
  /// returns.
  ///
  /// - Parameters:
  ///   - parts: Makes the parts of an engine.
  ///   - service: The functions for media that is not played.
  ///   - initialize: Initializes the libraries, and enters the sandbox of the policy; nil for none. It is called before
  ///     another thread exists.
  package static func run(
    _ parts: EngineParts, _ service: any InspectionService,
    initialize: (SandboxPolicy?) -> (state: SandboxState, connections: CInt)?
  ) -> Never {
    let arguments = CommandLine.arguments.dropFirst()
    let start = [EngineProgram.argument, "\(EngineProtocol.version)"]
    guard arguments.starts(with: start),
      let policy = try? Optional(SandboxPolicy.policy(of: arguments.dropFirst(start.count)))
    else {
      report("this program is started by a player of its own version")
      EngineProcessExit.exit(usage)
    }
    AllocatedMemory.shareAmongThreads()
    // The player ends this process. Signals of a terminal or a service manager reach the player too.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    clinux_end_with_parent()
    // Programs that GStreamer and libpulse start, such as the scanner of plug-ins, do not get the socket.
    _ = fcntl(EngineProgram.socket, F_SETFD, FD_CLOEXEC)
    let sandbox = initialize(policy)
    let loop = PollLoop(name: "engine")
    if let failure = loop.failure {
      report(failure)
      EngineProcessExit.exit(system)
    }
    let server = EngineServer(
      on: loop, sandbox: sandbox?.state, parts: parts, service: service, limit: ProcessResources.limit(to:),
      allowTime: { clinux_allow_cpu_time(CUnsignedLong(clamping: $0.components.seconds)) }
    ) { reason in
      // No orphan plays on: the process ends at once, with all of its threads.
      if let reason { report("the player cannot be served: \(reason)") }
      EngineProcessExit.exit(reason == nil ? 0 : invalidMessage)
    }
    reportCrashes()
    self.server.withLock { $0 = server }
    server.serve(EngineProgram.socket, connections: sandbox?.connections ?? -1)
    while true { pause() }
  }

  private static let server = Mutex<EngineServer?>(nil)

  /// Requests a local file from the player, and waits for it; in the sandbox, on a thread of GStreamer or of a queue.
  ///
  /// - Returns: A descriptor, or the negative of an error number.
  package static func openFile(_ path: [UInt8]) -> CInt { server.withLock(\.self)?.openFile(path) ?? -EACCES }

  // MARK: The log

  /// Reports a message of a library to the player, on any thread.
  package static func log(_ text: String, isFatal: Bool) {
    if let server = server.withLock(\.self) { server.log(text, isFatal: isFatal) } else { report(text) }
  }

  /// Reports the thread in which a signal ends the process.
  ///
  /// A thread that GStreamer runs has the name of its element and pad, such as `qtdemux0:sink`.
  private static func reportCrashes() {
    let name = String(repeating: "#", count: EngineProtocol.threadNameLimit)
    guard let message = try? EngineProtocol.encode(EngineReport.crashed(thread: name)),
      let place = message.firstRange(of: Array(name.utf8))?.lowerBound
    else { return }
    unsafe clinux_report_crashes(EngineProgram.socket, message, message.count, place)
  }

  /// Writes a line to standard error.
  static func report(_ text: String) {
    let line = Array("mpris-playerd-engine: \(text)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}
