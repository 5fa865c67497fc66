import Glibc
import Synchronization

/// One connection of an ``HTTPServer``, served with blocking calls on a separate thread.
final class HTTPConnection: Sendable {
  private struct State {
    var path = ""
    var isOpen = true
    var isHungUp = false
  }
  private let descriptor: Int32
  private let wakeups: Pipe?
  private let state = Mutex(State())

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // Without the pipe, a stall lasts until the connection ends.
    wakeups = try? Pipe()
  }

  /// The requested path; empty before the request.
  var path: String { state.withLock { $0.path } }

  /// Ends a pause of the serving thread early; callable from any thread.
  func wake() {
    // The lock keeps the descriptor open and valid.
    state.withLock { state in
      guard state.isOpen, let wakeups else { return }
      _ = unsafe write(wakeups.writeEnd, "w", 1)
    }
  }

  /// Shuts the connection down under the serving thread; callable from any thread.
  func hangUp() {
    state.withLock { state in
      state.isHungUp = true
      if state.isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Closes the connection; called last, by the serving thread.
  func close() {
    state.withLock { $0.isOpen = false }
    _ = Glibc.close(descriptor)
    wakeups?.closeReadEnd()
    wakeups?.closeWriteEnd()
  }

  /// Reads the request; returns nil if the peer closed the connection or sent an invalid request.
  func readRequest() -> HTTPRequest? {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while head.count < 65_536 {
      let size = buffer.count
      let count = (try? systemCall("recv") { unsafe recv(descriptor, &buffer, size, 0) }) ?? 0
      guard count > 0 else { return nil }
      head += buffer[..<count]
      guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
      guard let request = HTTPRequest(String(decoding: head, as: UTF8.self)) else { return nil }
      state.withLock { $0.path = request.path }
      return request
    }
    return nil
  }

  /// Sends `response` as far as possible; returns the number of content bytes sent, and whether the peer closed first.
  ///
  /// At each offset in the content, `stalls` returns whether to wait there.
  func send(
    _ response: HTTPResponse, to request: HTTPRequest, stalls: (Int) -> Bool
  ) -> (sent: Int, byPeer: Bool) {
    guard response.answers else {
      while pause(until: nil) {}
      return (0, peerLeft)
    }
    let (head, part) = response.answer(to: request)
    guard send(head[...]) else { return (0, peerLeft) }
    guard request.method != "HEAD" else { return (0, false) }
    if let (clock, pace) = response.pace { return deliver(response, part, request.path, pace, by: clock) }

    let start = monotonicSeconds()
    let step = response.bytesPerSecond.map { max(1, $0 / 50) } ?? 65_536
    var place = part.lowerBound
    while place < part.upperBound {
      if let cut = response.cutsAt, place >= cut { break }
      if stalls(place) {
        guard pause(until: nil) else { return (place - part.lowerBound, peerLeft) }
        continue
      }
      // A step ends at the next offset of a cut or a stall.
      let marks = [response.cutsAt, response.stallsAt, part.upperBound].compactMap { $0 }.filter { $0 > place }
      let next = min(place + step, marks.min() ?? part.upperBound)
      guard send(response.content[place..<next]) else { return (place - part.lowerBound, peerLeft) }
      place = next
      if let speed = response.bytesPerSecond, place < part.upperBound {
        let due = start + Double(place - part.lowerBound) / Double(speed)
        while monotonicSeconds() < due {
          guard pause(until: due) else { return (place - part.lowerBound, peerLeft) }
        }
      }
    }
    return (place - part.lowerBound, false)
  }

  /// Sends a part of the content as far as a clock permits.
  private func deliver(
    _ response: HTTPResponse, _ part: Range<Int>, _ path: String, _ pace: DeliveryClock.Pace, by clock: DeliveryClock
  ) -> (sent: Int, byPeer: Bool) {
    let end = min(part.upperBound, response.cutsAt ?? part.upperBound)
    let delivery = clock.begin(pace, path: path, from: part.lowerBound) { [weak self] in self?.wake() }
    defer { clock.end(delivery) }
    var place = part.lowerBound
    while place < end {
      let next = min(end, clock.limit(of: delivery, at: place, path: path))
      if next > place {
        guard send(response.content[place..<next]) else { return (place - part.lowerBound, peerLeft) }
        place = next
      } else {
        guard pause(until: nil) else { return (place - part.lowerBound, peerLeft) }
      }
    }
    return (place - part.lowerBound, false)
  }

  private var peerLeft: Bool { state.withLock { !$0.isHungUp } }

  /// Waits for a wake-up, at most until `due`; returns false if the connection has ended.
  private func pause(until due: Double?) -> Bool {
    let milliseconds = due.map { Int32(max(0, ($0 - monotonicSeconds()) * 1000).rounded(.up)) } ?? -1
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeups?.readEnd ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = try? systemCall("poll") { unsafe poll(&polled, 2, milliseconds) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let size = buffer.count
    if polled[1].revents != 0, let wakeups { _ = unsafe read(wakeups.readEnd, &buffer, size) }
    guard polled[0].revents != 0 else { return true }
    // Data from the peer is discarded; only its end of stream matters.
    return ((try? systemCall("recv") { unsafe recv(descriptor, &buffer, size, 0) }) ?? 0) > 0
  }

  /// Sends all of `bytes`; returns false if the connection has ended.
  private func send(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let sent = try? unsafe rest.withUnsafeBytes { buffer in
        try systemCall("send") {
          unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
      }
      guard let sent else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}

/// Returns the seconds of `CLOCK_MONOTONIC`.
private func monotonicSeconds() -> Double {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
