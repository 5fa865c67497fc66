import CLinux
import Glibc

extension PollLoop {
  /// Calls a closure once on the loop's thread when a child process has ended; the child is not reaped.
  ///
  /// Without a free descriptor, the closure is called at once, and has to wait for the end.
  package func whenEnded(_ process: CInt, _ action: @escaping @Sendable () -> Void) {
    let descriptor = clinux_open_process(process)
    guard descriptor >= 0 else { return submit(action) }
    submit { [self] in
      let source = Source()
      source.id = watch(descriptor, for: .readable) { [self] readiness in
        if let id = source.id { remove(id) }
        close(descriptor)
        if readiness != .stopped { action() }
      }
    }
  }

  /// The ID of a source for its own handler.
  private final class Source: @unchecked Sendable {  // used on the loop's thread only
    var id: EventSources.ID?
  }
}

extension SpawnedProcess {
  /// Returns a descriptor that can be read when a child process has ended; negative if none is free.
  package static func descriptor(of process: CInt) -> CInt { clinux_open_process(process) }
}
