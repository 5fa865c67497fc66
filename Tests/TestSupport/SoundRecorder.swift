/// A stereo recording of a sound server's output by `parec` from the monitor, by default of 16 bits at 44 100 Hz.
public final class SoundRecorder: Sendable {
  /// Whether the programs are installed; for `.enabled(if:_:)`.
  public static var isAvailable: Bool { Tool.areAvailable("parec", "od", "stdbuf") }

  /// The pipeline of `parec`, which writes bytes, and `od`, which prints them as lines of numbers.
  private let child: ChildProcess

  fileprivate init(_ child: ChildProcess) { self.child = child }

  /// Returns when `seconds` more have been recorded.
  public func record(seconds: Double) async throws {
    let framesPerLine = 1024.0
    let lines = Int((seconds * Double(Waveform.sampleRate) / framesPerLine).rounded(.up))
    try await child.lines.first("a recording of \(seconds) s", from: child.lines.count + lines, within: 60) { _ in true
    }
  }

  /// Whether the last recorded samples are not all zero.
  public var isSounding: Bool {
    let last = child.lines.elements.last { $0.stream == .output }
    return last?.text.utf8.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 } ?? false
  }

  /// Returns the left channel from the first nonzero sample to the last one before 0.1 s of zeros.
  public func sound(within seconds: Double = 20) async throws -> [Int16] {
    try await samples(within: seconds).map { Int16(truncatingIfNeeded: $0) }
  }

  /// Returns the numbers of a line; the tests are not optimized, and `split` would occupy a processor.
  private static func numbers(in line: String) -> [Int32] {
    var numbers: [Int32] = []
    var number: Int32?
    var isNegative = false
    for byte in Array(line.utf8) {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = Int32(byte - UInt8(ascii: "0"))
        number = (number ?? 0) &* 10 &+ (isNegative ? -digit : digit)
      default:
        if let number { numbers.append(number) }
        (number, isNegative) = (nil, false)
      }
    }
    if let number { numbers.append(number) }
    return numbers
  }

  /// Returns the left channel from the first nonzero sample to the last one before so many zeros.
  ///
  /// Only zeros that are recorded after the call end the recording: on a busy machine, the silence between two items can be
  /// long.
  public func samples(
    until zeros: Int = Waveform.sampleRate / 10, within seconds: Double = 20
  ) async throws -> [Int32] {
    try await channels(until: zeros, within: seconds).left
  }

  /// Returns both channels, from the first frame that is not zero to the last one before so many zeros.
  public func channels(
    until zeros: Int = Waveform.sampleRate / 10, within seconds: Double = 20
  ) async throws -> (left: [Int32], right: [Int32]) {
    let lines = child.text(on: .output)
    let early = child.lines.elements.count { $0.stream == .output }
    return try await deadline(seconds, "sound and silence are recorded") {
      var remaining = early
      var (left, right): ([Int32], [Int32]) = ([], [])
      var silence = 0
      for await line in lines {
        let numbers = Self.numbers(in: line)
        for place in stride(from: 0, to: numbers.count - 1, by: 2) {
          silence = numbers[place] == 0 && numbers[place + 1] == 0 ? silence + 1 : 0
          guard !left.isEmpty || silence == 0 else { continue }
          left.append(numbers[place])
          right.append(numbers[place + 1])
        }
        if left.isEmpty { silence = 0 }
        remaining -= 1
        if remaining < 0, silence >= zeros { break }
      }
      return (Array(left.dropLast(silence)), Array(right.dropLast(silence)))
    }
  }
}

/// Runs `body` while the output `sink` is recorded; the recording starts before `body`.
///
/// A null sink renders so many milliseconds ahead. Of a stream that starts or resumes, at most as much is not recorded,
/// because silence has already been recorded in its place.
@discardableResult
public func withSoundRecorder<T>(
  of sink: String, environment: [String: String], rate: Int = Waveform.sampleRate, bits: Int = 16,
  milliseconds: Int = 100,
  _ body: (SoundRecorder) async throws -> T
) async throws -> T {
  let record = """
    parec --device=\(sink).monitor --format=s\(bits)le --rate=\(rate) --channels=2 --latency-msec=\(milliseconds) |
    stdbuf -oL od -An -v -td\(bits / 8) -w\(256 * bits)
    """
  return try await withChildProcess(["sh", "-c", record], environment: environment) { child in
    // Wait for the first silence.
    try await child.waitForLine(containing: " 0 ", on: .output, within: 20)
    return try await body(SoundRecorder(child))
  }
}
