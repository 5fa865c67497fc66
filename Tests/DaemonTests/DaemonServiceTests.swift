import Logging
import Synchronization
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Services of the daemon") struct DaemonServiceTests {
  private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test("The first exit status ends all services; they stop in the reverse order, before their tasks have ended")
  func order() async {
    let calls = EventLog<String>()
    let (held, hold) = AsyncStream.makeStream(of: Void.self)
    let services = [
      DaemonService(name: "bus", serve: { for await _ in held {} }, stop: { calls.append("stop bus") }),
      // A service that returns without an exit status ends nothing.
      DaemonService(name: "login", serve: {}, stop: { calls.append("stop login") }),
      DaemonService(name: "session", stop: { calls.append("stop session") }),
      DaemonService(name: "quit", run: { PlayerdSystem.ExitStatus(42) }, stop: { calls.append("stop quit") }),
    ]
    let status = await services.run(
      log, ending: { calls.append("ending") },
      ended: { status in
        calls.append("ended \(status.rawValue)")
        hold.finish()
      })
    #expect(status == PlayerdSystem.ExitStatus(42))
    #expect(
      calls.elements == ["ending", "stop quit", "stop session", "stop login", "stop bus", "ended 42"])
  }

  @Test("Without an exit status the daemon has failed")
  func none() async {
    let status = await [DaemonService(name: "login", serve: {})].run(log, ending: {}, ended: { _ in })
    #expect(status == ExitStatus.internalError)
  }
}
