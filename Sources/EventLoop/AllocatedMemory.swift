import CLinux

/// The memory that the threads of the process allocate.
package enum AllocatedMemory {
  /// Lets all threads allocate from one heap; call it before there is a second thread.
  ///
  /// With a heap for each thread, glibc grows each of them page by page, by a system call.
  /// <https://man7.org/linux/man-pages/man3/mallopt.3.html>
  package static func shareAmongThreads() { clinux_use_one_arena() }

  /// Gives the free memory within the heap back to the system; blocks for milliseconds.
  ///
  /// glibc only gives back the end of the heap.
  /// <https://man7.org/linux/man-pages/man3/malloc_trim.3.html>
  package static func trim() { clinux_trim_memory() }
}

/// The code and the constants of the program and its libraries.
package enum ProgramCode {
  /// Removes them from the memory of the process, which reads those that are used again from the cache of files.
  ///
  /// The start of a program and of an item uses several times more of them than the work that follows.
  package static func release() { clinux_unmap_code() }
}
