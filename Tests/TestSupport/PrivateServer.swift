import Glibc
import Synchronization

/// A server program that a test may kill and start again on the same address.
final class PrivateServer: Sendable {
  private let arguments: [String]
  private let environment: [String: String]
  private let readiness: String?
  private let child = Mutex<ChildProcess?>(nil)

  /// Describes a server that writes `readiness` in a line when it accepts connections; nil when it writes nothing then.
  init(_ arguments: [String], environment: [String: String] = [:], readiness: String?) {
    self.arguments = arguments
    self.environment = environment
    self.readiness = readiness
  }

  /// The running program, or the one that ran last.
  var process: ChildProcess? { child.withLock { $0 } }

  /// Starts the program and returns when it accepts connections, at once when it does not say so.
  func start() async throws {
    let started = try await ChildProcess.spawn(arguments, environment: environment)
    child.withLock { $0 = started }
    guard let readiness else { return }
    do {
      try await started.waitForLine(containing: readiness, within: 20)
    } catch {
      await started.end()
      throw error
    }
  }

  /// Kills the program and returns when it is gone.
  func stop() async {
    await process?.end()
  }
}

/// Runs `body` in a scope that ends with `close`, whether it returns or throws.
func scoped<T>(_ body: () async throws -> T, close: () async -> Void) async throws -> T {
  do {
    let result = try await body()
    await close()
    return result
  } catch {
    await close()
    throw error
  }
}
