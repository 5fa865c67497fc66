import DBus
import EventLoop
import Glibc
import Logging
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdSystem

@Suite("The names of a daemon that starts") struct EarlyNameTests {
  @Test("Both names are owned before there is a player")
  func names() async throws {
    try await withPrivateBus { bus in
      await #expect(processExitsWith: .success) { [address = bus.address as String] in
        unsafe setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
        let connector = BusConnector(instance: .main, log: Logger(label: "test"), ready: {})
        guard case .claimed = await connector.claim() else {
          Issue.record("the name is not owned")
          return
        }
        await connector.announce()
        let loop = PollLoop(name: "client")
        let client = try await DBusConnection.open(address: address, on: loop)
        let owner = await client.owner(of: try PlayerdName.own(.main))
        #expect(owner != nil)
        #expect(await client.owner(of: try PlayerdName.mpris(.main)) == owner)
        await client.close()
        loop.stop()
        await connector.close()
      }
    }
  }
}
