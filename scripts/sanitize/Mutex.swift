import Glibc

/// A replacement of `Synchronization.Mutex` on a lock that the thread sanitizer supports.
///
/// The sanitizer does not see the original lock and reports all state that it guards. This one is compiled into each
/// module that uses a mutex: a module's own names take precedence over imported ones.
@safe struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // guard: `lock`
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  init(_ initial: consuming sending Value) {
    unsafe value.initialize(to: initial)
    unsafe pthread_mutex_init(lock, nil)
  }

  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return try unsafe body(&value.pointee)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }
}
