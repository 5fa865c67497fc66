import DBus

/// Observes the suspension of the machine, which waits until the program is prepared.
///
/// <https://systemd.io/INHIBITOR_LOCKS/>
final class SleepWatch: Sendable {
  private let loop = PollLoop(name: "sleep watch")
  private let task: Task<Void, Never>

  /// Observes the login manager on the bus of an address; nothing is reported without one.
  ///
  /// - Parameters:
  ///   - address: Returns the address of the system bus.
  ///   - changed: Called before the machine is suspended, with true, and after it has woken up, with false.
  init(
    address: @escaping @Sendable () -> String?, _ changed: @escaping @Sendable (_ begins: Bool) async -> Void
  ) {
    let connection = ReconnectingDBusConnection(on: loop, address: address)
    task = Task(executorPreference: globalConcurrentExecutor) {
      // A machine without the bus does not run a login manager either.
      guard let first = try? await connection.open() else { return }
      await connection.run(from: first) { (_) throws(DBusError) in
      } serve: { bus in
        await Self.follow(bus, changed)
      }
    }
  }

  deinit {
    task.cancel()
    loop.stop()
  }

  private static func follow(_ bus: DBusConnection, _ changed: @Sendable (Bool) async -> Void) async {
    guard let signals = try? await bus.signals(from: .logind, path: .logind, interface: .loginManager) else {
      return await bus.closed()
    }
    var lock = await delay(bus)
    for await signal in signals where signal.member == "PrepareForSleep" {
      guard let begins = signal.arguments.first?.asBool else { continue }
      await changed(begins)
      // The machine is suspended when the last lock is released.
      lock = begins ? nil : await delay(bus)
    }
    withExtendedLifetime(lock) {}
  }

  /// Takes a lock that delays the suspension for some seconds at most; nil without a login manager.
  private static func delay(_ bus: DBusConnection) async -> (any Sendable)? {
    let reply = try? await bus.call(
      on: .logind, at: .logind, of: .loginManager, "Inhibit",
      [.string("sleep"), .string("AVAudioSession"), .string("pause playback"), .string("delay")])
    return reply?.first?.asFileDescriptor
  }
}
