import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite("Connections without a loop of their own") struct SharedLoopTests {
  @Test("The session bus and the system bus are opened by one call each")
  func buses() async throws {
    try await withPrivateBus { bus in
      // The addresses are read from the environment of the whole process.
      await #expect(processExitsWith: .success) { [address = bus.address as String] in
        unsafe setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
        unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1)
        let session = try await DBusConnection.session()
        let system = try await DBusConnection.system()
        let names = try await session.names()
        #expect(names.contains(system.uniqueName.rawValue) && session.uniqueName != system.uniqueName)
        await session.close()
        #expect(try await !system.names().isEmpty)
        await system.close()
        unsafe unsetenv("DBUS_SESSION_BUS_ADDRESS")
        unsafe setenv("XDG_RUNTIME_DIR", "/nonexistent", 1)
        await #expect { try await DBusConnection.session() } throws: {
          ($0 as? DBusError)?.message.contains("session bus") == true
        }
      }
    }
  }
}
