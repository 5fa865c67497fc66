import DBus
import EventLoop
import Logging
import PlayerdSystem

/// systemd-logind on the system bus.
///
/// <https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.login1.html>
struct LogindConnection: LoginManager {
  private let connection: DBusConnection
  private let signals: AsyncStream<DBusSignalMessage>
  private let log: Logger

  /// Connects to logind; nil without a system bus or logind.
  static func open(on loop: PollLoop, log: Logger) async -> LogindConnection? {
    do throws(DBusError) {
      let connection = try await DBusConnection.open(address: DBusConnection.systemBusAddress(), on: loop)
      do throws(DBusError) {
        if await connection.owner(of: .logind) != nil {
          let signals = try await connection.signals(from: .logind, path: .logind, interface: .loginManager)
          return LogindConnection(connection: connection, signals: signals, log: log)
        }
      } catch {
        log.debug("logind is not available: \(error.message)")
      }
      await connection.close()
    } catch {
      log.debug("logind is not available: \(error.message)")
    }
    return nil
  }

  func events() async -> any AsyncSequence<SleepStateMachine.Event, Never> & Sendable {
    signals.compactMap { @Sendable in SleepStateMachine.Event($0) }
  }

  /// Takes an inhibitor lock; closing its descriptor releases it.
  func lock(_ what: String, _ mode: String, _ why: String) async -> (any Sendable)? {
    do throws(DBusError) {
      let reply = try await connection.call(
        on: .logind, at: .logind, of: .loginManager, "Inhibit",
        [.string(what), .string(Names.executable), .string(why), .string(mode)])
      return reply.first?.asFileDescriptor
    } catch {
      log.debug("cannot take the inhibitor lock \(what) (\(mode)): \(error.message)")
      return nil
    }
  }

  func closed() async { await connection.closed() }

  func close() async { await connection.close() }
}

extension SleepStateMachine.Event {
  /// Creates the event of a signal from logind; nil for other signals.
  fileprivate init?(_ signal: DBusSignalMessage) {
    guard let begins = signal.arguments.first?.asBool else { return nil }
    switch signal.member {
    case "PrepareForSleep": self = begins ? .sleep : .wake
    case "PrepareForShutdown": self = begins ? .shutdown : .shutdownCancelled
    default: return nil
    }
  }
}
