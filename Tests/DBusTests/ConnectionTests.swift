import EventLoop
import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite struct `Connections` {
  @Test func `the bus gives a connection its unique name`() async throws {
    try await LampTest.run { test in
      #expect(test.client.uniqueName.isUnique)
      #expect(test.client.uniqueName != test.service.uniqueName)
    }
  }

  @Test func `a name belongs to the first who requests it, until it is released`() async throws {
    try await LampTest.run { test in
      #expect(try await test.service.requestName("org.example.Service"))
      #expect(try await test.service.requestName("org.example.Service"))
      #expect(try await test.client.requestName("org.example.Service") == false)
      try await test.client.releaseName("org.example.Service")
      #expect(try await test.client.requestName("org.example.Service") == false)
      try await test.service.releaseName("org.example.Service")
      // Whoever did not get the name is not in a queue for it.
      let error = await failure { _ = try await test.client.bus("GetNameOwner", [.string("org.example.Service")]) }
      #expect(error?.name == "org.freedesktop.DBus.Error.NameHasNoOwner")
      #expect(try await test.client.requestName("org.example.Service"))
    }
  }

  @Test func `when the bus dies, waiting calls throw Disconnected, streams end and closed() returns`() async throws {
    try await LampTest.run { test in
      let silent = try await SilentPeer.connect(to: test.bus)
      defer { silent.close() }
      let stream = try await test.client.signals(interface: .lamp)
      async let outcome = failure { [name = silent.name] in
        _ = try await test.client.call(on: name, at: "/", of: .lamp, "Wait")
      }
      async let closed: Void = test.client.closed()
      try await test.call("Ping", interface: .peer)
      await test.bus.kill()
      #expect(await outcome?.name == "org.freedesktop.DBus.Error.Disconnected")
      await closed
      for await _ in stream {}
      let later = await failure { try await test.call("Ping", interface: .peer) }
      #expect(later?.name == "org.freedesktop.DBus.Error.Disconnected")
      await test.service.closed()
    }
  }

  @Test func `a loop outlives the bus: a new connection on it works`() async throws {
    try await LampTest.run { test in
      await test.bus.kill()
      await test.client.closed()
      try await test.bus.restart()
      let connection = try await Connection.open(address: test.bus.address, on: test.client.loop)
      #expect(try await connection.requestName("org.example.Service"))
    }
  }

  @Test func `a cancelled wait for the end returns, and the connection lives on`() async throws {
    try await LampTest.run { test in
      let wait = Task { await test.client.closed() }
      wait.cancel()
      await wait.value
      try await test.call("Ping", interface: .peer)
    }
  }

  @Test func `a connection that is closed says so to everyone who waits`() async throws {
    try await LampTest.run { test in
      async let closed: Void = test.client.closed()
      await test.client.close()
      await closed
      await test.client.close()
      let error = await failure {
        try await test.client.emit("Flickered", of: .lamp, at: .lamp, [])
      }
      #expect(error?.name == "org.freedesktop.DBus.Error.UnknownObject")
    }
  }

  @Test(arguments: [
    ("unix:path=/nonexistent/bus", "FileNotFound"), ("nonsense", "BadAddress"), ("autolaunch:", "NotSupported"),
    ("unix:path=/nonexistent;autolaunch:scope=x", "NotSupported"), ("", "BadAddress"),
  ])
  func `an address that leads nowhere is an error`(_ address: String, _ name: String) async throws {
    let loop = EventLoop(name: "nowhere")
    defer { loop.stop() }
    let error = await failure { _ = try await Connection.open(address: address, on: loop) }
    #expect(error?.name == "org.freedesktop.DBus.Error.\(name)")
  }

  @Test func `the session bus is found in the environment and never launched`() {
    #expect(Connection.sessionBusAddress(environment: [:]) == nil)
    #expect(Connection.sessionBusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"]) == "unix:path=/a")
    #expect(Connection.sessionBusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) == nil)
    #expect(Connection.sessionBusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"]) == nil)
    #expect(Connection.sessionBusAddress(environment: ["XDG_RUNTIME_DIR": "/nonexistent"]) == nil)
    #expect(Connection.systemBusAddress(environment: [:]) == "unix:path=/var/run/dbus/system_bus_socket")
  }

  @Test func `the socket in the runtime directory is the session bus when no variable names one`() async throws {
    try await withPrivateBus { bus in
      let directory = bus.address.dropFirst("unix:path=".count).split(separator: "/").dropLast().map { "/\($0)" }
      let environment = ["XDG_RUNTIME_DIR": directory.joined()]
      #expect(Connection.sessionBusAddress(environment: environment) == bus.address)
    }
  }

  @Test func `a peer is pinged and tells its machine, at any path`() async throws {
    try await LampTest.run { test in
      #expect(try await test.call("Ping", interface: .peer, path: "/any/where") == [])
      let id = try await test.call("GetMachineId", interface: .peer).first?.asString
      #expect(id?.count == 32)
    }
  }
}

@Suite struct `The event loop` {
  @Test func `only its own thread is isolated to it`() async throws {
    let loop = EventLoop(name: "one")
    let other = EventLoop(name: "other")
    defer {
      loop.stop()
      other.stop()
    }
    #expect(loop.isIsolatingCurrentContext() == false)
    let answers = await withCheckedContinuation { continuation in
      loop.submit {
        loop.checkIsolated()
        continuation.resume(returning: [loop.isIsolatingCurrentContext(), other.isIsolatingCurrentContext()])
      }
    }
    #expect(answers == [true, false])
  }

  @Test func `a task that prefers the loop runs on its thread`() async throws {
    try await LampTest.run { test in
      let loop = test.client.loop
      let isOnLoop = try await Task(executorPreference: LoopTaskExecutor(loop)) {
        for _ in 0..<200 { try await test.call("Ping", interface: .peer) }
        return loop.isIsolatingCurrentContext()
      }.value
      #expect(isOnLoop == true)
    }
  }

  @Test func `stop closes the connections`() async throws {
    try await LampTest.run { test in
      test.client.loop.stop()
      await test.client.closed()
      let error = await failure {
        _ = try await Connection.open(address: test.bus.address, on: test.client.loop)
      }
      #expect(error == .failed("the event loop is stopped"))
    }
  }
}
