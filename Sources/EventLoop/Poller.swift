import Glibc

/// The descriptor array for poll(2); rebuilt only after the sources have changed.
///
/// <https://man7.org/linux/man-pages/man2/poll.2.html>
struct Poller {
  private var descriptors: [pollfd]
  private var sources: [EventSources.ID] = []
  private var generation = -1

  init(wakeup: CInt) { descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)] }

  mutating func update(_ current: EventSources) {
    guard generation != current.generation else { return }
    generation = current.generation
    descriptors.removeSubrange(1...)
    sources.removeAll(keepingCapacity: true)
    for source in current.sources where !source.interest.isEmpty {
      descriptors.append(pollfd(fd: source.descriptor, events: source.interest.rawValue, revents: 0))
      sources.append(source.id)
    }
  }

  /// Waits until a descriptor is ready or the time-out expires, and calls `body` with each ready source.
  ///
  /// Without a time-out, it waits until a descriptor is ready.
  mutating func wait(_ timeout: Duration?, _ body: (EventSources.ID, Readiness) -> Void) {
    let count = nfds_t(descriptors.count)
    // If a signal interrupts the wait, the array is stale.
    guard unsafe poll(&descriptors, count, timeout.map(Self.milliseconds) ?? -1) >= 0 else { return }
    if descriptors[0].revents != 0 {
      var wakeups: UInt64 = 0
      unsafe read(descriptors[0].fd, &wakeups, MemoryLayout<UInt64>.size)
    }
    for index in sources.indices where descriptors[index + 1].revents != 0 {
      body(sources[index], Readiness(rawValue: descriptors[index + 1].revents))
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
}
