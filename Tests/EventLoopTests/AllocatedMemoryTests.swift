import EventLoop
import Glibc
import Testing

@Suite("The memory of the process") struct AllocatedMemoryTests {
  /// The pages in memory, and the pages that are mapped from files, from `/proc/self/statm`.
  private static func pages() -> (resident: Int, files: Int) {
    var buffer = [UInt8](repeating: 0, count: 256)
    let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    let count = unsafe read(file, &buffer, buffer.count)
    close(file)
    let fields = String(decoding: buffer[..<max(0, count)], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    return fields.count > 2 ? (fields[1], fields[2]) : (0, 0)
  }

  @Test("Trimming gives the free memory between used parts of the heap back")
  func trim() async {
    await #expect(processExitsWith: .success) {
      let blocks = unsafe (0..<100_000).map { _ in unsafe calloc(1, 1_000) }
      // The last one is kept, so the end of the heap is not free.
      unsafe blocks.dropLast().forEach { unsafe free($0) }
      let before = AllocatedMemoryTests.pages().resident
      AllocatedMemory.trim()
      #expect(AllocatedMemoryTests.pages().resident < before / 2)
      unsafe free(blocks.last ?? nil)
    }
  }

  @Test("The code that is no longer in memory is read again when it is used")
  func code() async {
    await #expect(processExitsWith: .success) {
      let before = AllocatedMemoryTests.pages().files
      ProgramCode.release()
      #expect(AllocatedMemoryTests.pages().files < before / 2)
      #expect((0..<100).map { "\($0)" }.joined().count == 190)
    }
  }
}
