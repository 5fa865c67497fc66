import EventLoop
import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite struct FileDescriptorTests {
  private static let pipes: InterfaceName = "org.example.Pipes"

  private func pipe() throws -> (reader: FileDescriptor, writer: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe Glibc.pipe(&ends) == 0)
    return (FileDescriptor(taking: ends[0]), FileDescriptor(taking: ends[1]))
  }

  @Test func `A descriptor in a reply is the receiver's own, and closed with its last reference`() async throws {
    let (reader, writer) = try pipe()
    try await withPrivateBus { bus in
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let service = try await Connection.open(address: bus.address, on: loop)
      let open = Method("Open", out: ["end": "h"]) { _ in [.fileDescriptor(reader)] }
      try await service.export(at: "/pipes", [Interface<Void>(Self.pipes, methods: [open])]) {}
      let client = try await Connection.open(address: bus.address, on: loop)
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
      weak let watched = received
      #expect(watched != nil)
      received = nil
      #expect(watched == nil)
    }
  }

  @Test func `A descriptor where a row wants something else is refused`() async throws {
    let (reader, _) = try pipe()
    try await LampTest.run { test in
      let error = try await #require(throws: DBusError.self) {
        try await test.call("Dim", [.fileDescriptor(reader)])
      }
      #expect(!error.message.isEmpty)
    }
  }
}
