import Glibc
import Synchronization

/// A server program that a test can kill and restart on the same address.
final class PrivateServer: Sendable {
  private let arguments: [String]
  private let environment: [String: String]
  private let readiness: String?
  private let child = Mutex<ChildProcess?>(nil)

  /// Creates a server that prints a line with `readiness` when it accepts connections; nil if it prints none.
  init(_ arguments: [String], environment: [String: String] = [:], readiness: String?) {
    self.arguments = arguments
    self.environment = environment
    self.readiness = readiness
  }

  /// The running program, or the last one.
  var process: ChildProcess? { child.withLock { $0 } }

  /// Starts the program; returns when it accepts connections, or at once if it does not report readiness.
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

  /// Kills the program; returns when it has been reaped.
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
