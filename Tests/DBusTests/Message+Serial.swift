import CDBus

@testable import DBus

extension Message {
  /// Sets the serial number of a message that was never sent; a reply to the message needs it.
  consuming func numbered(_ serial: UInt32) -> Message {
    unsafe dbus_message_set_serial(pointer, serial)
    return self
  }
}
