public import Playback

extension AudioOutput {
  /// Lists the devices that there are now.
  ///
  /// Looks on a thread of its own and takes 3 s at most: a sound server that does not answer has no devices.
  ///
  /// - Returns: The devices, each once, in the sound systems' order; empty when there are none.
  public static func all() async -> [AudioOutput] { await AudioOutputCensus.shared.outputs(within: .seconds(3)) }
}
