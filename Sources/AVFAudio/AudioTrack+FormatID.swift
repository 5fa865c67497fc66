package import CoreMedia
package import GstPlayer

extension AudioTrack {
  /// The format of the track; nil if its code is unknown.
  package var formatID: AudioFormatID? {
    let codec = codec?.lowercased() ?? ""
    let names: [(String, AudioFormatID)] = [
      ("layer 3", kAudioFormatMPEGLayer3), ("layer 2", kAudioFormatMPEGLayer2), ("layer 1", kAudioFormatMPEGLayer1),
      ("aac", kAudioFormatMPEG4AAC), ("flac", kAudioFormatFLAC), ("alac", kAudioFormatAppleLossless),
      ("apple lossless", kAudioFormatAppleLossless), ("opus", kAudioFormatOpus), ("ac-3", kAudioFormatAC3),
      ("mu-law", kAudioFormatULaw), ("a-law", kAudioFormatALaw), ("pcm", kAudioFormatLinearPCM),
    ]
    return names.first { codec.contains($0.0) }?.1
  }
}
