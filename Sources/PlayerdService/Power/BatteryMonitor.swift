import DBus
import EventLoop
import Logging
import Playback

/// Sets the low power mode of a player while UPower reports that the machine is on battery.
///
/// Without UPower, the mode stays off; a later start of UPower is noticed.
///
/// <https://upower.freedesktop.org/docs/UPower.html>
struct BatteryMonitor: Sendable {
  private static let service: BusName = "org.freedesktop.UPower"
  private static let isOnBattery = DBusPropertyDeclaration<Bool>("OnBattery")

  let player: Player
  let loop: PollLoop
  let log: Logger
  /// Called when the machine is on mains again.
  let ended: @Sendable () -> Void

  /// Follows UPower until the system bus is lost or the task is cancelled.
  func run() async {
    do throws(DBusError) {
      let connection = try await DBusConnection.open(address: DBusConnection.systemBusAddress(), on: loop)
      await follow(connection)
      await connection.close()
    } catch {
      log.debug("the system bus is not available: \(error.message)")
    }
  }

  private func follow(_ connection: DBusConnection) async {
    do throws(DBusError) {
      let interface = try InterfaceName(Self.service.rawValue)
      let upower = DBusProxy(interface, at: "/org/freedesktop/UPower", of: Self.service, on: connection)
      for await isOnBattery in try await upower.contents(of: Self.isOnBattery) {
        let isEnabled = isOnBattery ?? false
        guard player.isLowPowerModeEnabled != isEnabled else { continue }
        player.isLowPowerModeEnabled = isEnabled
        if !isEnabled { ended() }
        log.info("low power mode is \(isEnabled ? "on" : "off")")
      }
    } catch {
      log.debug("UPower is not available: \(error.message)")
    }
  }
}
