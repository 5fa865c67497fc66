import Glibc

/// The parts of a ring that this process was given.
struct RingDescriptors {
  private var parts: [RingPart: OwnedDescriptor] = [:]

  /// Adds a part; returns false if it is there already.
  mutating func add(_ file: OwnedDescriptor, _ part: RingPart) -> Bool {
    guard parts[part] == nil else { return false }
    parts[part] = file
    return true
  }

  /// Returns the ring, once all parts are there; nil before.
  ///
  /// - Throws: ``WireError`` if a part is not of the expected kind.
  func ring() throws(WireError) -> (memory: RingMemory, own: RingSignal, other: RingSignal)? {
    guard let memory = parts[.memory], let own = parts[.own], let other = parts[.other] else { return nil }
    guard let memory = RingMemory(descriptor: memory.number), let own = Self.signal(own),
      let other = Self.signal(other)
    else { throw WireError("a ring that is not one") }
    return (memory, own, other)
  }

  private static func signal(_ file: OwnedDescriptor) -> RingSignal? {
    let descriptor = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
    guard let signal = RingSignal(descriptor: descriptor) else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    return signal
  }
}
