import AVFAudio
import CoreMedia
import Foundation
import GstPlayer

/// The settings of an output of a reader: linear PCM, interleaved or not.
struct LinearPCMSettings: Sendable {
  var format = SampleFormat()
  var isInterleaved = true

  /// Reads settings; nil is the format of the decoder.
  ///
  /// - Throws: An error that names the key and the reason.
  init(_ settings: [String: Any]?) throws(AVError) {
    guard let settings else { return }
    guard let format = settings[AVFormatIDKey] else { throw Self.error(AVFormatIDKey, "is missing") }
    guard Self.number(format).map({ AudioFormatID(clamping: Int64($0)) }) == kAudioFormatLinearPCM else {
      throw Self.error(AVFormatIDKey, "is not kAudioFormatLinearPCM")
    }
    let isFloat = try Self.flag(AVLinearPCMIsFloatKey, in: settings)
    let isBigEndian = try Self.flag(AVLinearPCMIsBigEndianKey, in: settings)
    isInterleaved = try !Self.flag(AVLinearPCMIsNonInterleaved, in: settings)
    let bits = try Self.integer(AVLinearPCMBitDepthKey, 1...64, in: settings) ?? (isFloat ? 32 : 16)
    guard let encoding = SampleFormat.Encoding(bits: bits, isFloat: isFloat, isBigEndian: isBigEndian) else {
      let values = isFloat ? "32 or 64 for floating-point numbers" : "8, 16, 24 or 32 for integers"
      throw Self.error(AVLinearPCMBitDepthKey, "is \(bits), and not \(values)")
    }
    self.format = SampleFormat(
      encoding, sampleRate: try Self.integer(AVSampleRateKey, 1_000...768_000, in: settings),
      channels: try Self.integer(AVNumberOfChannelsKey, 1...64, in: settings))
  }

  private static func integer(
    _ key: String, _ range: ClosedRange<Int>, in settings: [String: Any]
  ) throws(AVError) -> Int? {
    guard let value = settings[key] else { return nil }
    guard let number = number(value), let integer = Int(exactly: number), range.contains(integer) else {
      throw error(key, "is \(value), and not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  private static func flag(_ key: String, in settings: [String: Any]) throws(AVError) -> Bool {
    guard let value = settings[key] else { return false }
    if let flag = value as? Bool { return flag }
    guard let number = number(value) else { throw error(key, "is \(value), and not a Boolean") }
    return number != 0
  }

  /// Returns a number of any type, as it is in the dictionaries of programs.
  private static func number(_ value: Any) -> Double? {
    switch value {
    case let value as any BinaryInteger: Double(value)
    case let value as any BinaryFloatingPoint: Double(value)
    case let value as NSNumber: value.doubleValue
    default: nil
    }
  }

  private static func error(_ key: String, _ reason: String) -> AVError {
    PlayerError(code: .invalidArgument, message: "the setting \(key) \(reason)").formatError
  }
}

extension PlayerError {
  /// The error of an output that cannot be read with its settings.
  var formatError: AVError { AVError(.formatUnsupported, userInfo: userInfo(about: nil)) }
}

extension CMSampleBuffer {
  /// Makes a buffer of samples; if they are not interleaved, the channels follow each other.
  convenience init(_ chunk: SampleChunk, isInterleaved: Bool) {
    let bytes = isInterleaved ? chunk.bytes : chunk.planarBytes
    let block = unsafe bytes.withUnsafeBytes { unsafe CMBlockBuffer($0) }
    self.init(
      block, CMFormatDescription(AudioStreamBasicDescription(chunk, isInterleaved: isInterleaved)),
      samples: chunk.frames, at: CMTime(value: chunk.first, timescale: CMTimeScale(clamping: chunk.sampleRate)))
  }
}

extension AudioStreamBasicDescription {
  /// Describes samples.
  init(_ chunk: SampleChunk, isInterleaved: Bool) {
    self.init()
    let encoding = chunk.encoding
    mSampleRate = Double(chunk.sampleRate)
    mFormatID = kAudioFormatLinearPCM
    mFormatFlags = kAudioFormatFlagIsPacked
    mFormatFlags |= encoding.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    if encoding.isBigEndian { mFormatFlags |= kAudioFormatFlagIsBigEndian }
    if !isInterleaved { mFormatFlags |= kAudioFormatFlagIsNonInterleaved }
    mBytesPerFrame = UInt32(clamping: isInterleaved ? chunk.bytesPerFrame : encoding.bits / 8)
    (mBytesPerPacket, mFramesPerPacket) = (mBytesPerFrame, 1)
    mChannelsPerFrame = UInt32(clamping: chunk.channels)
    mBitsPerChannel = UInt32(clamping: encoding.bits)
  }
}

extension SampleChunk {
  /// The samples of the first channel, then of the next channel.
  fileprivate var planarBytes: [UInt8] {
    let size = encoding.bits / 8
    var planar: [UInt8] = []
    planar.reserveCapacity(bytes.count)
    for channel in 0..<channels {
      for start in stride(from: channel * size, to: frames * bytesPerFrame, by: bytesPerFrame) {
        planar += bytes[start..<start + size]
      }
    }
    return planar
  }
}
