import CLinux
import Glibc

/// One end of a pipe with which a process wakes another one.
///
/// An event of the kernel would be one file for both processes, and one of them could let the calls of the other wait. The two
/// ends of a pipe are different files: the mode of an end belongs to its process.
///
/// <https://man7.org/linux/man-pages/man7/pipe.7.html>
package final class RingSignal: Sendable {
  /// The end for reading becomes readable when the signal is given.
  package let descriptor: CInt

  /// Makes the two ends of a pipe, which never wait; nil if no descriptor is left.
  package static func makeEnds() -> (reading: RingSignal, writing: RingSignal)? {
    var ends: [CInt] = [-1, -1]
    guard unsafe clinux_pipe(&ends) == 0 else { return nil }
    guard let reading = RingSignal(descriptor: ends[0]), let writing = RingSignal(descriptor: ends[1]) else {
      return nil
    }
    return (reading, writing)
  }

  /// Takes over a descriptor, and closes it in the end; nil, which closes nothing, if it is not a non-blocking pipe.
  package init?(descriptor: CInt) {
    var info = stat()
    guard descriptor >= 0, unsafe fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFIFO,
      fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0
    else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Makes the other end readable; a full pipe is readable already.
  package func signal() {
    var byte: UInt8 = 0
    while unsafe write(descriptor, &byte, 1) < 0, errno == EINTR {}
  }

  /// Takes the signals back; false if there were none.
  @discardableResult package func drain() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe read(descriptor, &bytes, bytes.count)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}
