import CLinux
import Dispatch
import Glibc
import Joining
import Playback
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess

/// Tests of the memory in which a process reads the samples that another one decodes.
@Suite("The ring of samples")
struct RingTests {
  private static let stream = StreamToken(number: 7)
  private static let passage = Passage(stream)
  private static let stereo = PCMFormat(.int16, rate: 44_100, channels: 2)
  /// Bytes that differ from each other at every distance that the tests use.
  private static let noise: [UInt8] = {
    var generator = SeededGenerator(seed: 3)
    return (0..<1 << 17).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }()

  /// A writer and a reader of the same memory, and the number of times that each was woken.
  private final class Pair: Sendable {
    let memory: RingMemory
    let writer: RingWriter
    let reader: RingReader
    let writerWakes = EventLog<Void>()
    let readerWakes = EventLog<Void>()

    init(limit: Duration = .seconds(4)) throws {
      memory = try #require(RingMemory())
      writer = RingWriter(memory, stream: stream, limit: limit) { [readerWakes] in readerWakes.append(()) }
      reader = RingReader(memory, stream: stream) { [writerWakes] in writerWakes.append(()) }
    }

    /// Writes a piece of the noise that depends on the number of its first frame.
    func write(_ format: PCMFormat, first: Int64, frames: Int, of passage: Passage = passage) -> Bool {
      writer.write(passage, format, first: first, bytes: RingTests.bytes(format, first: first, frames: frames))
    }

    func blocks() -> [Block] { RingTests.blocks(reader.take()) }
  }

  private static func bytes(_ format: PCMFormat, first: Int64, frames: Int) -> ArraySlice<UInt8> {
    let start = Int(first.magnitude &* 7_919 % UInt64(noise.count / 2))
    return noise[start..<start + frames * format.bytesPerFrame]
  }

  private static func blocks(_ entries: [SampleEntry]) -> [Block] {
    entries.compactMap { if case .block(let block) = $0 { block } else { nil } }
  }

  private static func isEqual(_ block: Block) -> Bool {
    block.bytes[...] == bytes(block.format, first: block.first, frames: Int(block.frames))
  }

  // MARK: Samples

  @Test(
    "Samples of each format are read as they were written, and the end after them",
    arguments: PCMFormat.Encoding.allCases,
    [(8_000, 1, nil), (44_100, 2, 3), (1_536_000, 64, .max)] as [(rate: Int, channels: Int, mask: UInt64?)])
  func formats(encoding: PCMFormat.Encoding, shape: (rate: Int, channels: Int, mask: UInt64?)) throws {
    let format = try #require(
      PCMFormat(encoding, rate: shape.rate, channels: shape.channels, channelMask: shape.mask))
    let pair = try Pair()
    let frames = RingWriter.pieceFrames(format)
    #expect(frames >= 1 && frames * format.bytesPerFrame <= 65_536)
    let firsts: [Int64] = [-5, 0, 1 << 52, -1 << 52]
    for first in firsts { #expect(pair.write(format, first: first, frames: frames)) }
    #expect(pair.writer.finish(Self.passage))
    let entries = pair.reader.take()
    let blocks = Self.blocks(entries)
    #expect(blocks.map(\.first) == firsts)
    for block in blocks {
      #expect(block.passage == Self.passage && block.format == format && block.frames == Int64(frames))
      #expect(Self.isEqual(block))
    }
    #expect(entries.count == 5)
    if case .ended(Self.passage)? = entries.last {} else { Issue.record("no end") }
    #expect(pair.reader.fault == nil)
    #expect(pair.reader.take().isEmpty)
  }

  @Test("Samples that are held stay the same while the ring wraps around", .seeded)
  func wrapping() throws {
    let format = try #require(PCMFormat(.int24, rate: 8_000, channels: 1))
    let pair = try Pair(limit: .zero)
    var generator = SeededGenerator()
    var (next, held, top): (Int64, [Block], Int) = (0, [], 0)
    var (refused, wraps, last) = (0, 0, 0)
    while next < 4_000_000 {
      let frames = 1 + Int(generator.next(below: 2_000))
      let isWritten = pair.write(format, first: next, frames: frames)
      if isWritten {
        next += Int64(frames)
        let record = try RingRecord(pair.memory.record(pair.writer.recordCount - 1), after: 0)
        let place = try #require(record.samples).place
        if place.lowerBound < last { wraps += 1 }
        (last, top) = (place.lowerBound, max(top, place.upperBound))
      } else {
        refused += 1
      }
      held += pair.blocks()
      // Some, from time to time when there is room, and always when there is none.
      guard !isWritten || generator.next(below: 40) == 0 else { continue }
      for _ in 0..<min(held.count, 1 + Int(generator.next(below: 60))) {
        let block = held.removeFirst()
        #expect(Self.isEqual(block))
        pair.reader.use(Self.passage, before: block.end)
      }
    }
    #expect(held.allSatisfy(Self.isEqual))
    #expect(refused > 10)
    #expect(wraps > 30)
    #expect(top <= 256 << 10)
    #expect(pair.reader.fault == nil)
  }

  @Test("Memory is free when every block before it is released, in any order")
  func order() throws {
    let format = try #require(Self.stereo)
    let pair = try Pair()
    for index in 0..<4 { #expect(pair.write(format, first: Int64(index) * 100, frames: 100)) }
    var blocks: [Block?] = pair.blocks()
    var released: [UInt64] = []
    for index in [2, 0, 3, 1] {
      blocks[index] = nil
      released.append(pair.memory.load(.released))
    }
    #expect(released == [0, 1, 1, 4])
    #expect(pair.memory.load(.used) == 0)
    pair.reader.use(Self.passage, before: 250)
    #expect(pair.memory.load(.used) == 2)
  }

  @Test("A part of a block keeps its memory")
  func parts() throws {
    let format = try #require(Self.stereo)
    let pair = try Pair()
    #expect(pair.write(format, first: 0, frames: 100))
    var block = pair.blocks().first
    #expect(block?.bytes(10..<20)[...] == Self.bytes(format, first: 0, frames: 100).dropFirst(40).prefix(40))
    #expect(block?.bytes(90..<1 << 60).count == 40)
    let copy = block
    block = nil
    #expect(pair.memory.load(.released) == 0)
    withExtendedLifetime(copy) {}
  }

  // MARK: Passages

  @Test("A passage of a later seek makes the earlier ones obsolete")
  func obsolete() throws {
    let format = try #require(Self.stereo)
    let pair = try Pair()
    var next = Self.passage
    next.seek = 1
    for index in 0..<3 { #expect(pair.write(format, first: Int64(index) * 100, frames: 100)) }
    var held = pair.blocks()
    #expect(pair.write(format, first: 300, frames: 100))
    #expect(pair.writer.finish(Self.passage))
    let wakes = pair.readerWakes.count
    _ = pair.reader.take()
    #expect(pair.write(format, first: 400, frames: 100))
    _ = pair.reader.oldest
    pair.writer.begin(next)
    #expect(pair.readerWakes.count == wakes + 1)
    #expect(pair.reader.oldest == 1)
    // Late samples are ignored.
    #expect(pair.write(format, first: 500, frames: 100))
    #expect(pair.writer.finish(Self.passage))
    #expect(pair.writer.unused == .init())
    #expect(pair.write(format, first: 0, frames: 100, of: next))
    #expect(pair.writer.unused == .init(frames: 100, bytes: 400))
    #expect(pair.blocks().map(\.passage) == [next])
    // All of the first passage, although the blocks are held.
    #expect(pair.memory.load(.used) == 6)
    #expect(pair.writer.takeUsed().isEmpty)
    #expect(pair.memory.load(.released) == 0)
    held = []
    #expect(pair.memory.load(.released) == 7)
    pair.writer.begin(Self.passage)
    #expect(pair.reader.oldest == 1)
    #expect(held.isEmpty && pair.reader.fault == nil)
  }

  @Test("The owner of a writer learns which samples are used, and is woken at the records that it names")
  func use() throws {
    let format = try #require(PCMFormat(.int16, rate: 1_000, channels: 1))
    let pair = try Pair()
    var next = Self.passage
    next.seek = 1
    for index in 0..<10 { #expect(pair.write(format, first: Int64(index) * 100, frames: 100)) }
    #expect(pair.writer.finish(Self.passage))
    #expect(pair.write(format, first: 50, frames: 100, of: next))
    let blocks = pair.blocks()
    #expect(blocks.count == 11)
    #expect(pair.writer.recordCount == 12)
    #expect(pair.writer.wakeWriter(atRecord: 12))
    #expect(pair.writer.wakeWriter(atRecord: 3))
    pair.reader.use(Self.passage, before: 299)
    #expect(pair.writerWakes.count == 0)
    pair.reader.use(Self.passage, before: 300)
    #expect(pair.writerWakes.count == 1)
    pair.reader.use(Self.passage, before: 350)
    var used = pair.writer.takeUsed()
    #expect(used.map(\.passage) == [Self.passage] && used.map(\.frame) == [300])
    #expect(pair.writer.takeUsed().isEmpty)
    #expect(!pair.writer.wakeWriter(atRecord: 3))
    // The end is used with the last samples.
    pair.reader.use(Self.passage, before: 1_000)
    #expect(pair.memory.load(.used) == 11)
    #expect(pair.writerWakes.count == 1)
    pair.reader.use(next, before: 150)
    #expect(pair.writerWakes.count == 2)
    used = pair.writer.takeUsed()
    #expect(used.map(\.passage) == [Self.passage, next] && used.map(\.frame) == [1_000, 150])
    #expect(!pair.writer.wakeWriter(atRecord: 12))
    withExtendedLifetime(blocks) {}
  }

  @Test("The owner of a writer is woken when few enough samples are unused")
  func unused() throws {
    let format = try #require(PCMFormat(.int16, rate: 1_000, channels: 1))
    let pair = try Pair()
    for index in 0..<20 { #expect(pair.write(format, first: Int64(index) * 200, frames: 200)) }
    #expect(pair.writer.unused == .init(frames: 4_000, bytes: 8_000))
    let blocks = pair.blocks()
    #expect(!pair.writer.wakeWriter(atUnusedFrames: 4_000))
    #expect(pair.writer.wakeWriter(atUnusedFrames: 2_000))
    pair.reader.use(Self.passage, before: 1_999)
    #expect(pair.writerWakes.count == 0)
    pair.reader.use(Self.passage, before: 2_000)
    #expect(pair.writerWakes.count == 1)
    #expect(!pair.writer.wakeWriter(atUnusedFrames: 2_000))
    #expect(pair.writer.unused == .init(frames: 2_000, bytes: 4_000))
    withExtendedLifetime(blocks) {}
  }

  // MARK: Wake-ups

  @Test("Samples wake the reader until it has 1.5 s of unused ones; ends and other formats always do")
  func reserve() throws {
    let format = try #require(PCMFormat(.int16, rate: 1_000, channels: 1))
    let other = try #require(PCMFormat(.int32, rate: 1_000, channels: 1))
    let pair = try Pair()
    func wakes(_ body: () -> Bool) -> Int {
      let before = pair.readerWakes.count
      #expect(body())
      return pair.readerWakes.count - before
    }
    var held: [Block] = []
    #expect(wakes { pair.write(format, first: 0, frames: 1_000) } == 1)
    // The reader knows already.
    #expect(wakes { pair.write(format, first: 1_000, frames: 1_000) } == 0)
    held += pair.blocks()
    #expect(wakes { pair.write(format, first: 2_000, frames: 1_000) } == 0)
    #expect(wakes { pair.write(format, first: 3_000, frames: 1_000) } == 0)
    pair.reader.use(Self.passage, before: 2_000)
    // The reader has not taken the others.
    #expect(wakes { pair.write(format, first: 4_000, frames: 1_000) } == 1)
    held += pair.blocks()
    #expect(wakes { pair.write(format, first: 5_000, frames: 1_000) } == 0)
    #expect(wakes { pair.write(other, first: 6_000, frames: 1_000) } == 1)
    held += pair.blocks()
    #expect(wakes { pair.writer.finish(Self.passage) } == 1)
    held += pair.blocks()
    var next = Self.passage
    next.seek = 1
    #expect(wakes { pair.write(format, first: 0, frames: 1_000, of: next) } == 1)
    #expect(held.count == 7)
  }

  @Test("A full table and a full arena refuse samples, and the reader wakes the writer when it releases some")
  func full() throws {
    let format = try #require(PCMFormat(.int16, rate: 1_000, channels: 1))
    let pair = try Pair()
    for index in 0..<4_096 { #expect(pair.write(format, first: Int64(index), frames: 1)) }
    #expect(!pair.write(format, first: 4_096, frames: 1))
    #expect(!pair.writer.finish(Self.passage))
    var blocks = pair.blocks()
    #expect(blocks.count == 4_096)
    #expect(pair.writerWakes.count == 0)
    blocks.removeFirst()
    #expect(pair.writerWakes.count == 1)
    // The list of unused records is bounded, too.
    #expect(!pair.writer.finish(Self.passage))
    pair.reader.use(Self.passage, before: 1)
    #expect(pair.writerWakes.count == 2)
    #expect(pair.writer.finish(Self.passage))
    let large = try #require(PCMFormat(.float64, rate: 1_536_000, channels: 64))
    let second = try Pair()
    for index in 0..<512 { #expect(second.write(large, first: Int64(index) * 128, frames: 128)) }
    #expect(!second.write(large, first: 512 * 128, frames: 128))
    #expect(second.writer.finish(Self.passage))
    #expect(second.blocks().allSatisfy(Self.isEqual))
    #expect(second.write(large, first: 512 * 128, frames: 128))
  }

  enum Pace {
    /// The reader holds the taken records until the ring is full.
    case oftenFull
    /// The ring has room for four records.
    case fourRecords
    /// The writer waits until a few records are used, and the reader takes them once for each wake-up.
    case fewAtOnce
  }

  @Test(
    "Records pass between two threads, and no wake-up is lost", .seeded,
    arguments: [Pace.oftenFull, .fourRecords, .fewAtOnce])
  func hammer(pace: Pace) throws {
    let isHeld = pace == .oftenFull
    let count: Int64 = isHeld ? 200_000 : 100_000
    let size = pace == .fourRecords ? 16_000 : 8
    let format = try #require(PCMFormat(.int16, rate: 1_000, channels: 2))
    let descriptor = try #require(RingMemory.makeShared())
    let (mine, theirs) = (RingMemory(descriptor: descriptor), RingMemory(descriptor: descriptor))
    close(descriptor)
    let (written, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writer = RingWriter(try #require(theirs), stream: Self.stream, limit: .zero) { written.signal() }
    let reader = RingReader(try #require(mine), stream: Self.stream) { released.signal() }
    let seed = SeededGenerator()
    let finished = DispatchSemaphore(value: 0)
    let refused = Atomic(0)
    let isAbandoned = Atomic(false)
    DispatchQueue(label: "writer").async {
      defer { finished.signal() }
      var generator = seed
      var first: Int64 = 0
      func wait() { if released.wait(timeout: .now() + 20) != .success { isAbandoned.store(true, ordering: .relaxed) } }
      for number in 0..<count where !isAbandoned.load(ordering: .relaxed) {
        let frames = isHeld ? 1 + Int(generator.next(below: 250)) : size
        let bytes = Self.bytes(format, first: first, frames: frames)
        while !writer.write(Passage(Self.stream, seek: Int(number / 1_000)), format, first: first, bytes: bytes) {
          refused.add(1, ordering: .relaxed)
          wait()
          if isAbandoned.load(ordering: .relaxed) { return }
        }
        first += Int64(frames)
        guard pace == .fewAtOnce, generator.next(below: 3) == 0 else { continue }
        // Every second time without a pause, so that the next record is written while the reader checks for it.
        let isBusy = number.isMultiple(of: 2)
        while isBusy ? writer.unused.frames > 0 : writer.wakeWriter(atRecord: writer.recordCount) {
          if !isBusy { wait() }
          if isAbandoned.load(ordering: .relaxed) { return }
        }
      }
      while !writer.finish(Passage(Self.stream, seek: Int(count / 1_000))), !isAbandoned.load(ordering: .relaxed) {
        wait()
      }
    }
    var (next, records, wrong, hasEnded): (Int64, Int64, Int, Bool) = (0, 0, 0, false)
    var held: [Block] = []
    func waitForRecords() {
      if written.wait(timeout: .now() + 20) != .success { isAbandoned.store(true, ordering: .relaxed) }  // watchdog
    }
    while !hasEnded, !isAbandoned.load(ordering: .relaxed) {
      if pace == .fewAtOnce { waitForRecords() }
      let entries = reader.take()
      if entries.isEmpty {
        while !held.isEmpty {
          let block = held.removeFirst()
          if !Self.isEqual(block) { wrong += 1 }
          reader.use(block.passage, before: block.end)
        }
        if pace != .fewAtOnce { waitForRecords() }
      }
      for entry in entries {
        guard case .block(let block) = entry else {
          hasEnded = true
          continue
        }
        if block.first != next || block.passage.seek != Int(records / 1_000) { wrong += 1 }
        (next, records) = (block.end, records + 1)
        guard !isHeld else {
          held.append(block)
          continue
        }
        let bytes = Self.bytes(format, first: block.first, frames: size).prefix(4)
        if block.bytes(block.first..<block.first + 1)[...] != bytes { wrong += 1 }
        reader.use(block.passage, before: block.end)
      }
    }
    finished.wait()
    let isLost = isAbandoned.load(ordering: .relaxed)
    #expect(!isLost, "a wake-up was lost, or the reader refused a record")
    #expect(held.allSatisfy(Self.isEqual))
    #expect(records == count)
    #expect(wrong == 0)
    let refusals = refused.load(ordering: .relaxed)
    #expect(refusals > 100 || pace == .fewAtOnce)
    #expect(reader.fault == nil)
  }

  @Test("A signal is there until it is taken back, and never waits, whatever the other process does to its end")
  func signals() throws {
    let (reading, writing) = try #require(RingSignal.makeEnds())
    #expect(!reading.drain())
    writing.signal()
    writing.signal()
    #expect(reading.drain())
    #expect(!reading.drain())
    // The mode of the other end.
    _ = fcntl(writing.descriptor, F_SETFL, 0)
    #expect(!reading.drain())
    _ = fcntl(writing.descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(reading.descriptor, F_SETFL, 0)
    // More than a pipe holds.
    for _ in 0..<200_000 { writing.signal() }
    #expect(reading.drain())
  }

  @Test("A descriptor that is not the end of a pipe, or that blocks, is refused as a signal")
  func wrongSignals() throws {
    let file = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(file) }
    #expect(RingSignal(descriptor: file) == nil)
    #expect(RingSignal(descriptor: -1) == nil)
    let (reading, _) = try #require(RingSignal.makeEnds())
    let waiting = dup(reading.descriptor)
    defer { close(waiting) }
    _ = fcntl(waiting, F_SETFL, 0)
    #expect(RingSignal(descriptor: waiting) == nil)
  }

  // MARK: Memory

  @Test("Memory whose size is wrong, or may change, is refused")
  func descriptors() throws {
    let shared = try #require(RingMemory.makeShared())
    defer { close(shared) }
    let (first, second) = (try #require(RingMemory(descriptor: shared)), try #require(RingMemory(descriptor: shared)))
    first.store(5, to: .written)
    #expect(second.load(.written) == 5)
    #expect(ftruncate(shared, 0) != 0)
    for size in [0, 1, RingMemory.size - 1, RingMemory.size - 4_096, RingMemory.size + 1, RingMemory.size * 2] {
      let other = unsafe clinux_create_sealed_memory("mpris-playerd-test", size)
      defer { close(other) }
      #expect(RingMemory(descriptor: other) == nil)
    }
    // A seal is missing.
    for seals in [0, 2, 4, 2 | 4, 1 | 2, 1 | 4] {
      let other = unsafe clinux_create_sealable_memory("mpris-playerd-test")
      defer { close(other) }
      #expect(ftruncate(other, off_t(RingMemory.size)) == 0)
      #expect(fcntl(other, CInt(CLINUX_ADD_SEALS), CInt(seals)) == 0)
      #expect(RingMemory(descriptor: other) == nil)
    }
    let unsealed = unsafe clinux_create_memory("mpris-playerd-test")
    defer { close(unsealed) }
    #expect(ftruncate(unsealed, off_t(RingMemory.size)) == 0)
    let (event, _) = try #require(RingSignal.makeEnds())
    for other in [unsealed, event.descriptor, STDERR_FILENO, -1, 9_999] {
      #expect(RingMemory(descriptor: other) == nil)
    }
  }

  @Test("An hour of music touches less than 2 MiB, and wakes each side seldom")
  func hour() throws {
    let format = try #require(Self.stereo)
    let pair = try Pair()
    let limit = format.frame(at: .seconds(4))
    var (next, position, taken): (Int64, Int64, Int) = (0, 0, 0)
    var held: [Block] = []
    var isWaiting = false
    var wakes = 0
    while position < Int64(format.rate) * 3_600 {
      if pair.writerWakes.count > wakes || !isWaiting {
        wakes = pair.writerWakes.count
        isWaiting = false
        // As the streaming thread: until more than the limit is unused.
        while !isWaiting {
          #expect(pair.write(format, first: next, frames: 4_096))
          next += 4_096
          if pair.writer.unused.frames > limit { isWaiting = pair.writer.wakeWriter(atUnusedFrames: limit / 2) }
        }
      }
      // As the output: half a second at once, which is also when it takes samples.
      position += Int64(format.rate) / 2
      pair.reader.use(Self.passage, before: position)
      let blocks = pair.blocks()
      taken += blocks.count
      held += blocks
      held.removeAll { $0.end <= position }
    }
    #expect(taken > 38_000)
    var pages = [UInt8](repeating: 0, count: RingMemory.size / 4_096)
    #expect(unsafe mincore(pair.memory.base, RingMemory.size, &pages) == 0)
    let touched = pages.count { $0 & 1 != 0 } * 4_096
    #expect(touched < 2 << 20)
    #expect(pair.readerWakes.count < 10)
    #expect(pair.writerWakes.count < 1_900)
    #expect(pair.reader.fault == nil)
  }

  @Test("A new reader continues with the first record that is not free")
  func replacement() throws {
    let format = try #require(Self.stereo)
    let pair = try Pair()
    for index in 0..<6 { #expect(pair.write(format, first: Int64(index) * 100, frames: 100)) }
    var held = pair.blocks()
    pair.reader.use(Self.passage, before: 400)
    held.removeFirst(2)
    #expect(pair.writer.takeUsed().map(\.frame) == [400])
    #expect(pair.writer.wakeWriter(atRecord: 6))
    let wakes = EventLog<Void>()
    let reader = RingReader(pair.memory, stream: Self.stream) { wakes.append(()) }
    #expect(wakes.count == 1)
    let blocks = Self.blocks(reader.take())
    #expect(blocks.map(\.first) == [200, 300, 400, 500])
    #expect(blocks.allSatisfy(Self.isEqual))
    // The writer's owner does not get the same report twice.
    #expect(pair.writer.takeUsed().isEmpty)
    for index in 6..<4_098 { #expect(pair.write(format, first: Int64(index), frames: 1)) }
    #expect(!pair.writer.finish(Self.passage))
    reader.use(Self.passage, before: 600)
    #expect(wakes.count == 2)
    #expect(pair.writer.takeUsed().map(\.frame) == [600])
    #expect(reader.take().count == 4_092)
    #expect(reader.fault == nil)
    withExtendedLifetime((held, blocks)) {}
  }

  // MARK: Hostile writers

  /// A change of a valid record, and the start of the reason why the reader refuses it.
  struct Corruption: CustomTestStringConvertible, Sendable {
    var word: Int
    var value: UInt64
    var reason: String
    init(_ word: Int, _ value: UInt64, _ reason: String) {
      (self.word, self.value, self.reason) = (word, value, reason)
    }
    var testDescription: String { "word \(word): \(value)" }
  }

  private static let valid = RingRecord.Words(1 | 1 << 8, 3, 44_100 | 2 << 32, 0, 100, 50, 4_096, 200)

  @Test(
    "A record that no writer of ours would write is refused, with all that follow",
    arguments: [
      Corruption(0, 0, "kind"), Corruption(0, 3, "kind"), Corruption(0, 0xFF, "kind"), Corruption(0, .max, "kind"),
      Corruption(0, 1, "format"), Corruption(0, 1 | 6 << 8, "format"), Corruption(0, 1 | 0xFF << 8, "format"),
      Corruption(0, 1 | 1 << 8 | 2 << 16, "flags"), Corruption(0, 1 | 1 << 8 | 1 << 24, "flags"),
      Corruption(0, 1 | 1 << 8 | 1 << 63, "flags"), Corruption(0, 1 | 2 << 8, "length"),
      Corruption(1, 2, "seek"), Corruption(1, 0, "seek"), Corruption(1, 1 << 31 + 1, "seek"),
      Corruption(1, 1 << 63, "seek"), Corruption(1, .max, "seek"),
      Corruption(2, 0 | 2 << 32, "format"), Corruption(2, 1_536_001 | 2 << 32, "format"),
      Corruption(2, 0xFFFF_FFFF | 2 << 32, "format"), Corruption(2, 44_100, "format"),
      Corruption(2, 44_100 | 65 << 32, "format"), Corruption(2, 44_100 | 0xFFFF_FFFF << 32, "format"),
      Corruption(2, 44_100 | 1 << 32, "length"), Corruption(2, 44_100 | 3 << 32, "length"),
      Corruption(2, .max, "format"),
      Corruption(4, 1 << 52 + 1, "first"), Corruption(4, 1 << 63, "first"), Corruption(4, 1 << 63 - 1, "first"),
      Corruption(4, 1 << 63 + 1, "first"), Corruption(4, UInt64(bitPattern: -1 << 52 - 1), "first"),
      Corruption(5, 0, "frames"), Corruption(5, 49, "length"), Corruption(5, 51, "length"),
      Corruption(5, 1 << 62 + 50, "length"), Corruption(5, 1 << 63 - 1, "length"), Corruption(5, 1 << 63, "frames"),
      Corruption(5, .max, "frames"),
      Corruption(6, UInt64(RingMemory.arenaSize - 199), "offset"),
      Corruption(6, UInt64(RingMemory.arenaSize), "offset"),
      Corruption(6, 1 << 40, "offset"), Corruption(6, 1 << 63 - 1, "offset"), Corruption(6, 1 << 63 - 200, "offset"),
      Corruption(6, 1 << 63, "offset"), Corruption(6, .max - 199, "offset"), Corruption(6, .max, "offset"),
      Corruption(7, 0, "length"), Corruption(7, 199, "length"), Corruption(7, 201, "length"),
      Corruption(7, 1 << 40, "length"), Corruption(7, 1 << 63 - 1, "length"), Corruption(7, 1 << 63, "offset"),
      Corruption(7, .max, "offset"), Corruption(7, .max - 4_095, "offset"),
    ])
  func corruption(_ corruption: Corruption) throws {
    let memory = try #require(RingMemory())
    let reader = RingReader(memory, stream: Self.stream) {}
    memory.store(Self.valid, to: 0)
    memory.store(1, to: .written)
    #expect(Self.blocks(reader.take()).map(\.frames) == [50])
    var words = Self.valid
    words[corruption.word] = corruption.value
    memory.store(Self.valid, to: 1)
    memory.store(words, to: 2)
    memory.store(3, to: .written)
    #expect(reader.take().isEmpty)
    #expect(reader.fault?.hasPrefix(corruption.reason) == true, "\(reader.fault ?? "accepted")")
    // It stays so.
    memory.store(Self.valid, to: 2)
    memory.store(4, to: .written)
    memory.store(4, to: .oldest)
    #expect(reader.take().isEmpty)
    #expect(reader.oldest == 0)
    reader.use(Passage(Self.stream, seek: 3), before: .max)
  }

  @Test("The greatest values that a writer of ours writes are accepted")
  func greatest() throws {
    let memory = try #require(RingMemory())
    let reader = RingReader(memory, stream: Self.stream) {}
    var words = Self.valid
    words[6] = UInt64(RingMemory.arenaSize - 200)
    memory.store(words, to: 0)
    (words[1], words[4]) = (1 << 31, 1 << 52)
    memory.store(words, to: 1)
    (words[2], words[4]) = (1_536_000 | 64 << 32, UInt64(bitPattern: -1 << 52))
    (words[5], words[7]) = (512, 65_536)
    words[6] = UInt64(RingMemory.arenaSize - 65_536)
    memory.store(words, to: 2)
    memory.store(RingRecord.Words(2, 1 << 31, .max, .max, .max, .max, .max, .max), to: 3)
    memory.store(4, to: .written)
    let entries = reader.take()
    #expect(entries.count == 4)
    #expect(Self.blocks(entries).map(\.bytes.count) == [200, 200, 65_536])
    #expect(reader.fault == nil)
  }

  @Test(
    "A count of records that is too large, or decreases, is refused",
    arguments: [4_098, 1 << 40, 1 << 63, .max, 0] as [UInt64])
  func counts(count: UInt64) throws {
    let memory = try #require(RingMemory())
    let reader = RingReader(memory, stream: Self.stream) {}
    for number in 0..<RingMemory.recordLimit { memory.store(Self.valid, to: number) }
    memory.store(1, to: .written)
    #expect(reader.take().count == 1)
    // The record is released and not used.
    memory.store(count, to: .written)
    #expect(reader.take().isEmpty)
    #expect(reader.fault?.contains("records") == true)
  }

  @Test(
    "A reader that begins with any number of free records refuses records that do not follow it",
    arguments: [(0, 0), (.max, .max), (.max, 0), (1, 0), (0, 4_097), (5, .max), (.max - 5, .max)] as [(UInt64, UInt64)])
  func starts(released: UInt64, written: UInt64) throws {
    let memory = try #require(RingMemory())
    memory.store(released, to: .released)
    memory.store(written, to: .written)
    let reader = RingReader(memory, stream: Self.stream) {}
    #expect(reader.take().isEmpty)
    #expect((reader.fault == nil) == (released == written))
    // The counts never wrap around.
    memory.store(0, to: .written)
    #expect(reader.take().isEmpty)
  }

  @Test("The number of obsolete passages never decreases, and is limited")
  func obsoleteNumbers() throws {
    let memory = try #require(RingMemory())
    let reader = RingReader(memory, stream: Self.stream) {}
    memory.store(5, to: .oldest)
    #expect(reader.oldest == 5)
    memory.store(4, to: .oldest)
    #expect(reader.oldest == 5)
    memory.store(.max, to: .oldest)
    #expect(reader.oldest == 1 << 31)
  }

  @Test("20,000 corruptions of the memory do not end the process or give samples outside of the arena")
  func fuzz() throws {
    var generator = SeededGenerator(seed: 11)
    let memory = try #require(RingMemory())
    var reader = RingReader(memory, stream: Self.stream) {}
    var (number, held): (UInt64, [Block]) = (0, [])
    var (faults, blocks, wrong) = (0, 0, 0)
    let limits: [UInt64] = [
      0, 1, 2, 64, 65, 255, 4_095, 4_096, 4_097, 65_536, UInt64(RingMemory.arenaSize), 1 << 31, 1 << 32, 1 << 40,
      1 << 52,
      1 << 62, 1 << 63, .max,
    ]
    func value(_ old: UInt64) -> UInt64 {
      switch generator.next(below: 5) {
      case 0: generator.next()
      case 1: old ^ 1 << generator.next(below: 64)
      case 2: old &+ generator.next(below: 9) &- 4
      default: limits[Int(generator.next(below: UInt64(limits.count)))] &+ generator.next(below: 5) &- 2
      }
    }
    for _ in 0..<20_000 {
      if reader.fault != nil || generator.next(below: 50) == 0 {
        faults += reader.fault == nil ? 0 : 1
        held = []
        for word in RingMemory.Word.allCases { memory.store(0, to: word) }
        number = generator.next(below: 4) == 0 ? value(0) : 0
        for word in [RingMemory.Word.written, .released] { memory.store(number, to: word) }
        reader = RingReader(memory, stream: Self.stream) {}
      }
      for _ in 0..<1 + generator.next(below: 4) {
        let format = PCMFormat.Encoding.allCases.randomElement(using: &generator).flatMap {
          PCMFormat($0, rate: 44_100, channels: 1 + Int(generator.next(below: 64)))
        }
        let piece = try #require(format)
        let length = (1 + Int(generator.next(below: 128))) * piece.bytesPerFrame
        let offset = Int(generator.next(below: UInt64(RingMemory.arenaSize - length)))
        var words = RingRecord(
          seek: 3,
          .init(
            format: piece, first: 100, frames: Int64(length / piece.bytesPerFrame), place: offset..<offset + length)
        ).words
        if generator.next(below: 8) == 0 {
          let word = Int(generator.next(below: 8))
          words[word] = value(words[word])
        }
        memory.store(words, to: number)
        number &+= 1
      }
      memory.store(number, to: .written)
      if generator.next(below: 8) == 0 {
        let word = try #require(RingMemory.Word.allCases.randomElement(using: &generator))
        memory.store(value(memory.load(word)), to: word)
      }
      for block in Self.blocks(reader.take()) {
        blocks += 1
        // A range that ends outside of the arena has fewer bytes.
        let size = block.bytes.count
        if size == 0 || size > 65_536 || size != Int(block.frames) * block.format.bytesPerFrame { wrong += 1 }
        if generator.next(below: 2) == 0 { held.append(block) }
      }
      if generator.next(below: 2) == 0 { held.removeFirst(min(held.count, 3)) }
      reader.use(Passage(Self.stream, seek: 3), before: Int64(truncatingIfNeeded: value(200)))
      _ = reader.oldest
    }
    #expect(wrong == 0)
    #expect(faults > 2_000)
    #expect(blocks > 5_000)
  }
}
