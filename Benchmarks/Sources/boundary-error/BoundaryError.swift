import Glibc
import GstPlayer
import Synchronization

/// The delay of boundary observers, compared with the time that the player computed, and with its output.
///
/// `boundary-error URI`: plays four seconds of a file twice, first with one boundary pending at a time, then with a
/// thousand. Prints lines `key value`, milliseconds.
@main
struct BoundaryError {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else { exit(64) }
    let item = Player.Item(uri: CommandLine.arguments[1])
    report("one", try await measure(item, oneByOne(count: 80, spacing: .milliseconds(50))))
    report("thousand", try await measure(item, allAtOnce(count: 1000, spacing: .milliseconds(4))))
  }

  /// A call of an observer, and its time.
  struct Call: Sendable {
    var crossing: Player.BoundaryCrossing
    var instant: Int64
  }

  /// Adds observers to a player; each call is passed to the closure, with a flag for the last one.
  typealias Observe =
    @Sendable (Player, @escaping @Sendable (Player.BoundaryCrossing, _ isLast: Bool) -> Void) throws -> Void

  private static func allAtOnce(count: Int, spacing: Duration) -> Observe {
    { player, tell in
      let last = spacing * count
      let observation = try player.addBoundaryTimeObserver(forTimes: (1...count).map { spacing * $0 }) {
        tell($0, $0.boundary == last)
      }
      held.withLock { $0 = observation }
    }
  }

  /// Adds each boundary in the call of the one before.
  private static func oneByOne(count: Int, spacing: Duration) -> Observe {
    { player, tell in try addOne(1, of: count, spacing, to: player, tell) }
  }

  private static func addOne(
    _ number: Int, of count: Int, _ spacing: Duration, to player: Player,
    _ tell: @escaping @Sendable (Player.BoundaryCrossing, Bool) -> Void
  ) throws {
    let observation = try player.addBoundaryTimeObserver(forTimes: [spacing * number]) { crossing in
      tell(crossing, number == count)
      if number < count { try? addOne(number + 1, of: count, spacing, to: player, tell) }
    }
    held.withLock { $0 = observation }
  }

  private static let held = Mutex<Player.Observer?>(nil)

  /// Plays until the last call and compares each call with the output.
  private static func measure(_ item: Player.Item, _ observe: Observe) async throws -> [Error] {
    let output = try Output()
    let player = Player(configuration: Player.Configuration(audioSink: output.sink))
    let calls = Mutex<[Call]>([])
    let (finished, finish) = AsyncStream.makeStream(of: Void.self)
    try observe(player) { crossing, isLast in
      let call = Call(crossing: crossing, instant: now())
      calls.withLock { $0.append(call) }
      if isLast { finish.finish() }
    }
    player.replaceQueue(with: [item])
    player.play()
    for await _ in finished {}
    await player.close()
    held.withLock { $0 = nil }
    let chunks = output.chunks
    return calls.withLock { $0 }.compactMap { call in
      output.instant(of: call.crossing.boundary, in: chunks).map {
        Error(computed: call.instant - call.crossing.monotonicNanoseconds, heard: call.instant - $0)
      }
    }
  }

  /// The delay of a call, in nanoseconds.
  struct Error {
    var computed: Int64
    var heard: Int64
  }

  private static func report(_ key: String, _ errors: [Error]) {
    print("\(key).count \(errors.count)")
    for (name, values) in [("computed", errors.map(\.computed)), ("heard", errors.map(\.heard))] {
      let sorted = values.map { abs(Double($0) / 1e6) }.sorted()
      guard let greatest = sorted.last else { continue }
      print("\(key).\(name).p50 \(sorted[sorted.count / 2])")
      print("\(key).\(name).p99 \(sorted[sorted.count * 99 / 100])")
      print("\(key).\(name).max \(greatest)")
      print("\(key).\(name).mean \(Double(values.reduce(0, +)) / Double(values.count) / 1e6)")
    }
  }

  static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// An output through a pipe that takes each buffer at the time at which its first sample is due.
final class Output: Sendable {
  /// Samples that arrived together: the position of the first one in the media, and the time of arrival.
  struct Chunk: Sendable {
    var position: Int64
    var length: Int64
    var instant: Int64
  }

  struct NoPipe: Swift.Error {}

  private static let bytesPerSecond: Int64 = 44_100 * 4
  private let writeEnd: Int32
  private let taken = Mutex<[Chunk]>([])

  init() throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw NoPipe() }
    writeEnd = ends[1]
    let reader = unsafe Unmanaged.passRetained(Reader(descriptor: ends[0], output: self)).toOpaque()
    var thread = pthread_t()
    guard unsafe pthread_create(&thread, nil, read, reader) == 0 else { throw NoPipe() }
    pthread_detach(thread)
  }

  var sink: String {
    "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=44100,channels=2,layout=interleaved"
      + " ! fdsink fd=\(writeEnd) sync=true"
  }

  var chunks: [Chunk] { taken.withLock { $0 } }

  func take(_ count: Int, at instant: Int64) {
    taken.withLock { taken in
      let bytes = taken.last.map { $0.position + $0.length } ?? 0
      taken.append(Chunk(position: bytes, length: Int64(count), instant: instant))
    }
  }

  /// Returns the time at which the sample at a position was due, according to the output.
  func instant(of position: Duration, in chunks: [Chunk]) -> Int64? {
    let (seconds, attoseconds) = position.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let byte = Int64(Double(nanoseconds) / 1e9 * Double(Self.bytesPerSecond))
    guard let chunk = chunks.last(where: { $0.position <= byte }), byte < chunk.position + chunk.length else {
      return nil
    }
    return chunk.instant + Int64(Double(byte - chunk.position) / Double(Self.bytesPerSecond) * 1e9)
  }
}

/// The parameters of the reading thread.
private final class Reader: Sendable {
  let descriptor: Int32
  let output: Output
  init(descriptor: Int32, output: Output) {
    self.descriptor = descriptor
    self.output = output
  }
}

/// Reads until the process ends.
private func read(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context else { return nil }
  let reader = unsafe Unmanaged<Reader>.fromOpaque(context).takeRetainedValue()
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  while true {
    let count = unsafe Glibc.read(reader.descriptor, buffer.baseAddress, buffer.count)
    let instant = BoundaryError.now()
    guard count > 0 else { return nil }
    reader.output.take(count, at: instant)
  }
}
