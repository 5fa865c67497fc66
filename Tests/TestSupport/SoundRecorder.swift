/// A recording of what a sound server's output plays: 16-bit stereo at 44 100 Hz, by `parec` from the monitor.
public final class SoundRecorder: Sendable {
  /// Whether the programs are installed; for `.enabled(if:_:)`.
  public static var isAvailable: Bool { Tool.areAvailable("parec", "od", "stdbuf") }

  /// `parec` writes bytes; the lines of numbers are `od`'s.
  private let child: ChildProcess

  fileprivate init(_ child: ChildProcess) { self.child = child }

  /// Returns when this much more has been recorded.
  public func record(seconds: Double) async throws {
    let framesPerLine = 1024.0
    let lines = Int((seconds * Double(Waveform.sampleRate) / framesPerLine).rounded(.up))
    try await child.lines.first("a recording of \(seconds) s", from: child.lines.count + lines, within: 60) { _ in true
    }
  }

  /// Whether the last samples recorded are not all zero.
  public var isSounding: Bool {
    let last = child.lines.elements.last { $0.stream == .output }
    return last?.text.utf8.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 } ?? false
  }

  /// The left channel from the first sample that is not zero to the last one before a tenth of a second of zeros.
  public func sound(within seconds: Double = 20) async throws -> [Int16] {
    let lines = child.text(on: .output)
    return try await deadline(seconds, "sound and silence are recorded") {
      var sound: [Int16] = []
      var silence = 0
      for await line in lines {
        let numbers = line.split(separator: " ").compactMap { Int16($0) }
        for place in stride(from: 0, to: numbers.count, by: 2) {
          silence = numbers[place] == 0 ? silence + 1 : 0
          if !sound.isEmpty || silence == 0 { sound.append(numbers[place]) }
        }
        if sound.isEmpty { silence = 0 }
        if silence >= Waveform.sampleRate / 10 { break }
      }
      return Array(sound.dropLast(silence))
    }
  }
}

/// Runs `body` while what the output `sink` plays is recorded; the recording has begun when `body` does.
@discardableResult
public func withSoundRecorder<T>(
  of sink: String, environment: [String: String], _ body: (SoundRecorder) async throws -> T
) async throws -> T {
  let record = """
    parec --device=\(sink).monitor --format=s16le --rate=44100 --channels=2 --latency-msec=100 |
    stdbuf -oL od -An -v -td2 -w4096
    """
  return try await withChildProcess(["sh", "-c", record], environment: environment) { child in
    // The first silence.
    try await child.waitForLine(containing: " 0 ", on: .output, within: 20)
    return try await body(SoundRecorder(child))
  }
}
