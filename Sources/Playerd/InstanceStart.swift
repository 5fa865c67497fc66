import ArgumentParser
import DBus
import Logging
import Playback
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdStorage
import PlayerdSystem

/// Starts the main instance for a command.
enum InstanceStart {
  /// The case in which a command starts the instance if none runs.
  enum Condition {
    case never
    /// If the last session has a queue, which the command needs.
    case session
    case always
  }

  /// Starts the instance with the queue of the last session, unless it runs or the condition is not met.
  ///
  /// systemd or the message bus starts it as for the call of a client; without D-Bus activation, it is started in the
  /// background. Errors of such a start appear only in the log, so configuration and output are checked here first.
  ///
  /// If `check` throws with the configuration, nothing is started.
  ///
  /// - Returns: Whether it was started.
  /// - Throws: The exit status of the instance, or 69 if it cannot be started; the reason has been logged.
  static func run(
    _ condition: Condition, on connection: DBusConnection, _ log: Logger, check: (Configuration) throws -> Void
  ) async throws -> Bool {
    let name = try PlayerdName.own(.main)
    guard condition != .never, await connection.owner(of: name) == nil else { return false }
    guard condition == .always || SessionStore.user?.hasQueue == true else { return false }
    let configuration = try ConfigurationSources.loadUser().configuration
    try check(configuration)
    try await checkOutput(configuration, log)
    guard try await connection.activatableNames().contains(name.rawValue) else {
      try DetachedStart.run(arguments: [Names.executable, "--detached"], isQuiet: true, log)
      return true
    }
    if let unit = await ServiceUnit.find(on: connection), try await unit.start(log) { return true }
    do throws(DBusError) {
      // https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-start-service-by-name
      _ = try await connection.call(
        on: .bus, at: .bus, of: .bus, "StartServiceByName", [.string(name.rawValue), .uint32(0)])
    } catch {
      log.error("the message bus cannot start the player: \(error.message); “\(Names.executable) --detach” shows why")
      throw ExitStatus.unavailable
    }
    return true
  }

  /// Checks the configured output as the daemon does, which ends if it does not exist.
  private static func checkOutput(_ configuration: Configuration, _ log: Logger) async throws {
    guard let audioSink = configuration.player.audioSink else { return }
    let media = try ProcessFramework(configuration)
    do throws(PlayerError) {
      try await media.checkAudioSink(audioSink)
    } catch {
      log.error("\(error.message)")
      throw ExitStatus.usage
    }
  }
}
