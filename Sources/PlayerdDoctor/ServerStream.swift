import Glibc

/// A stream of the player at the sound server, and the device that it plays on, as `pactl` describes them.
struct ServerStream: Equatable, Sendable {
  /// The name of the device for users.
  var device: String
  /// The sample format of the device, such as `s16le`.
  var encoding: String
  var channels: Int
  var rate: Int
  /// Whether the server is PipeWire.
  var isPipeWire = false
  /// The volumes of the stream and of the device, in percent; nil if unchanged, or if the hardware applies it.
  var streamVolume: String?
  var deviceVolume: String?
  var isMuted = false
}

extension ServerStream {
  /// Queries the server for the stream of a process; nil without `pactl` 16 or without such a stream.
  static func current(of processID: pid_t) -> ServerStream? {
    SoundServer.current().flatMap { ServerStream($0, processID: processID) }
  }

  /// Finds the stream of a process; nil without a stream, or if the format of its device is unknown.
  init?(_ server: SoundServer, processID: pid_t) {
    guard let (stream, device) = server.stream(of: processID) else { return nil }
    let parts = device.sampleSpecification.split(separator: " ")
    guard parts.count == 3, let channels = Int(parts[1].dropLast(2)), let rate = Int(parts[2].dropLast(2)) else {
      return nil
    }
    self.device = device.description
    (encoding, self.channels, self.rate) = (String(parts[0]), channels, rate)
    isPipeWire = device.driver == "PipeWire"
    streamVolume = Self.changed(stream.volume)
    deviceVolume = device.flags.contains("HW_VOLUME_CTRL") ? nil : Self.changed(device.volume)
    isMuted = stream.mute || device.mute
  }

  /// The bits of the integers that the device represents exactly; nil for an unknown format.
  var bits: Int? {
    switch encoding.prefix(while: { $0 != "-" }).lowercased() {
    case "u8": 8
    case "s16le", "s16be": 16
    case "s24le", "s24be", "s24", "float32le", "float32be": 24
    // PipeWire mixes in floating-point samples of 32 bits.
    case "s32le", "s32be": isPipeWire ? 24 : 32
    default: nil
    }
  }

  var isFloat: Bool { encoding.hasPrefix("float") }

  private static func changed(_ volumes: [String: SoundServer.Volume]) -> String? {
    volumes.values.first { $0.value != 65_536 }?.valuePercent
  }
}
