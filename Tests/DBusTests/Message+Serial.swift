import CDBus

@testable import DBus

extension Message {
  /// Gives a message that was never sent a serial number, which a reply to it needs.
  consuming func numbered(_ serial: UInt32) -> Message {
    unsafe dbus_message_set_serial(pointer, serial)
    return self
  }
}
