import CLinux

/// The memory that the threads of the process allocate.
package enum Heap {
  /// Lets all threads allocate from one heap; call it before there is a second thread.
  ///
  /// With a heap for each thread, glibc grows each of them page by page, by a system call.
  /// <https://man7.org/linux/man-pages/man3/mallopt.3.html>
  package static func shareAmongThreads() { clinux_use_one_arena() }
}
