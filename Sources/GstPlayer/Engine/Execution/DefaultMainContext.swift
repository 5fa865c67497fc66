import CGst

/// The main context of GLib that the loops of GTK and Qt run; only AVFAudio and the modules over it use it.
package enum DefaultMainContext {
  /// Calls `action` whenever a descriptor is readable, until it returns false, in the thread that runs the context.
  ///
  /// If no thread runs it, nothing happens. The descriptor is not read.
  package static func watch(_ descriptor: Int32, _ action: @escaping @Sendable () -> Bool) {
    let action = unsafe Unmanaged.passRetained(Action(action)).toOpaque()
    unsafe g_unix_fd_add_full(
      G_PRIORITY_DEFAULT, descriptor, G_IO_IN, { unsafe performAction($2) }, action, { unsafe releaseAction($0) })
  }

  fileprivate final class Action: Sendable {
    let body: @Sendable () -> Bool

    init(_ body: @escaping @Sendable () -> Bool) { self.body = body }
  }
}

// C functions convert their arguments at file scope.

private func performAction(_ action: UnsafeMutableRawPointer?) -> gboolean {
  guard let action = unsafe action else { return 0 }
  return unsafe Unmanaged<DefaultMainContext.Action>.fromOpaque(action).takeUnretainedValue().body() ? 1 : 0
}

private func releaseAction(_ action: UnsafeMutableRawPointer?) {
  if let action = unsafe action { unsafe Unmanaged<DefaultMainContext.Action>.fromOpaque(action).release() }
}
