package import Joining
package import Playback
import Synchronization

/// Reads the samples that a ring's writer, perhaps in another process, puts into its memory; it checks every value there.
///
/// If the process of the previous reader has ended, the new reader continues with the first record that is not free. The
/// previous reader may have taken this record already.
package final class RingReader: SampleSource {
  /// A record that has been read.
  private struct Reading {
    var number: UInt64
    var record: RingRecord
  }

  private struct State {
    /// The records that have been read and not used: the number of the seek, and the frame at which it ends, if any.
    var unused: RecordQueue<(seek: Int, end: Int64?)>
    /// Whether the memory of each record that has been read is free again, beginning with the first that is not.
    var isFree: RecordQueue<Bool>
    var taken: UInt64
    /// The numbers that the writer knows.
    var used: UInt64
    var released: UInt64
    /// The seek number of the last record.
    var seek = 0
    var oldest = 0
    /// The passage that was used last, and the frame before which its samples are used.
    var position: (seek: Int, frame: Int64)?
    var fault: String?

    init(from number: UInt64) {
      (unused, isFree) = (RecordQueue(from: number), RecordQueue(from: number))
      (taken, used, released) = (number, number, number)
    }

    /// Reads the control word of obsolete passages.
    mutating func updateOldest(_ memory: RingMemory) {
      oldest = max(oldest, Int(clamping: min(memory.load(.oldest), UInt64(RingRecord.seekLimit))))
    }

    /// Reads the new records, except records of obsolete passages.
    mutating func read(_ memory: RingMemory) throws(RingRecord.Fault) -> [Reading] {
      let written = memory.load(.written)
      guard written >= taken else { throw RingRecord.Fault("\(written) records after \(taken)") }
      // A record whose samples are not used stays in the list of this process.
      let free = min(used, released)
      guard written - free <= RingMemory.recordLimit else {
        throw RingRecord.Fault("\(written) records, of which \(free) are free")
      }
      updateOldest(memory)
      var readings: [Reading] = []
      while taken < written {
        let record = try RingRecord(memory.record(taken), after: seek)
        seek = record.seek
        unused.append((seek, record.samples.map { $0.first + $0.frames }))
        isFree.append(record.samples == nil || seek < oldest)
        if seek >= oldest { readings.append(Reading(number: taken, record: record)) }
        taken += 1
      }
      memory.store(taken, to: .taken)
      return readings
    }

    /// Publishes the used and free records to the writer; returns whether the writer is to be woken.
    mutating func advance(_ memory: RingMemory) -> Bool {
      while let record = unused[unused.first], isUsed(record) { unused.removeFirst() }
      while isFree[isFree.first] == true { isFree.removeFirst() }
      let before = used
      guard unused.first != used || isFree.first != released else { return false }
      (used, released) = (unused.first, isFree.first)
      memory.store(used, to: .used)
      memory.store(released, to: .released)
      let limit = memory.load(.wakeAt)
      let isReached = before < limit && limit <= used
      let isAwaited = memory.load(.wantsRoom) != 0 && memory.exchange(.wantsRoom, with: 0) != 0
      return isReached || isAwaited
    }

    private func isUsed(_ record: (seek: Int, end: Int64?)) -> Bool {
      guard record.seek >= oldest, let end = record.end else { return true }
      guard let position, position.seek == record.seek else { return false }
      return end <= position.frame
    }
  }

  private let memory: RingMemory
  private let stream: StreamToken
  private let wake: @Sendable () -> Void
  private let refused: @Sendable (_ reason: String) -> Void
  private let state: Mutex<State>

  /// Creates a reader; call ``take()`` at once, because the writer may wait for it.
  ///
  /// - Parameters:
  ///   - memory: The memory, with one writer.
  ///   - stream: The stream whose samples are read.
  ///   - wake: Wakes the writer; called on the threads that use samples, and that release blocks.
  ///   - refused: Receives the reason for ``fault`` once; called on the thread that calls ``take()``.
  package init(
    _ memory: RingMemory, stream: StreamToken, wake: @escaping @Sendable () -> Void,
    refused: @escaping @Sendable (_ reason: String) -> Void = { _ in }
  ) {
    (self.memory, self.stream, self.wake, self.refused) = (memory, stream, wake, refused)
    let start = memory.load(.released)
    state = Mutex(State(from: start))
    memory.store(start, to: .taken)
    memory.store(start, to: .used)
    // The reader before may have ended before it would have woken the writer.
    if start != 0 || memory.load(.written) != 0 { wake() }
  }

  /// The reason why the reader returns nothing any more: the writer has written what no writer of ours would; nil if it
  /// has not.
  package var fault: String? { state.withLock { $0.fault } }

  /// The number of the seek before which every passage is obsolete; it never decreases.
  package var oldest: Int {
    state.withLock { state in
      if state.fault == nil { state.updateOldest(memory) }
      return state.oldest
    }
  }

  /// Returns the samples that were written since the last call.
  package func take() -> [SampleEntry] {
    // Before the records are read: the writer gives a signal for the later ones.
    _ = memory.exchange(.isSignalled, with: 0)
    let (readings, isAwaited, fault) = state.withLock { state -> ([Reading], Bool, String?) in
      guard state.fault == nil else { return ([], false, nil) }
      do throws(RingRecord.Fault) {
        let readings = try state.read(memory)
        return (readings, state.advance(memory), nil)
      } catch {
        state.fault = error.reason
        return ([], false, error.reason)
      }
    }
    if isAwaited { wake() }
    if let fault { refused(fault) }
    return readings.compactMap { entry($0) }
  }

  private func entry(_ reading: Reading) -> SampleEntry? {
    let passage = Passage(stream, seek: reading.record.seek)
    guard let samples = reading.record.samples else { return .ended(passage) }
    let piece = Piece(of: self, reading.number, samples.place)
    return Block(passage, samples.format, first: samples.first, memory: piece).map { .block($0) }
  }

  /// Notes that the samples of a passage before a frame are used.
  package func use(_ passage: Passage, before frame: Int64) {
    guard passage.stream == stream else { return }
    change { state in
      let isSame = state.position?.seek == passage.seek
      state.position = (passage.seek, isSame ? max(frame, state.position?.frame ?? frame) : frame)
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let isAwaited = state.withLock { state in
      body(&state)
      state.updateOldest(memory)
      return state.advance(memory)
    }
    if isAwaited { wake() }
  }

  /// The samples of a record, which the writer may overwrite after the last reference.
  private final class Piece: SampleMemory {
    private let reader: RingReader
    private let number: UInt64
    private let place: Range<Int>

    init(of reader: RingReader, _ number: UInt64, _ place: Range<Int>) {
      (self.reader, self.number, self.place) = (reader, number, place)
    }

    deinit { reader.change { [number] in $0.isFree.replace(number, with: true) } }

    var count: Int { place.count }

    func bytes(_ range: Range<Int>) -> [UInt8] {
      let range = range.clamped(to: 0..<place.count)
      return reader.memory.samples(place.lowerBound + range.lowerBound..<place.lowerBound + range.upperBound)
    }
  }
}
