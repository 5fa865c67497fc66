import FoundationEssentials
import Glibc
import PlayerdSystem

/// The streams and devices of the sound server, as `pactl` 16 or newer lists them.
struct SoundServer: Equatable, Sendable {
  struct Volume: Decodable, Equatable, Sendable {
    /// 65536 is unchanged.
    var value: Int
    var valuePercent: String
  }

  struct Stream: Decodable, Equatable, Sendable {
    /// The index of its device.
    var sink: Int
    var mute: Bool
    /// Whether it is paused.
    var corked: Bool?
    /// By channel.
    var volume: [String: Volume]
    var properties: [String: String]
  }

  struct Device: Decodable, Equatable, Sendable {
    var index: Int
    /// The ID of the output.
    var name: String?
    /// The name for users.
    var description: String
    var driver: String
    /// `RUNNING`, `IDLE` or `SUSPENDED`.
    var state: String?
    var sampleSpecification: String
    var mute: Bool
    /// By channel.
    var volume: [String: Volume]
    var flags: [String]
  }

  private struct Information: Decodable { var defaultSinkName: String? }

  var streams: [Stream]
  var devices: [Device]
  /// The name of the default device.
  var standard: String?

  init(streams: [Stream], devices: [Device], standard: String?) {
    (self.streams, self.devices, self.standard) = (streams, devices, standard)
  }

  /// Queries the server; nil without `pactl` 16, or without a server.
  static func current() -> SoundServer? {
    guard let streams = CommandOutput.read(["pactl", "--format=json", "list", "sink-inputs"]),
      let devices = CommandOutput.read(["pactl", "--format=json", "list", "sinks"])
    else { return nil }
    let information = CommandOutput.read(["pactl", "--format=json", "info"]) ?? []
    return SoundServer(streams: streams, devices: devices, information: information)
  }

  /// Reads the lists of `pactl --format=json`, and optionally the output of `pactl --format=json info`.
  init?(streams: [UInt8], devices: [UInt8], information: [UInt8] = []) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let streams = try? decoder.decode([Stream].self, from: Data(streams)),
      let devices = try? decoder.decode([Device].self, from: Data(devices))
    else { return nil }
    (self.streams, self.devices) = (streams, devices)
    standard = (try? decoder.decode(Information.self, from: Data(information)))?.defaultSinkName
  }

  /// Returns the stream of a process and its device; nil without a stream.
  func stream(of processID: pid_t) -> (stream: Stream, device: Device)? {
    let stream = streams.first { $0.properties["application.process.id"] == "\(processID)" }
    guard let stream, let device = devices.first(where: { $0.index == stream.sink }) else { return nil }
    return (stream, device)
  }

  /// Returns the device with an ID, or the default one for an empty ID; nil if there is none.
  func device(_ id: String) -> Device? { devices.first { $0.name == (id.isEmpty ? standard : id) } }
}

extension [String: SoundServer.Volume] {
  /// Whether no channel is audible.
  var isZero: Bool { !isEmpty && values.allSatisfy { $0.value == 0 } }
}
