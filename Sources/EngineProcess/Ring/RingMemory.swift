import CLinux
import Glibc

/// The memory of a ring of samples: a page of control words, a table of records, and an arena of samples.
///
/// The other process may write anything to it at any time. Each word is read once, and then checked.
@safe package final class RingMemory: Sendable {
  /// A control word, by its offset; words that different processes write often are in different lines of the cache.
  enum Word: Int, CaseIterable {
    /// The number of records that have been written. This word and the next one are the writer's.
    case written = 0
    /// The number of the seek before which every passage is obsolete.
    case oldest = 8
    /// Whether the reader was woken, and has not read the records since; both exchange it.
    case isSignalled = 64
    /// The reader wakes the writer when ``used`` reaches this number; the writer's.
    case wakeAt = 128
    /// Whether the reader wakes the writer when ``used`` or ``released`` changes; both exchange it.
    case wantsRoom = 192
    /// The number of records that the reader has read. This word and the next ones are the reader's.
    case taken = 256
    /// The number of records whose samples have been used.
    case used = 264
    /// The number of records whose memory is free again.
    case released = 272
  }

  /// The number of records in the table.
  static let recordLimit: UInt64 = 4_096
  private static let recordSize = 64
  private static let table = 4_096
  private static let arena = table + Int(recordLimit) * recordSize
  /// The number of bytes of the arena.
  static let arenaSize = 32 << 20
  /// The number of bytes in all; not whole huge pages, so a descriptor of those, which may lack memory, has another size.
  static let size = arena + arenaSize

  /// The address.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer  // never changes; the content is checked, see above

  /// Makes memory of this process alone; nil if there is none.
  package convenience init?() { self.init(mapping: -1) }

  /// Maps memory from ``makeShared()``, whose descriptor stays the caller's; nil if its size is wrong or may change.
  ///
  /// Access to memory behind the end of a file would end this process.
  package convenience init?(descriptor: CInt) {
    var info = stat()
    guard descriptor >= 0, clinux_has_size_seals(descriptor), unsafe fstat(descriptor, &info) == 0,
      info.st_size == off_t(Self.size)
    else { return nil }
    self.init(mapping: descriptor)
  }

  private init?(mapping descriptor: CInt) {
    guard let base = unsafe clinux_map(descriptor, Self.size) else { return nil }
    unsafe self.base = base
  }

  deinit { unsafe munmap(base, Self.size) }

  /// Makes memory for two processes, whose size never changes; returns its descriptor, which the caller closes, or nil.
  package static func makeShared() -> CInt? {
    let descriptor = unsafe clinux_create_sealed_memory("mpris-playerd-samples", size)
    return descriptor < 0 ? nil : descriptor
  }

  // MARK: Words

  func load(_ word: Word) -> UInt64 { unsafe clinux_load(address(word.rawValue)) }
  func store(_ value: UInt64, to word: Word) { unsafe clinux_store(address(word.rawValue), value) }
  /// Replaces a word; returns the one before.
  func exchange(_ word: Word, with value: UInt64) -> UInt64 { unsafe clinux_exchange(address(word.rawValue), value) }

  // MARK: Records

  /// Reads each word of a record once.
  func record(_ number: UInt64) -> RingRecord.Words {
    var words = RingRecord.Words()
    for index in words.indices { words[index] = unsafe clinux_load(address(offset(of: number) + index * 8)) }
    return words
  }

  func store(_ words: RingRecord.Words, to record: UInt64) {
    for index in words.indices { unsafe clinux_store(address(offset(of: record) + index * 8), words[index]) }
  }

  /// The offset of a record in the table, for any record number.
  private func offset(of record: UInt64) -> Int { Self.table + Int(record % Self.recordLimit) * Self.recordSize }

  private func address(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  // MARK: Samples

  /// Returns a copy of bytes of the arena; those outside of it are left out.
  func samples(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<Self.arenaSize)
    return unsafe [UInt8](unsafeUninitializedCapacity: range.count) { bytes, count in
      let source = unsafe UnsafeRawBufferPointer(start: base + Self.arena + range.lowerBound, count: range.count)
      unsafe UnsafeMutableRawBufferPointer(bytes).copyMemory(from: source)
      count = range.count
    }
  }

  /// Copies bytes to the arena; false if they do not fit there.
  func store(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Bool {
    guard 0...Self.arenaSize ~= offset, bytes.count <= Self.arenaSize - offset else { return false }
    unsafe bytes.withUnsafeBytes {
      let place = unsafe UnsafeMutableRawBufferPointer(start: base + Self.arena + offset, count: bytes.count)
      unsafe place.copyMemory(from: $0)
    }
    return true
  }
}
