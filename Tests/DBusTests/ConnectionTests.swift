import EventLoop
import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite("Connections")
struct ConnectionTests {
  @Test("The bus assigns a unique name to a connection")
  func uniqueName() async throws {
    try await LampTest.run { test in
      #expect(test.client.uniqueName.isUnique)
      #expect(test.client.uniqueName != test.service.uniqueName)
    }
  }

  @Test("A name belongs to its first requester until it is released")
  func nameOwnership() async throws {
    try await LampTest.run { test in
      #expect(try await test.service.requestName("org.example.Service"))
      #expect(try await test.service.requestName("org.example.Service"))
      #expect(try await test.client.requestName("org.example.Service") == false)
      try await test.client.releaseName("org.example.Service")
      #expect(try await test.client.requestName("org.example.Service") == false)
      try await test.service.releaseName("org.example.Service")
      // A connection that did not get the name is not queued for it.
      let error = await failure { _ = try await test.client.bus("GetNameOwner", [.string("org.example.Service")]) }
      #expect(error?.name == "org.freedesktop.DBus.Error.NameHasNoOwner")
      #expect(try await test.client.requestName("org.example.Service"))
    }
  }

  @Test("When the bus dies, pending calls throw Disconnected, streams end and closed() returns")
  func busDeath() async throws {
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

  @Test("A loop outlives the bus, and a new connection on it works")
  func loopReuse() async throws {
    try await LampTest.run { test in
      await test.bus.kill()
      await test.client.closed()
      try await test.bus.restart()
      let connection = try await DBusConnection.open(address: test.bus.address, on: test.client.loop)
      #expect(try await connection.requestName("org.example.Service"))
    }
  }

  @Test("Cancelling a wait for closing returns, and the connection stays open")
  func cancelledWait() async throws {
    try await LampTest.run { test in
      let wait = Task { await test.client.closed() }
      wait.cancel()
      await wait.value
      try await test.call("Ping", interface: .peer)
    }
  }

  @Test("Closing a connection resumes all calls of closed()")
  func close() async throws {
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

  @Test(
    "An unreachable address is an error",
    arguments: [
      ("unix:path=\(TemporaryDirectory.missing)/bus", "FileNotFound"), ("nonsense", "BadAddress"),
      ("autolaunch:", "NotSupported"),
      ("unix:path=\(TemporaryDirectory.missing);autolaunch:scope=x", "NotSupported"), ("", "BadAddress"),
    ])
  func unreachableAddress(_ address: String, _ name: String) async throws {
    let loop = PollLoop(name: "nowhere")
    defer { loop.stop() }
    let error = await failure { _ = try await DBusConnection.open(address: address, on: loop) }
    #expect(error?.name == "org.freedesktop.DBus.Error.\(name)")
  }

  @Test("The session bus is found in the environment and never launched")
  func sessionBusAddress() {
    let missing = ["XDG_RUNTIME_DIR": TemporaryDirectory.missing]
    #expect(DBusConnection.sessionBusAddress(environment: missing) == nil)
    #expect(
      DBusConnection.sessionBusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"]) == "unix:path=/a")
    for address in ["", "autolaunch:"] {
      let environment = missing.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
      #expect(DBusConnection.sessionBusAddress(environment: environment) == nil)
    }
    #expect(DBusConnection.systemBusAddress(environment: [:]) == "unix:path=/var/run/dbus/system_bus_socket")
  }

  @Test("Without a variable, the socket in the runtime directory is the session bus")
  func runtimeDirectory() async throws {
    try await withPrivateBus { bus in
      let directory = bus.address.dropFirst("unix:path=".count).split(separator: "/").dropLast().map { "/\($0)" }
      let environment = ["XDG_RUNTIME_DIR": directory.joined()]
      #expect(DBusConnection.sessionBusAddress(environment: environment) == bus.address)
    }
  }

  @Test("A peer replies to Ping and GetMachineId at any path")
  func peer() async throws {
    try await LampTest.run { test in
      #expect(try await test.call("Ping", interface: .peer, path: "/any/where") == [])
      let id = try await test.call("GetMachineId", interface: .peer).first?.asString
      #expect(id?.count == 32)
    }
  }
}

@Suite("The event loop")
struct ConnectionEventLoopTests {
  @Test("Only the thread of a loop is isolated to it")
  func isolation() async throws {
    let loop = PollLoop(name: "one")
    let other = PollLoop(name: "other")
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

  @Test("A task that prefers the loop runs on its thread")
  func executorPreference() async throws {
    try await LampTest.run { test in
      let loop = test.client.loop
      let isOnLoop = try await Task(executorPreference: LoopTaskExecutor(loop)) {
        for _ in 0..<200 { try await test.call("Ping", interface: .peer) }
        return loop.isIsolatingCurrentContext()
      }.value
      #expect(isOnLoop == true)
    }
  }

  @Test("Stopping the loop closes its connections")
  func stop() async throws {
    try await LampTest.run { test in
      test.client.loop.stop()
      await test.client.closed()
      let error = await failure {
        _ = try await DBusConnection.open(address: test.bus.address, on: test.client.loop)
      }
      #expect(error == .failed("the event loop is stopped"))
    }
  }
}
