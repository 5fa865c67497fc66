public import Foundation

/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// A number of frames, which have a sample of each channel.
public typealias AVAudioFrameCount = UInt32
/// A position in frames.
public typealias AVAudioFramePosition = Int64

/// A format of the samples of linear PCM.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Another format.
  case otherFormat = 0
  /// Floating-point numbers of 32 bits.
  case pcmFormatFloat32 = 1
  /// Floating-point numbers of 64 bits.
  case pcmFormatFloat64 = 2
  /// Integers of 16 bits.
  case pcmFormatInt16 = 3
  /// Integers of 32 bits.
  case pcmFormatInt32 = 4

  /// The bits of a sample; nil for another format.
  var bits: Int? {
    switch self {
    case .otherFormat: nil
    case .pcmFormatInt16: 16
    case .pcmFormatFloat32, .pcmFormatInt32: 32
    case .pcmFormatFloat64: 64
    }
  }
}

/// A format of audio; immutable.
///
/// <https://developer.apple.com/documentation/avfaudio/avaudioformat>
open class AVAudioFormat: NSObject, @unchecked Sendable {  // immutable
  /// The format of the samples; ``AVAudioCommonFormat/otherFormat`` unless it is linear PCM.
  open private(set) var commonFormat: AVAudioCommonFormat
  /// The sample rate in Hz.
  open private(set) var sampleRate: Double
  /// The number of channels.
  open private(set) var channelCount: AVAudioChannelCount
  /// Whether the samples of the channels alternate in one buffer.
  open private(set) var isInterleaved: Bool
  private let id: AudioFormatID

  init(
    _ id: AudioFormatID, _ commonFormat: AVAudioCommonFormat, sampleRate: Double,
    channels: AVAudioChannelCount, interleaved: Bool
  ) {
    self.id = id
    self.commonFormat = commonFormat
    self.sampleRate = sampleRate
    channelCount = channels
    isInterleaved = interleaved
  }

  /// Creates the standard format: samples of 32-bit floating-point numbers, and a buffer for each channel.
  ///
  /// Nil without channels, or for an invalid sample rate.
  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
  }

  /// Creates a format of linear PCM; nil without channels, or for an invalid sample rate.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
  ) {
    guard format != .otherFormat, sampleRate.isFinite, sampleRate > 0, channels > 0 else { return nil }
    self.init(kAudioFormatLinearPCM, format, sampleRate: sampleRate, channels: channels, interleaved: interleaved)
  }

  /// Whether it is the standard format of its sample rate and channels.
  open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// The format as a dictionary of keys such as ``AVSampleRateKey``.
  open var settings: [String: Any] {
    var settings: [String: Any] = [
      AVFormatIDKey: id, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: Int(channelCount),
    ]
    if let bits = commonFormat.bits {
      settings[AVLinearPCMBitDepthKey] = bits
      settings[AVLinearPCMIsFloatKey] = [.pcmFormatFloat32, .pcmFormatFloat64].contains(commonFormat)
      settings[AVLinearPCMIsBigEndianKey] = false
      settings[AVLinearPCMIsNonInterleaved] = !isInterleaved
    }
    return settings
  }

  /// Whether two formats are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioFormat else { return false }
    return other.id == id && other.commonFormat == commonFormat && other.sampleRate == sampleRate
      && other.channelCount == channelCount && other.isInterleaved == isInterleaved
  }

  /// The hash of the format.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(id)
    hasher.combine(sampleRate)
    hasher.combine(channelCount)
    return hasher.finalize()
  }
}
