/// A device for audio playback.
///
/// The counterpart of a Core Audio device whose UID is given to `AVPlayer.audioOutputDeviceUniqueID`.
public struct AudioOutput: Codable, Hashable, Sendable, Identifiable {
  /// The sound server's name of the device, such as `alsa_output.pci-0000_00_1f.3.analog-stereo`.
  ///
  /// It stays the same while the device stays connected in the same way, and may be used in a configuration.
  public let id: String
  /// The name for users.
  public let name: String
  /// Whether the sound server uses this device by default.
  public let isDefault: Bool
  /// The GStreamer description of the sink for this device, for ``Player/Configuration/audioSink``.
  public let sinkDescription: String

  /// Creates the description of a device.
  package init(id: String, name: String, isDefault: Bool, sinkDescription: String) {
    self.id = id
    self.name = name
    self.isDefault = isDefault
    self.sinkDescription = sinkDescription
  }
}
