import Dispatch
import Playback
import Synchronization
import Testing

@testable import GstPlayer

/// Tests of the way of messages to the executor of a pipeline.
struct BusMessageQueueTests {
  @Test(
    "A state that is reported while its report waits is handled once, and again after that; all else keeps its order")
  func repetitions() {
    let handled = Mutex<[String]>([])
    let executor = DispatchQueue(label: "test")
    let queue = BusMessageQueue(executor) { message in handled.withLock { $0.append("\(message)") } }
    let (first, next) = (StreamToken(number: 1), StreamToken(number: 2))
    let messages: [BusMessage] = [
      .asyncDone(first, flushes: 0), .playing(first), .clockLost, .clockLost, .asyncDone(first, flushes: 1),
      .playing(next),
    ]
    executor.suspend()
    for _ in 0..<10_000 { queue.deliver(messages[0]) }
    for message in messages[1...] { queue.deliver(message) }
    for message in messages where "\(message)" != "\(BusMessage.clockLost)" { queue.deliver(message) }
    executor.resume()
    executor.sync {}
    #expect(handled.withLock { $0 } == messages.map { "\($0)" })
    queue.deliver(messages[0])
    executor.sync {}
    #expect(handled.withLock { $0 }.last == "\(messages[0])")
    #expect(handled.withLock { $0 }.count == messages.count + 1)
  }
}
