// The names come from Apple's Core Audio.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A format of audio, as a code of four characters.
public typealias AudioFormatID = UInt32

/// Linear PCM, `lpcm`.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// MPEG-1 layer 1, `.mp1`.
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2E6D_7031
/// MPEG-1 layer 2, `.mp2`.
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2E6D_7032
/// MPEG-1 layer 3, `.mp3`.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// MPEG-4 AAC, `aac `.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// MPEG-4 HE AAC, `aach`.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// MPEG-4 HE AAC version 2, `aacp`.
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// Apple Lossless, `alac`.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// FLAC, `flac`.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus, `opus`.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// AC-3, `ac-3`.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2D33
/// Enhanced AC-3, `ec-3`.
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2D33
/// µ-law, `ulaw`.
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// A-law, `alaw`.
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177

/// Flags of a format of audio.
public typealias AudioFormatFlags = UInt32

/// The samples are floating-point numbers.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The samples are big-endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// The samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The bits of a sample fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// The bits of a sample are at the high end of its bytes.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// The samples of a channel follow each other, and the channels too.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The flag of the byte order of the machine, which is little-endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0

/// A format of audio.
///
/// <https://developer.apple.com/documentation/coreaudiotypes/audiostreambasicdescription>
public struct AudioStreamBasicDescription: Equatable, Sendable {
  /// The frames per second, in Hz.
  public var mSampleRate: Float64
  /// The format, such as ``kAudioFormatLinearPCM``.
  public var mFormatID: AudioFormatID
  /// The flags of the format.
  public var mFormatFlags: AudioFormatFlags
  /// The bytes of a packet; 0 if they differ.
  public var mBytesPerPacket: UInt32
  /// The frames of a packet, 1 for linear PCM; 0 if they differ.
  public var mFramesPerPacket: UInt32
  /// The bytes of a frame, of one channel if the channels are not interleaved; 0 for a compressed format.
  public var mBytesPerFrame: UInt32
  /// The number of channels.
  public var mChannelsPerFrame: UInt32
  /// The bits of a sample; 0 for a compressed format.
  public var mBitsPerChannel: UInt32
  /// Fills the structure; always 0.
  public var mReserved: UInt32

  /// Makes a format of zeros.
  public init() {
    self.init(
      mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
      mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
  }

  /// Makes a format of all values.
  public init(
    mSampleRate: Float64, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
    mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
    mReserved: UInt32
  ) {
    (self.mSampleRate, self.mFormatID, self.mFormatFlags) = (mSampleRate, mFormatID, mFormatFlags)
    (self.mBytesPerPacket, self.mFramesPerPacket, self.mBytesPerFrame) = (
      mBytesPerPacket, mFramesPerPacket, mBytesPerFrame
    )
    (self.mChannelsPerFrame, self.mBitsPerChannel, self.mReserved) = (mChannelsPerFrame, mBitsPerChannel, mReserved)
  }
}
