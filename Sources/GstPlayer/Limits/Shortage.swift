import CGst
import Glibc
import Playback

/// Checks that the process has enough descriptors, threads and address space left to open an item.
///
/// Without this check, GLib ends the process if it gets no descriptor or no memory, and a plug-in that cannot be loaded
/// counts as not installed. Another part of the process may take the rest at any time, so the check is not a guarantee.
enum Shortage {
  /// The maximum that an item needs before it plays, apart from an adaptive stream with many tracks.
  private static let (descriptors, threads, bytes) = (CInt(24), 8, 192 << 20)

  /// The error for a shortage; nil if there is none.
  static var failure: PlayerError? {
    if !hasDescriptors { return error("few file descriptors") }
    if !hasThreads { return error("few threads") }
    return hasMemory ? nil : error("little memory")
  }

  private static func error(_ resource: String) -> PlayerError {
    PlayerError(code: .outOfResources, message: "the process has too \(resource) left to open an item")
  }

  /// Whether the lowest free descriptor is not near the limit.
  private static var hasDescriptors: Bool {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
    // The sandbox allows to open this file.
    let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
    close(descriptor)
    return limit.rlim_cur > rlim_t(descriptor + descriptors)
  }

  /// Whether a number of threads that wait for each other can be started.
  private static var hasThreads: Bool {
    let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    unsafe pthread_mutex_init(gate, nil)
    defer {
      unsafe pthread_mutex_destroy(gate)
      unsafe gate.deallocate()
    }
    unsafe pthread_mutex_lock(gate)
    var started: [pthread_t] = []
    for _ in 0..<threads {
      var thread = pthread_t()
      guard unsafe pthread_create(&thread, nil, passGate, gate) == 0 else { break }
      started.append(thread)
    }
    unsafe pthread_mutex_unlock(gate)
    for thread in started { pthread_join(thread, nil) }
    return started.count == threads
  }

  /// Whether a large area of addresses is free, which a limit of the address space may prevent.
  private static var hasMemory: Bool {
    let area = unsafe mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let area = unsafe area, unsafe area != UnsafeMutableRawPointer(bitPattern: -1) else { return false }
    unsafe munmap(area, bytes)
    return true
  }
}

private func passGate(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let gate = unsafe gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
  unsafe pthread_mutex_lock(gate)
  unsafe pthread_mutex_unlock(gate)
  return nil
}
