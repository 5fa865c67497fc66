import CLinux
import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import EventLoop

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
    let messages = (0..<400).map { [UInt8](repeating: 2 + UInt8($0 % 249), count: 1 + $0 * $0) }
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

  @Test("A descriptor that is not expected, and parts that belong to no message, end the channel")
  func parts() async throws {
    let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(null) }
    let part = [EngineChannel.Part.first, 65]
    for (packets, descriptor, reason) in [
      ([[77]], null, "it has a descriptor"), ([part], null, "a part has a descriptor"),
      ([part, [77]], -1, "it is incomplete"),
    ] as [([[UInt8]], CInt, String)] {
      let ends = try Ends()
      for packet in packets { #expect(ends.send(packet, descriptor) == packet.count) }
      let end = try await ends.ends.first("the end").element
      #expect(end == "it sent an invalid message: \(reason)")
      #expect(ends.received.count == 0)
      ends.close()
      close(ends.socket)
    }
  }

  @Test("A message beyond the limit ends the channel before all of it is received")
  func tooLarge() async throws {
    let ends = try Ends()
    let sender = EngineChannel(ends.socket, on: ends.loop, receive: { _ in }, ended: { _ in })
    sender.open()
    sender.send([UInt8](repeating: 65, count: EngineChannel.sizeLimit + 1))
    let end = try await ends.ends.first("the end").element
    #expect(end == "it sent an invalid message: it is too large")
    sender.close()
    ends.close()
  }

  /// A thread whose time is set.
  private final class ManualThread: LoopHost {
    private let thread = LoopThread(name: "manual")
    private let time = Mutex(SuspendingClock.now)
    var now: SuspendingClock.Instant { time.withLock { $0 } }
    var isCurrent: Bool { thread.isCurrent }
    func start(_ loop: PollLoop) { thread.start(loop) }
    func wake() { thread.wake() }
    func advance(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
  }

  @Test("Packets beyond the limit are not read until their time has passed")
  func limited() async throws {
    let (one, other) = try #require(EngineChannel.makeSockets())
    let host = ManualThread()
    let loop = PollLoop(name: "channel-test", on: host)
    defer { loop.stop() }
    let received = EventLog<[UInt8]>()
    let ends = EventLog<String?>()
    let channel = EngineChannel(
      one, on: loop, limit: ReceptionLimit(messagesPerSecond: 10), receive: { received.append($0) },
      ended: { ends.append($0) })
    channel.open()
    for number in 0..<30 { #expect(unsafe clinux_send(other, [65, UInt8(number)], 2, -1) == 2) }
    for round in 1...2 {
      try await received.first("the last of a burst", from: 11 * round - 1)
      // A channel that is not read can be written.
      channel.send([66])
      for _ in 0..<20 { await withCheckedContinuation { continuation in loop.submit { continuation.resume() } } }
      #expect(received.count == 11 * round)
      host.advance(.seconds(10))
      loop.submit {}
    }
    try await received.first("the last packet", from: 29)
    close(other)
    let end = try await ends.first("the end").element
    #expect(end == nil)
    #expect(received.elements == (0..<30).map { [65, UInt8($0)] })
  }

  @Test("The limit of messages allows a burst, and then so many in a second, or so many bytes")
  func limitOfMessages() {
    let start = SuspendingClock.now
    var limit = ReceptionLimit(messagesPerSecond: 100)
    for _ in 0..<100 {
      limit.count(1, at: start)
      #expect(limit.pause(at: start) == nil)
    }
    limit.count(1, at: start)
    #expect(limit.pause(at: start) == .milliseconds(10))
    #expect(limit.pause(at: start.advanced(by: .milliseconds(10))) == nil)
    limit.count(1, at: start.advanced(by: .seconds(60)))
    #expect(limit.pause(at: start.advanced(by: .seconds(60))) == nil)
    limit.count(64 << 20, at: start.advanced(by: .seconds(120)))
    #expect(limit.pause(at: start.advanced(by: .seconds(120))) == .seconds(1))
    for _ in 0..<1_000 { limit.count(1, isPart: true, at: start.advanced(by: .seconds(180))) }
    #expect(limit.pause(at: start.advanced(by: .seconds(180))) == nil)
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
    #expect(refused.send([2]) == 1)
    #expect(refused.send([13]) == 1)
    let reason = try await refused.ends.first("the end").element
    #expect(reason == "it sent an invalid message: thirteen")
    #expect(refused.received.elements == [[2]])
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
    for number in 0..<EngineChannel.waitingLimit.count / 2 { ends.channel.send([2, UInt8(number % 251)]) }
    #expect(ends.ends.count == 0)
    for number in 0..<EngineChannel.waitingLimit.count { ends.channel.send([2, UInt8(number % 251)]) }
    let end = try await ends.ends.first("the end").element
    #expect(end == "it does not read its messages")
  }

  @Test("A full socket takes the waiting messages in order when the other side reads again")
  func drained() async throws {
    let ends = try Ends()
    defer { ends.close() }
    let messages = (0..<2_000).map { [2, UInt8($0 % 251), UInt8($0 / 251)] }
    for message in messages { ends.channel.send(message) }
    let answers = EventLog<[UInt8]>()
    let other = EngineChannel(ends.socket, on: ends.loop, receive: { answers.append($0) }, ended: { _ in })
    other.open()
    try await answers.first("the last", from: messages.count - 1)
    #expect(answers.elements == messages)
    other.close()
  }
}
