/// Writes FLAC files whose frames no encoder writes; the samples are stored without compression.
///
/// <https://www.rfc-editor.org/rfc/rfc9639>
public struct FLACWriter: Sendable {
  /// The samples per second.
  private let rate = 44_100
  private var frames: [UInt8] = []
  /// The number of samples of each channel so far, and of frames.
  private var count = (samples: 0, frames: 0)
  private let channels: Int
  private let blockSizes: ClosedRange<Int>
  private let numbersSamples: Bool

  /// Begins a file of 16 bits and 44.1 kHz.
  ///
  /// - Parameters:
  ///   - channels: The number of channels that the header states, from 1 to 8.
  ///   - blockSizes: The samples of each channel in a frame that the header states.
  ///   - numbersSamples: Whether the frames have the numbers of their first samples, as if they were numbers of frames: the
  ///     encoder Flake 0.11 did this.
  public init(channels: Int = 2, blockSizes: ClosedRange<Int> = 4_096...4_096, numbersSamples: Bool = false) {
    (self.channels, self.blockSizes, self.numbersSamples) = (channels, blockSizes, numbersSamples)
  }

  /// Adds a frame with the samples of each channel, from 1 to 65,536 of each.
  public mutating func add(_ channels: [[Int16]]) {
    let count = channels.first?.count ?? 0
    // The sync code and the fixed block size; a block size of 16 bits, and 44.1 kHz; the channels, and 16 bits.
    var frame: [UInt8] = [0xFF, 0xF8, 0x79, UInt8(channels.count - 1) << 4 | 0x08]
    frame += coded(numbersSamples ? self.count.samples : self.count.frames)
    frame += big(count - 1, bytes: 2)
    frame.append(UInt8(truncatingIfNeeded: crc(frame, 0x07, bits: 8)))
    for samples in channels {
      // A verbatim subframe.
      frame.append(0x02)
      for sample in samples { frame += big(Int(sample), bytes: 2) }
    }
    frames += frame + big(crc(frame, 0x8005, bits: 16), bytes: 2)
    self.count.samples += count
    self.count.frames += 1
  }

  /// The file.
  public var file: [UInt8] {
    let format = rate << 12 | (channels - 1) << 9 | 15 << 4
    // The frame sizes and the checksum are unknown.
    let info =
      big(blockSizes.lowerBound, bytes: 2) + big(blockSizes.upperBound, bytes: 2) + big(0, bytes: 6)
      + big(format, bytes: 4)
    return Array("fLaC".utf8) + [0x80] + big(34, bytes: 3) + info + big(count.samples, bytes: 4) + big(0, bytes: 16)
      + frames
  }

  private func big(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Returns a number as UTF-8 codes it, of up to 31 bits.
  private func coded(_ number: Int) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(truncatingIfNeeded: number)] }
    let rest = (1...5).first { number < 1 << (6 * $0 + 6 - $0) } ?? 5
    let lead = UInt8(truncatingIfNeeded: 0xFF << (7 - rest)) | UInt8(truncatingIfNeeded: number >> (6 * rest))
    return [lead] + (0..<rest).reversed().map { 0x80 | UInt8(truncatingIfNeeded: number >> (6 * $0)) & 0x3F }
  }

  private func crc(_ bytes: [UInt8], _ polynomial: Int, bits: Int) -> Int {
    var sum = 0
    for byte in bytes {
      sum ^= Int(byte) << (bits - 8)
      for _ in 0..<8 { sum = sum << 1 ^ (sum >> (bits - 1) & 1 == 1 ? polynomial : 0) }
      sum &= 1 << bits - 1
    }
    return sum
  }
}
