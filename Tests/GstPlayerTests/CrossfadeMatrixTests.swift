import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Crossfades between six sample rates and three formats, from files and a server, at null sinks of PulseAudio and PipeWire.
///
/// `CROSSFADE_MATRIX=all TEST_WIDTH=1 scripts/test.sh --filter CrossfadeMatrixTests` prints the power and the length of each overlap;
/// `CROSSFADE_MATRIX=4` runs the case 4 of 0 to 17.
@Suite(
  "Crossfades of many formats", .enabled(if: variable != nil, "CROSSFADE_MATRIX is not set"), .serialized)
struct CrossfadeMatrixTests {
  private static let rates = [22_050, 44_100, 48_000, 88_200, 96_000, 192_000]
  private static let formats = ["flac", "mp3", "ogg"]
  /// One crossfade: from a format to the next one, and from a rate to the next one.
  struct Case: Sendable, CustomTestStringConvertible {
    let (index, isRemote, isPipeWire): (Int, Bool, Bool)

    var formats: (first: String, second: String) {
      (CrossfadeMatrixTests.formats[index % 3], CrossfadeMatrixTests.formats[(index + 1) % 3])
    }
    var rates: (first: Int, second: Int) {
      (CrossfadeMatrixTests.rates[index / 3], CrossfadeMatrixTests.rates[(index / 3 + 1) % 6])
    }
    var testDescription: String {
      "\(formats.first) \(rates.first) to \(formats.second) \(rates.second)\(isRemote ? ", remote" : "")"
        + (isPipeWire ? ", PipeWire" : "")
    }
  }

  /// A number in `CROSSFADE_MATRIX` selects one case; otherwise, all are run.
  private static let indices = variable.flatMap { Int($0) }.map { $0..<$0 + 1 } ?? 0..<18

  private static let cases = indices.flatMap { index in
    [false, true].flatMap { isRemote in
      [false, true].map { Case(index: index, isRemote: isRemote, isPipeWire: $0) }
    }
  }.filter { !$0.isPipeWire || PipeWireServer.isAvailable && $0.index.isMultiple(of: 3) }

  @Test("The power is constant within 0.1 dB, and the length of the overlap is exact to 2 ms", arguments: cases)
  func figures(of fade: Case) async throws {
    try await withTemporaryDirectory { directory in
      let files = [
        try await Self.file(in: directory, isFirst: true, fade.rates.first, fade.formats.first),
        try await Self.file(in: directory, isFirst: false, fade.rates.second, fade.formats.second),
      ]
      let sound = try await withHTTPServer { server in
        let uris = try files.enumerated().map { index, path in
          fade.isRemote ? server.script("/\(index)", try .file(path)) : fileURI(path)
        }
        if fade.isPipeWire {
          return try await withPipeWireServer { server in
            try await RecordedCrossfade.record(
              .long, uris[0], uris[1], at: PipeWireServer.sink, environment: server.environment)
          }
        }
        return try await RecordedCrossfade.record(.long, uris[0], uris[1])
      }
      let figures = try #require(Figures(sound))
      print("\(fade.testDescription): overlap \(figures.overlap) ms, power \(figures.powers) dB")
      #expect(abs(figures.overlap - length * 1000) <= 2)
      #expect(figures.powers.allSatisfy { abs($0) <= 0.1 })
    }
  }

  /// The measured values of a recording.
  private struct Figures {
    /// The duration from the first sample of the second stream to the last one of the first stream, in milliseconds.
    let overlap: Double
    /// The power in half seconds of the overlap, relative to that of each file alone, in decibels.
    let powers: [Double]

    init?(_ sound: RecordedCrossfade) {
      let window = sound.rate / 50
      let out = Self.envelope(sound.first, frequency: 500, window)
      let back = Self.envelope(sound.first, frequency: 1500, window)
      let full = (out[20..<60].reduce(0, +) / 40, back.suffix(60).prefix(40).reduce(0, +) / 40)
      // The part of the crossfade at which a window lies follows from each level, which the curve defines.
      var begins: (out: [Double], back: [Double]) = ([], [])
      for index in 40..<out.count {
        let center = (Double(index) + 0.5) * 0.02
        let (falling, rising) = (out[index] / full.0, back[index] / full.1)
        if (0.2...0.9).contains(falling) { begins.out.append(center - length * acos(falling) * 2 / .pi) }
        if (0.2...0.9).contains(rising) { begins.back.append(center - length * asin(rising) * 2 / .pi) }
      }
      guard begins.out.count > 20, begins.back.count > 20 else { return nil }
      let begin = (Self.mean(begins.out), Self.mean(begins.back))
      overlap = ((begin.0 + length - begin.1) * 10_000).rounded() / 10
      let half = sound.rate / 2
      let place = Int(begin.1 * Double(sound.rate))
      guard place >= 4 * half, place + 7 * half <= sound.second.count else { return nil }
      func power(_ range: Range<Int>) -> Double { Self.mean(sound.second[range].map { $0 * $0 }) }
      let alone = (power(place - 4 * half..<place), power(place + 4 * half..<place + 7 * half))
      powers = (0..<4).map { index in
        let start = place + index * half
        let (begin, end) = (Double(index) / 4, Double(index + 1) / 4)
        // The mean of the square of a cosine, which is the level of the first file.
        let share = 0.5 + (sin(end * .pi) - sin(begin * .pi)) / (2 * .pi * (end - begin))
        let expected = share * alone.0 + (1 - share) * alone.1
        return (1000 * log10(power(start..<start + half) / expected)).rounded() / 100
      }
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    /// Returns the level of a sine in windows that contain a whole number of its periods.
    private static func envelope(_ samples: [Double], frequency: Double, _ window: Int) -> [Double] {
      stride(from: 0, to: samples.count - window, by: window).map { start in
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<window {
          let phase = 2 * Double.pi * frequency * Double(index) / Double(window * 50)
          real += samples[start + index] * cos(phase)
          imaginary += samples[start + index] * sin(phase)
        }
        return (real * real + imaginary * imaginary).squareRoot()
      }
    }
  }

  /// Encodes a sine on the left channel, which shows the level, and tones on the right one, which show the power.
  private static func file(
    in directory: TemporaryDirectory, isFirst: Bool, _ rate: Int, _ format: String
  ) async throws -> String {
    let samples = tones(isFirst: isFirst, rate: rate)
    let sine = PCM(rate: rate).sine(frequency: isFirst ? 500 : 1500, count: samples.count)
    let source = try await Media.wav(channels: [sine, samples], PCM(rate: rate))
    let path = directory.file("\(isFirst ? 1 : 2).\(format)")
    let command =
      switch format {
      case "flac": ["flac", "--silent", "--force", "-o", path, source]
      case "mp3": ["lame", "--quiet", "-b", "256", "-m", "s", source, path]
      default: ["oggenc", "--quiet", "-q", "8", "-o", path, source]
      }
    let finished = try await run(command, within: 60)
    try #require(finished.succeeded, "\(finished.error)")
    return path
  }
}

/// The length of the crossfades, in seconds.
private let length = 2.0

/// Tones like pink noise, whose power is the same in every 0.1 s, and whose frequencies are not in the other file.
///
/// The power of two sounds together is the sum of their powers if the mean of their product is 0. Of two noises, it is not in
/// half a second, which changes the power by up to 0.2 dB; of these, it is.
private func tones(isFirst: Bool, rate: Int) -> [Int32] {
  var generator = SeededGenerator(seed: isFirst ? 1 : 2)
  var sum = [Double](repeating: 0, count: rate / 10)
  // All rates keep these frequencies.
  for frequency in stride(from: isFirst ? 40 : 60, through: 8_000, by: 40) {
    let start = Double.random(in: 0..<1, using: &generator)
    for index in sum.indices {
      let phase = 2 * Double.pi * (start + Double(index * frequency) / Double(rate))
      sum[index] += sin(phase) / Double(frequency).squareRoot()
    }
  }
  return (0..<(isFirst ? 5 : 6) * rate).map { Int32(sum[$0 % sum.count] * 10_000) }
}

private let variable = ProcessInfo.processInfo.environment["CROSSFADE_MATRIX"]
