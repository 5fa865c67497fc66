// The names come from Apple's Core Audio.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CoreMedia

/// The code of an error about a file that is not explained further, `wht?`.
public let kAudioFileUnspecifiedError: OSStatus = 0x7768_743F
/// The code of an error about a file whose format cannot be played, `typ?`.
public let kAudioFileUnsupportedFileTypeError: OSStatus = 0x7479_703F
/// The code of an error about data that cannot be decoded, `fmt?`.
public let kAudioFileUnsupportedDataFormatError: OSStatus = 0x666D_743F
/// The code of an error about damaged data, `dta?`.
public let kAudioFileInvalidFileError: OSStatus = 0x6474_613F
/// The code of an error about missing permissions, `prm?`.
public let kAudioFilePermissionsError: OSStatus = 0x7072_6D3F
/// The code of an error about a file that does not exist.
public let kAudioFileFileNotFoundError: OSStatus = -43

/// The key of the format, an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// The key of the sample rate in Hz.
public let AVSampleRateKey = "AVSampleRateKey"
/// The key of the number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The key of the bits of a sample of linear PCM.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// The key of whether samples of linear PCM are big-endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// The key of whether samples of linear PCM are floating-point numbers.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// The key of whether the channels of linear PCM are in separate buffers.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// The key of the quality of an encoder, an ``AVAudioQuality``.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// The key of the bit rate in bits per second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"

/// The quality of an encoder.
public enum AVAudioQuality: Int, Sendable {
  /// The least quality.
  case min = 0
  /// Low quality.
  case low = 0x20
  /// Medium quality.
  case medium = 0x40
  /// High quality.
  case high = 0x60
  /// The highest quality.
  case max = 0x7F
}
