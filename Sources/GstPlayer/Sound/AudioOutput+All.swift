public import Playback

extension AudioOutput {
  /// Lists the available devices.
  ///
  /// The search runs on its own thread and takes at most 3 s. A sound server that does not answer counts as one without
  /// devices.
  ///
  /// - Returns: The devices without duplicates, in the order of the sound systems; empty if there are none.
  public static func all() async -> [AudioOutput] { await AudioDeviceEnumerator.shared.outputs(within: .seconds(3)) }
}
