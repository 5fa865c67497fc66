import EventLoop
import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite struct FileDescriptorTests {
  private static let pipes: InterfaceName = "org.example.Pipes"

  private func pipe() throws -> (reader: DBusFileDescriptor, writer: DBusFileDescriptor) {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe Glibc.pipe(&ends) == 0)
    return (DBusFileDescriptor(taking: ends[0]), DBusFileDescriptor(taking: ends[1]))
  }

  @Test("A descriptor in a reply belongs to the receiver and is closed with its last reference")
  func ownership() async throws {
    let (reader, writer) = try pipe()
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let service = try await DBusConnection.open(address: bus.address, on: loop)
      let open = DBusMethod("Open", out: ["end": "h"]) { _ in [.fileDescriptor(reader)] }
      try await service.export(at: "/pipes", [DBusInterface<Void>(Self.pipes, methods: [open])]) {}
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      var received = try await client.call(on: service.uniqueName, at: "/pipes", of: Self.pipes, "Open").first?
        .asFileDescriptor
      let number = try #require(received?.number)
      #expect(number != reader.number)
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
      var byte = UInt8(7)
      #expect(unsafe write(writer.number, &byte, 1) == 1)
      byte = 0
      #expect(unsafe read(number, &byte, 1) == 1)
      #expect(byte == 7)
      weak let watched = received?.storage
      #expect(watched != nil)
      received = nil
      #expect(watched == nil)
    }
  }

  @Test("A client passes descriptors as an argument, a property and in a signal; the sender keeps its own")
  func directions() async throws {
    let (reader, writer) = try pipe()
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let service = try await DBusConnection.open(address: bus.address, on: loop)
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let received = EventLog<DBusFileDescriptor>()
      let take = DBusMethodDeclaration("Take", in: ["end": "h"])
      let log = DBusPropertyDeclaration<DBusFileDescriptor>("Log")
      let opened = DBusSignal("Opened", ["end": "h"])
      let rows = DBusInterface<Void>(
        Self.pipes, methods: [DBusMethod(take, calling: { (end: DBusFileDescriptor) in received.append(end) })],
        properties: [DBusProperty(log, get: { _ in writer }, set: { end, _ in received.append(end) })],
        signals: [opened])
      try await service.export(at: "/pipes", [rows]) {}
      let pipes = DBusProxy(Self.pipes, at: "/pipes", of: service.uniqueName, on: client)
      var signals = try await pipes.signals(opened).makeAsyncIterator()
      try await pipes.perform(take, writer)
      try await pipes.set(log, to: writer)
      received.append(try await pipes.get(log))
      try await service.emit(opened.name, of: Self.pipes, at: "/pipes", [.fileDescriptor(writer)])
      received.append(try #require(await signals.next()).contents())
      #expect(Set(received.elements.map(\.number) + [writer.number]).count == 5)
      for (byte, end) in zip(UInt8(1)..., received.elements) {
        var byte = byte
        #expect(unsafe write(end.number, &byte, 1) == 1)
      }
      var bytes: [UInt8] = [0, 0, 0, 0]
      #expect(unsafe read(reader.number, &bytes, 4) == 4)
      #expect(bytes == [1, 2, 3, 4])
    }
  }

  @Test("A duplicate belongs to its caller")
  func duplicates() throws {
    let (reader, writer) = try pipe()
    let copy = try DBusFileDescriptor(duplicating: writer.number)
    let number = try copy.duplicate()
    #expect(Set([writer.number, copy.number, number]).count == 3)
    #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(close(number) == 0)
    #expect(throws: DBusError.self) { try DBusFileDescriptor(duplicating: -1) }
    #expect(reader != writer && copy == copy)
  }

  @Test("On a bus that passes no descriptors, calls that contain or return one are refused")
  func notPassed() async throws {
    let (reader, _) = try pipe()
    try await withBusWithoutDescriptors { address in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let service = try await DBusConnection.open(address: address, on: loop)
      let atOnce = DBusMethod("Open", out: ["end": "h"]) { _ in [.fileDescriptor(reader)] }
      let later = DBusMethod(
        DBusMethodDeclaration("OpenLater", out: ["end": "h"]),
        later: { _, reply in reply(.success([.fileDescriptor(reader)])) })
      try await service.export(at: "/pipes", [DBusInterface<Void>(Self.pipes, methods: [atOnce, later])]) {}
      let client = try await DBusConnection.open(address: address, on: loop)
      let calls: [(MemberName, [DBusValue])] = [("Take", [.fileDescriptor(reader)]), ("Open", []), ("OpenLater", [])]
      for (member, arguments) in calls {
        let error = await failure {
          _ = try await client.call(on: service.uniqueName, at: "/pipes", of: Self.pipes, member, arguments)
        }
        #expect(error?.name == "org.freedesktop.DBus.Error.NotSupported", "\(member)")
      }
    }
  }

  /// Runs `body` with the address of a private bus on TCP.
  private func withBusWithoutDescriptors(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try directory.write(
        """
        <busconfig>
          <listen>tcp:host=127.0.0.1</listen>
          <auth>ANONYMOUS</auth>
          <allow_anonymous/>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """, to: "bus.conf")
      let arguments = ["dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address=1"]
      try await withChildProcess(arguments) { bus in
        try await body(try await bus.waitForLine(containing: "tcp:", on: .output).element.text)
      }
    }
  }

  @Test("A descriptor in place of a declared type is rejected")
  func wrongType() async throws {
    let (reader, _) = try pipe()
    try await LampTest.run { test in
      let error = try await #require(throws: DBusError.self) {
        try await test.call("Dim", [.fileDescriptor(reader)])
      }
      #expect(!error.message.isEmpty)
    }
  }
}
