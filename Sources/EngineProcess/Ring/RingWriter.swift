package import Joining
package import Playback
import Synchronization

/// Writes the samples of a stream into the memory of a ring, for a reader that may be in another process.
///
/// Writing wakes the reader only if it needs the samples soon. A decoder delivers seconds of audio at once, and the reader takes
/// the later samples when it has used some of the earlier samples.
package final class RingWriter: Sendable {
  /// The samples of the present passage that have been written and not used.
  package struct Unused: Equatable, Sendable {
    package var frames: Int64 = 0
    package var bytes: Int64 = 0
  }

  /// Sums over records from the first one on.
  private struct Total {
    var frames: Int64 = 0
    var bytes: Int64 = 0
  }

  /// A record that has been written, and whose slot in the table is not free again.
  private struct Sent {
    var seek: Int
    /// The number of the frame after the last one; nil for the end of a passage.
    var end: Int64?
    /// The bytes of the arena that it occupies.
    var place: Range<Int>
    /// The sums at its end.
    var total: Total
  }

  private struct State {
    var sent = RecordQueue<Sent>(from: 0)
    var written: UInt64 = 0
    var oldest = 0
    /// The numbers that the reader publishes; they never decrease, and never exceed `written`.
    var used: UInt64 = 0
    var released: UInt64 = 0
    /// The number of slots in the table that are free again.
    var free: UInt64 = 0
    /// The first record that may occupy memory.
    var occupied: UInt64 = 0
    /// The range of the last record that occupies memory.
    var last = 0..<0
    /// The passage and the format of the last record.
    var seek = 0
    var format: PCMFormat?
    /// The sums of all records, of those before the present passage, and of those that are used.
    var total = Total()
    var start = Total()
    var totalUsed = Total()
    /// What became used since it was asked for.
    var news: [Int: Int64] = [:]
    /// The numbers of used records at which the writer requests to be woken, and the number that the reader knows.
    var requests: Set<UInt64> = []
    var wakeAt = UInt64.max

    /// Reads the numbers of the reader.
    mutating func update(_ memory: RingMemory) {
      released = max(released, min(memory.load(.released), written))
      // After the number of released records: a new reader begins with a lower number of used ones.
      let count = min(memory.load(.used), written)
      while used < count {
        if let record = sent[used] {
          totalUsed = record.total
          if let end = record.end, record.seek >= oldest { news[record.seek] = end }
        }
        used += 1
      }
      free = max(free, min(count, released))
      while sent.first < free { sent.removeFirst() }
      occupied = max(occupied, released)
      while occupied < written, sent[occupied]?.place.isEmpty ?? true { occupied += 1 }
    }

    /// Publishes the lowest number at which the reader wakes the writer.
    mutating func publish(_ memory: RingMemory) {
      while true {
        update(memory)
        requests = requests.filter { $0 > used }
        let next = requests.min() ?? .max
        guard next != wakeAt else { return }
        // The reader may have passed the number before it was published, so the next turn reads the reader's number again.
        wakeAt = next
        memory.store(next, to: .wakeAt)
      }
    }

    /// Begins a passage, unless a later one has begun.
    mutating func begin(_ passage: Int) {
      guard passage > seek else { return }
      (seek, start, format) = (passage, total, nil)
    }

    /// Whether the reader has read enough samples of a passage, and not used them.
    func isReserved(_ format: PCMFormat, _ memory: RingMemory) -> Bool {
      guard self.format == format else { return false }
      let taken = min(memory.load(.taken), written)
      guard taken > used, let total = sent[taken - 1]?.total else { return false }
      return total.frames - max(start.frames, totalUsed.frames) >= format.frame(at: RingWriter.reserve)
    }

    /// Returns a range for bytes in the first part of the arena; nil if it is full.
    func place(_ count: Int, within area: Int) -> Range<Int>? {
      guard count > 0 else { return 0..<0 }
      guard occupied < written, let first = sent[occupied]?.place else { return 0..<count }
      if last.lowerBound >= first.lowerBound {
        if last.upperBound <= area - count { return last.upperBound..<last.upperBound + count }
        return count <= first.lowerBound ? 0..<count : nil
      }
      return count <= first.lowerBound - last.upperBound ? last.upperBound..<last.upperBound + count : nil
    }

    /// Writes a record; false if the table or the arena is full.
    mutating func write(
      _ passage: Int, _ piece: (format: PCMFormat, first: Int64, bytes: ArraySlice<UInt8>)?, area: Int,
      _ memory: RingMemory
    ) -> Bool {
      update(memory)
      guard written - free < RingMemory.recordLimit else { return false }
      var record = RingRecord(seek: passage)
      var end: Int64?
      // Whole lines of the cache; an end needs none.
      guard let place = place(((piece?.bytes.count ?? 0) + 63) / 64 * 64, within: area) else { return false }
      begin(passage)
      if let piece {
        guard memory.store(piece.bytes, at: place.lowerBound) else { return false }
        let frames = Int64(piece.bytes.count / piece.format.bytesPerFrame)
        record.samples = RingRecord.Samples(
          format: piece.format, first: piece.first, frames: frames,
          place: place.lowerBound..<place.lowerBound + piece.bytes.count)
        total.frames += frames
        total.bytes += Int64(piece.bytes.count)
        (last, format, end) = (place, piece.format, piece.first + frames)
      }
      sent.append(Sent(seek: passage, end: end, place: place, total: total))
      memory.store(record.words, to: written)
      written += 1
      memory.store(written, to: .written)
      return true
    }
  }

  /// The duration of unused samples from which on the next ones wait: the output takes up to a second at once.
  private static let reserve = Duration.milliseconds(1500)
  /// The duration for which there is memory in addition to the limit, and the least memory.
  private static let slack = (time: Duration.seconds(4), bytes: 256 << 10)

  private let memory: RingMemory
  private let stream: StreamToken
  private let limit: Duration
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - memory: The memory, which has had no writer before.
  ///   - stream: The stream whose samples are written.
  ///   - limit: The most unused samples that the writer's owner writes, as a duration; the memory holds some seconds more.
  ///   - wake: Wakes the reader; called on the threads that write.
  package init(_ memory: RingMemory, stream: StreamToken, limit: Duration, wake: @escaping @Sendable () -> Void) {
    (self.memory, self.stream, self.limit, self.wake) = (memory, stream, limit, wake)
    memory.store(.max, to: .wakeAt)
  }

  // MARK: Writing

  /// Returns the most frames of one record: 64 KiB, or a quarter of a second if that is less, and at least one frame.
  ///
  /// The samples of a record become used together, so a record is not long.
  package static func pieceFrames(_ format: PCMFormat) -> Int {
    max(1, min(RingRecord.pieceLimit / format.bytesPerFrame, format.rate / 4))
  }

  /// Begins a passage: passages of earlier seeks are obsolete, and writes to them are ignored.
  package func begin(_ passage: Passage) {
    guard passage.stream == stream, 0...RingRecord.seekLimit ~= passage.seek else { return }
    state.withLock { state in
      guard passage.seek > state.oldest else { return }
      state.oldest = passage.seek
      state.begin(passage.seek)
      state.news = state.news.filter { $0.key >= passage.seek }
      memory.store(UInt64(passage.seek), to: .oldest)
    }
    signal()
  }

  /// Writes samples of a passage.
  ///
  /// - Parameters:
  ///   - passage: The passage; samples of one before the last one that was written are ignored.
  ///   - format: The format.
  ///   - first: The number of the first frame.
  ///   - bytes: Whole frames, at most ``pieceFrames(_:)``.
  /// - Returns: False if the ring is full; the reader then wakes the writer when space may be free.
  package func write(_ passage: Passage, _ format: PCMFormat, first: Int64, bytes: ArraySlice<UInt8>) -> Bool {
    precondition(
      bytes.count.isMultiple(of: format.bytesPerFrame) && bytes.count <= RingRecord.pieceLimit,
      "\(bytes.count) bytes are no piece")
    guard !bytes.isEmpty, first.magnitude <= RingRecord.frameLimit else { return true }
    return add(passage, (format, first, bytes), area: area(format))
  }

  /// Marks the end of a passage; false if the ring is full, as for samples.
  package func finish(_ passage: Passage) -> Bool { add(passage, nil, area: 0) }

  private func add(
    _ passage: Passage, _ piece: (format: PCMFormat, first: Int64, bytes: ArraySlice<UInt8>)?, area: Int
  ) -> Bool {
    guard passage.stream == stream, passage.seek <= RingRecord.seekLimit else { return true }
    let (isWritten, isNeeded) = state.withLock { state -> (Bool, Bool) in
      guard passage.seek >= max(state.seek, state.oldest) else { return (true, false) }
      state.update(memory)
      // Before the record is written: the reader has not read it.
      let isReserved = piece.map { passage.seek == state.seek && state.isReserved($0.format, memory) } ?? false
      if state.write(passage.seek, piece, area: area, memory) { return (true, !isReserved) }
      // The reader may have released some between the attempt and the request.
      _ = memory.exchange(.wantsRoom, with: 1)
      return (state.write(passage.seek, piece, area: area, memory), !isReserved)
    }
    if isWritten, isNeeded { signal() }
    return isWritten
  }

  /// The part of the arena that is used, which bounds the memory of the ring.
  private func area(_ format: PCMFormat) -> Int {
    let (bytes, overflows) = format.frame(at: limit + Self.slack.time)
      .multipliedReportingOverflow(by: Int64(format.bytesPerFrame))
    guard !overflows else { return RingMemory.arenaSize }
    return min(max(Int(clamping: bytes), Self.slack.bytes), RingMemory.arenaSize)
  }

  /// Wakes the reader, unless it was woken and has not read since.
  private func signal() { if memory.exchange(.isSignalled, with: 1) == 0 { wake() } }

  // MARK: Use

  /// The number of records that have been written.
  package var recordCount: UInt64 { state.withLock { $0.written } }

  /// The samples of the present passage that have been written and not used.
  package var unused: Unused {
    state.withLock { state in
      state.update(memory)
      return Unused(
        frames: state.total.frames - max(state.start.frames, state.totalUsed.frames),
        bytes: state.total.bytes - max(state.start.bytes, state.totalUsed.bytes))
    }
  }

  /// Returns the frames before which samples have become used since the last call, one for each passage, in order.
  ///
  /// The writer's owner calls it whenever the reader has woken it, before it makes new requests.
  package func takeUsed() -> [(passage: Passage, frame: Int64)] {
    state.withLock { state in
      state.publish(memory)
      defer { state.news = [:] }
      return state.news.sorted { $0.key < $1.key }.map { (Passage(stream, seek: $0.key), $0.value) }
    }
  }

  /// Withdraws the requests to be woken.
  package func withdrawWakes() { state.withLock { $0.requests = [] } }

  /// Asks the reader to wake the writer when so many records have been used; false if they have been.
  ///
  /// With ``recordCount``, it is when everything is used that has been written until now.
  package func wakeWriter(atRecord count: UInt64) -> Bool {
    state.withLock { state in
      state.requests.insert(count)
      state.publish(memory)
      return state.used < count
    }
  }

  /// Asks the reader to wake the writer when no more than so many frames of the present passage are unused; false if this
  /// is so.
  package func wakeWriter(atUnusedFrames frames: Int64) -> Bool {
    let count = state.withLock { state -> UInt64 in
      state.update(memory)
      func unused(after total: Total) -> Int64 { state.total.frames - max(state.start.frames, total.frames) }
      var count = state.used
      guard unused(after: state.totalUsed) > frames else { return count }
      while count < state.written {
        guard let record = state.sent[count] else { break }
        count += 1
        if unused(after: record.total) <= frames { break }
      }
      return count
    }
    return wakeWriter(atRecord: count)
  }
}
