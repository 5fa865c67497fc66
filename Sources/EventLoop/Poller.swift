import Glibc

/// The descriptor array for poll(2); rebuilt only after the sources have changed.
///
/// <https://man7.org/linux/man-pages/man2/poll.2.html>
struct Poller {
  private var descriptors: [pollfd]
  private var sources: [EventSources.ID] = []
  private var generation = -1
  private var isInterrupted = false

  init(wakeup: CInt) { descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)] }

  mutating func update(_ current: EventSources) {
    guard generation != current.generation else { return }
    generation = current.generation
    descriptors.removeSubrange(1...)
    sources.removeAll(keepingCapacity: true)
    for source in current.sources where !source.interest.isEmpty {
      descriptors.append(pollfd(fd: source.descriptor, events: source.interest.events, revents: 0))
      sources.append(source.id)
    }
  }

  /// Waits until a descriptor is ready or the time-out expires; nil waits without a limit.
  mutating func wait(_ timeout: Duration?) {
    let count = nfds_t(descriptors.count)
    isInterrupted = unsafe poll(&descriptors, count, timeout.map(Self.milliseconds) ?? -1) < 0
    if !isInterrupted, descriptors[0].revents != 0 { acknowledgeWakeup() }
  }

  /// Calls `body` with each ready source; with none if a signal interrupted the wait, because the array is then stale.
  func forEachReady(_ body: (EventSources.ID, Readiness) -> Void) {
    guard !isInterrupted else { return }
    for index in sources.indices where descriptors[index + 1].revents != 0 {
      body(sources[index], Readiness(events: descriptors[index + 1].revents))
    }
  }

  /// Rounds up, so that a timer is due when the wait ends.
  ///
  /// A time-out too long for poll(2) ends early.
  static func milliseconds(_ timeout: Duration) -> CInt {
    guard timeout > .zero else { return 0 }
    let (seconds, attoseconds) = timeout.components
    return CInt(min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  private func acknowledgeWakeup() {
    var count: UInt64 = 0
    unsafe read(descriptors[0].fd, &count, MemoryLayout<UInt64>.size)
  }
}

extension Readiness {
  fileprivate var events: Int16 {
    Int16((contains(.readable) ? POLLIN : 0) | (contains(.writable) ? POLLOUT : 0))
  }

  fileprivate init(events: Int16) {
    self = []
    let events = CInt(events)
    if events & POLLIN != 0 { insert(.readable) }
    if events & POLLOUT != 0 { insert(.writable) }
    if events & (POLLERR | POLLNVAL) != 0 { insert(.error) }
    if events & POLLHUP != 0 { insert(.hangup) }
  }
}
