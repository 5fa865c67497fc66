import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Crossfades of many formats; `scripts/crossfade.sh` runs them, and prints their figures.
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

  @Test("The power is constant within 0.5 dB, and the length of the overlap is exact to 5 ms", arguments: cases)
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
      let noise = (
        first: PinkNoise(isFirst: true, rate: fade.rates.first),
        second: PinkNoise(isFirst: false, rate: fade.rates.second)
      )
      let figures = try #require(Figures(sound, noise))
      print("\(fade.testDescription): overlap \(figures.overlap) ms, power \(figures.powers) dB")
      #expect(abs(figures.overlap - length * 1000) < 5)
      #expect(figures.powers.allSatisfy { abs($0) < 0.5 })
    }
  }

  /// The measured values of a recording.
  private struct Figures {
    /// The duration from the first sample of the second stream to the last one of the first stream, in milliseconds.
    let overlap: Double
    /// The power in half seconds of the overlap, relative to that outside of it, in decibels.
    let powers: [Double]

    init?(_ sound: RecordedCrossfade, _ noise: (first: PinkNoise, second: PinkNoise)) {
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
      func power(_ range: Range<Int>) -> Double { Self.mean(sound.second[range].map { $0 * $0 }) }
      // The sink's rate removes a part of the noise, so its power is compared with that of the source.
      let scale = (
        power(place - 4 * half..<place) / noise.first.power(from: firstDuration - 2 * length, duration: length),
        power(place + 4 * half..<place + 7 * half) / noise.second.power(from: length, duration: 1.5)
      )
      powers = (0..<4).map { index in
        let (start, time) = (place + index * half, Double(index) / 2)
        let expected =
          scale.0
          * noise.first.power(from: firstDuration - length + time, duration: 0.5) {
            cos((time + $0) / length * .pi / 2)
          }
          + scale.1 * noise.second.power(from: time, duration: 0.5) { sin((time + $0) / length * .pi / 2) }
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

  /// Encodes a sine on the left channel, which shows the level, and pink noise on the right one.
  private static func file(
    in directory: TemporaryDirectory, isFirst: Bool, _ rate: Int, _ format: String
  ) async throws -> String {
    let noise = PinkNoise(isFirst: isFirst, rate: rate)
    let sine = PCM(rate: rate).sine(frequency: isFirst ? 500 : 1500, count: noise.samples.count)
    let source = try await Media.wav(channels: [sine, noise.samples], PCM(rate: rate))
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

/// The length of the crossfades and of the first file, in seconds.
private let (length, firstDuration) = (2.0, 5.0)

/// The noise of one of the files.
private struct PinkNoise {
  let rate: Int
  let samples: [Int32]

  init(isFirst: Bool, rate: Int) {
    var generator = SeededGenerator(seed: isFirst ? 1 : 2)
    // Paul Kellet's filter for -3 dB per octave, without the lowest frequencies.
    var (b1, b2, b3) = (0.0, 0.0, 0.0)
    self.rate = rate
    samples = (0..<(isFirst ? 5 : 6) * rate).map { _ in
      let white = Double.random(in: -1...1, using: &generator)
      b1 = 0.963 * b1 + white * 0.2965164
      b2 = 0.57 * b2 + white * 1.0526913
      b3 = 0.997 * b3 + white * 0.05
      return Int32((b1 + b2 + b3 + white * 0.1848) * 2_500)
    }
  }

  /// Returns the power of a part, whose times are in seconds, with a gain by the time in it.
  func power(from start: Double, duration: Double, gain: (Double) -> Double = { _ in 1 }) -> Double {
    let (begin, count) = (Int(start * Double(rate)), Int(duration * Double(rate)))
    let sum = (0..<count).reduce(0) { sum, index in
      let sample = Double(samples[begin + index]) * gain(Double(index) / Double(rate))
      return sum + sample * sample
    }
    return sum / Double(count)
  }
}

private let variable = ProcessInfo.processInfo.environment["CROSSFADE_MATRIX"]
