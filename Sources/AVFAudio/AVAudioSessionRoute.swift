public import Foundation
import GstPlayer

/// An output of a route; immutable.
///
/// <https://developer.apple.com/documentation/avfaudio/avaudiosessionportdescription>
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {  // immutable
  /// The kind of the output, as far as the name of its device shows it: Bluetooth, HDMI, USB, headphones, or else the speaker.
  open private(set) var portType: AVAudioSession.Port
  /// The name for users.
  open private(set) var portName: String
  /// The identifier, which is the name of the sound server for the device.
  open private(set) var uid: String
  /// The channels: two.
  open var channels: [AVAudioSessionChannelDescription]? {
    (1...2).map { AVAudioSessionChannelDescription("\(portName) \($0)", number: $0, of: uid) }
  }

  init(_ output: AudioOutput) {
    let names = output.id.lowercased() + " " + output.name.lowercased()
    let kinds: [(String, AVAudioSession.Port)] = [
      ("bluez", .bluetoothA2DP), ("hdmi", .HDMI), ("displayport", .displayPort), ("headphone", .headphones),
      ("headset", .headphones), ("usb", .usbAudio), ("null", .virtual),
    ]
    portType = kinds.first { names.contains($0.0) }?.1 ?? .builtInSpeaker
    portName = output.name
    uid = output.id
  }

  /// Whether two descriptions are of the same device.
  open override func isEqual(_ object: Any?) -> Bool { (object as? AVAudioSessionPortDescription)?.uid == uid }

  /// The hash of the identifier.
  open override var hash: Int { uid.hashValue }
}

/// The position of a channel.
public typealias AudioChannelLabel = UInt32

/// A channel of an output; immutable.
///
/// <https://developer.apple.com/documentation/avfaudio/avaudiosessionchanneldescription>
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {  // immutable
  /// The name for users.
  open private(set) var channelName: String
  /// The identifier of the output.
  open private(set) var owningPortUID: String
  /// The number, from 1.
  open private(set) var channelNumber: Int
  /// The position: 1 is the left channel, 2 the right one.
  open var channelLabel: AudioChannelLabel { AudioChannelLabel(clamping: channelNumber) }

  init(_ name: String, number: Int, of port: String) {
    (channelName, channelNumber, owningPortUID) = (name, number, port)
  }

  /// Whether two descriptions are of the same channel.
  open override func isEqual(_ object: Any?) -> Bool {
    let other = object as? AVAudioSessionChannelDescription
    return other?.owningPortUID == owningPortUID && other?.channelNumber == channelNumber
  }

  /// The hash of the output and the number.
  open override var hash: Int { [owningPortUID, String(channelNumber)].hashValue }
}

/// The outputs of the program; immutable.
///
/// <https://developer.apple.com/documentation/avfaudio/avaudiosessionroutedescription>
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {  // immutable
  /// The inputs; always empty, because nothing is recorded.
  open private(set) var inputs: [AVAudioSessionPortDescription] = []
  /// The outputs: one, or none while it is unknown.
  open private(set) var outputs: [AVAudioSessionPortDescription]

  init(_ output: AudioOutput?) { outputs = output.map { [AVAudioSessionPortDescription($0)] } ?? [] }

  /// Whether two routes have the same outputs.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioSessionRouteDescription)?.outputs == outputs
  }

  /// The hash of the outputs.
  open override var hash: Int { outputs.hashValue }
}

extension [AudioOutput] {
  /// The default output, or else the first one.
  var route: AudioOutput? { first { $0.isDefault } ?? first }

  /// Returns the reason for a change from the route of earlier outputs; nil if it is the same.
  func reason(since old: [AudioOutput]) -> AVAudioSession.RouteChangeReason? {
    let (oldRoute, newRoute) = (old.route, route)
    if let oldRoute, !contains(where: { $0.id == oldRoute.id }) { return .oldDeviceUnavailable }
    guard let newRoute, newRoute.id != oldRoute?.id else { return nil }
    return old.contains { $0.id == newRoute.id } ? .override : .newDeviceAvailable
  }
}
