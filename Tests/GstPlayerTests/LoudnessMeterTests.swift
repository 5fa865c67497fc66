import Glibc
import Playback
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer

/// Tests of measured loudness with the signals of EBU Tech 3341: sines of 1 kHz at 48 kHz.
@Suite("Loudness meter")
struct LoudnessMeterTests {
  /// A part of a signal: the peak level of each channel in dBFS, and the length.
  struct Part: Sendable {
    var levels: [Double]
    var seconds: Double

    init(_ level: Double, _ seconds: Double) { (levels, self.seconds) = ([level, level], seconds) }
    init(_ levels: [Double], _ seconds: Double) { (self.levels, self.seconds) = (levels, seconds) }

    /// A tenth of a second, which is 100 periods; the parts join at zero crossings.
    var tenth: [Float] {
      (0..<4_800).flatMap { index in
        levels.map { Float(pow(10, $0 / 20) * sin(2 * .pi * Double(index % 48) / 48)) }
      }
    }
  }

  /// A signal of EBU Tech 3341 with its loudness in LUFS.
  struct Signal: Sendable, CustomTestStringConvertible {
    var name: String
    var parts: [Part]
    var loudness: Double
    var testDescription: String { name }
  }

  static let signals = [
    Signal(name: "1", parts: [Part(-23, 20)], loudness: -23),
    Signal(name: "2", parts: [Part(-33, 20)], loudness: -33),
    Signal(name: "3", parts: [Part(-36, 10), Part(-23, 60), Part(-36, 10)], loudness: -23),
    Signal(
      name: "4", parts: [Part(-72, 10), Part(-36, 10), Part(-23, 60), Part(-36, 10), Part(-72, 10)], loudness: -23),
    Signal(name: "5", parts: [Part(-26, 20), Part(-20, 20.1), Part(-26, 20)], loudness: -23),
    Signal(name: "6, five channels", parts: [Part([-28, -28, -24, -30, -30], 20)], loudness: -23),
    Signal(
      name: "6, and the channel of low frequencies, which does not count",
      parts: [Part([-28, -28, -24, -.infinity, -30, -30], 20)], loudness: -23),
  ]

  private func measure(_ parts: [Part], album: String? = nil) throws -> TrackLoudness {
    let channels = try #require(parts.first).levels.count
    let meter = try #require(LoudnessMeter(.float, channels: channels, rate: 48_000))
    for part in parts {
      let tenth = part.tenth
      for _ in 0..<Int((part.seconds * 10).rounded()) { unsafe tenth.withUnsafeBytes { unsafe meter.add($0) } }
    }
    return TrackLoudness(energies: meter.energies, peak: meter.peak, album: album)
  }

  @Test("Each signal of EBU Tech 3341 has its loudness within 0.1 LU", arguments: signals)
  func signal(_ signal: Signal) throws {
    let result = try measure(signal.parts)
    let loudness = try #require(result.integrated)
    #expect(abs(loudness - signal.loudness) <= 0.1, "\(loudness) LUFS")
    let level = try #require(signal.parts.flatMap(\.levels).max())
    #expect(abs(20 * log10(result.peak) - level) < 0.01)
    // The histogram has intervals of 0.1 LU.
    let gain = try #require(LoudnessGain(of: [result]))
    #expect(abs(gain.gain - (-18 - signal.loudness)) <= 0.1, "\(gain.gain) dB from the histogram")
  }

  @Test("The tracks of an album are gated together: the quiet ones do not count")
  func album() throws {
    let tracks = try [-36.0, -23, -36].map { try measure([Part($0, $0 == -23 ? 60 : 10)]) }
    let gain = try #require(LoudnessGain(of: tracks))
    #expect(abs(gain.gain - 5) <= 0.1, "\(gain.gain) dB")
    #expect(abs(20 * log10(gain.peak) + 23) < 0.01)
  }

  @Test("A single channel is as loud as both channels of a stereo file")
  func mono() throws {
    let loudness = try #require(try measure([Part([-23], 2)]).integrated)
    #expect(abs(loudness + 23) <= 0.1, "\(loudness) LUFS")
  }

  @Test("The sizes of buffers and the format of samples do not change the result")
  func buffers() throws {
    let tenth = Part(-23, 1).tenth
    let meter = try #require(LoudnessMeter(.int16, channels: 2, rate: 48_000))
    let samples = (0..<20).flatMap { _ in tenth.map { Int16(($0 * 32_768).rounded()) } }
    unsafe samples.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        unsafe meter.add(UnsafeRawBufferPointer(rebasing: rest.prefix(1_152 * 4)))
        unsafe rest = rest.dropFirst(1_152 * 4)
      }
    }
    #expect(meter.energies.count == 20)
    let loudness = try #require(TrackLoudness(energies: meter.energies, peak: meter.peak, album: nil).integrated)
    #expect(abs(loudness + 23) <= 0.1, "\(loudness) LUFS")
  }

  @Test("Silence, and less than 0.4 s, do not have a loudness")
  func silence() throws {
    #expect(try measure([Part([-.infinity, -.infinity], 2)]).gain == nil)
    #expect(try measure([Part(-23, 0.3)]).gain == nil)
    #expect(LoudnessGain(of: []) == nil)
    #expect(LoudnessMeter(.float, channels: 0, rate: 48_000) == nil)
    #expect(LoudnessMeter(.float, channels: 2, rate: 0) == nil)
  }
}
