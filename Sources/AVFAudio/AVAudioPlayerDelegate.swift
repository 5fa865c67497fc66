public import Foundation

/// The methods of the delegate of an audio player; each is optional, and called on the main queue.
///
/// <https://developer.apple.com/documentation/avfaudio/avaudioplayerdelegate>
@preconcurrency
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  /// Called when the audio has ended, after its last repetition; `flag` is false if it could not be decoded.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

  /// Called when the audio could not be decoded.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
  /// Does nothing.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}

  /// Does nothing.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
