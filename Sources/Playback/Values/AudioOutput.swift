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

  /// Makes the description of a device.
  package init(id: String, name: String, isDefault: Bool, sinkDescription: String) {
    self.id = id
    self.name = name
    self.isDefault = isDefault
    self.sinkDescription = sinkDescription
  }
}
