/// A device that sound can be played on.
///
/// The counterpart of a Core Audio device whose UID is given to `AVPlayer.audioOutputDeviceUniqueID`.
public struct AudioOutput: Hashable, Sendable, Identifiable {
  /// The sound system's own name of the device, such as `alsa_output.pci-0000_00_1f.3.analog-stereo`.
  ///
  /// It stays the same while the device keeps its place, and may be named in a configuration.
  public let id: String
  /// What a person is shown.
  public let name: String
  /// Whether the sound system plays here when no device is named.
  public let isDefault: Bool
  /// What plays here, for ``PlayerConfiguration/audioSink``.
  public let sinkDescription: String

  /// Lists the devices that there are now.
  ///
  /// Looks on a thread of its own and takes 3 s at most: a sound server that does not answer has no devices.
  ///
  /// - Returns: The devices, each once, in the sound systems' order; empty when there are none.
  public static func all() async -> [AudioOutput] { await AudioOutputCensus.shared.outputs(within: .seconds(3)) }
}
