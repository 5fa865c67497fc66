import CLinux
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import EngineProcess

@Suite("The socket of an engine process") struct ChannelTests {
  /// A channel, and the raw socket at its other end.
  private struct Ends {
    let channel: EngineChannel
    let socket: CInt
    let loop = PollLoop(name: "channel-test")
    let received = EventLog<[UInt8]>()
    let ends = EventLog<String?>()

    init() throws {
      let (one, other) = try #require(EngineChannel.makeSockets())
      socket = other
      let (received, ends) = (received, ends)
      channel = EngineChannel(
        one, on: loop,
        receive: { bytes in
          if bytes == [13] { throw WireError("thirteen") }
          received.append(bytes)
        }, ended: { ends.append($0) })
      channel.open()
    }

    func send(_ bytes: [UInt8], _ descriptor: CInt = -1) -> Int {
      unsafe clinux_send(socket, bytes, bytes.count, descriptor)
    }

    func close() {
      channel.close()
      loop.stop()
    }
  }

  @Test("Messages of any size arrive in order in both directions")
  func order() async throws {
    let ends = try Ends()
    defer { ends.close() }
    let answers = EventLog<[UInt8]>()
    let other = EngineChannel(ends.socket, on: ends.loop, receive: { answers.append($0) }, ended: { _ in })
    other.open()
    let messages = (0..<400).map { [UInt8](repeating: UInt8($0 % 251), count: 1 + $0 * $0) }
    for message in messages {
      ends.channel.send(message)
      other.send(message)
    }
    try await answers.first("the last", from: messages.count - 1)
    try await ends.received.first("the last", from: messages.count - 1)
    #expect(answers.elements == messages)
    #expect(ends.received.elements == messages)
    other.close()
    let end = try await ends.ends.first("the end").element
    #expect(end == nil)
  }

  @Test("A descriptor that is not sealed memory ends the channel without being read")
  func unsealed() async throws {
    let memory = unsafe clinux_create_memory("test")
    defer { close(memory) }
    let pipe = unsafe open("/dev/zero", O_RDONLY | O_CLOEXEC)
    defer { close(pipe) }
    for descriptor in [memory, pipe] {
      let ends = try Ends()
      #expect(ends.send([0], descriptor) == 1)
      let end = try await ends.ends.first("the end").element
      #expect(end == "it sent an invalid message: its descriptor is not sealed memory")
      #expect(ends.received.count == 0)
      ends.close()
      close(ends.socket)
    }
  }

  @Test("A packet beyond the limit, and a message that is refused, end the channel with the reason")
  func invalid() async throws {
    let large = try Ends()
    #expect(large.send([UInt8](repeating: 0, count: EngineChannel.packetLimit + 1)) > 0)
    let end = try await large.ends.first("the end").element
    #expect(end?.hasPrefix("it sent an invalid packet") == true)
    large.close()
    close(large.socket)
    let refused = try Ends()
    #expect(refused.send([1]) == 1)
    #expect(refused.send([13]) == 1)
    let reason = try await refused.ends.first("the end").element
    #expect(reason == "it sent an invalid message: thirteen")
    #expect(refused.received.elements == [[1]])
    refused.close()
    close(refused.socket)
  }

  @Test("If the other side reads nothing, sending never waits, and the channel ends at its limit")
  func full() async throws {
    let ends = try Ends()
    defer {
      ends.close()
      close(ends.socket)
    }
    for number in 0..<EngineChannel.waitingLimit.count / 2 { ends.channel.send([UInt8(number % 251), 0]) }
    #expect(ends.ends.count == 0)
    for number in 0..<EngineChannel.waitingLimit.count { ends.channel.send([UInt8(number % 251), 0]) }
    let end = try await ends.ends.first("the end").element
    #expect(end == "it does not read its messages")
  }

  @Test("A full socket takes the waiting messages in order when the other side reads again")
  func drained() async throws {
    let ends = try Ends()
    defer { ends.close() }
    let messages = (0..<2_000).map { [UInt8($0 % 251), UInt8($0 / 251)] }
    for message in messages { ends.channel.send(message) }
    let answers = EventLog<[UInt8]>()
    let other = EngineChannel(ends.socket, on: ends.loop, receive: { answers.append($0) }, ended: { _ in })
    other.open()
    try await answers.first("the last", from: messages.count - 1)
    #expect(answers.elements == messages)
    other.close()
  }
}
