import Playback

/// The ports of an output device, such as the jack for headphones and the loudspeakers of a sound card; a value.
///
/// A sound card keeps its device when headphones are unplugged: the sound server marks their port as unavailable, and selects
/// another port of the same device, in any order.
/// <https://freedesktop.org/software/pulseaudio/doxygen/structpa__sink__port__info.html>
struct DevicePorts: Sendable {
  struct Port: Equatable, Sendable {
    enum Kind: Sendable {
      case headphones
      /// Plugging in headphones makes it unavailable.
      case speaker
      case other
    }

    enum Availability: Sendable {
      /// The card cannot detect it.
      case unknown
      case plugged
      case unplugged
    }

    var name: String
    /// The name for users.
    var title: String
    var kind = Kind.other
    var availability = Availability.unknown
  }

  private var ports: [Port] = []
  private var inUse = OutputInUse()

  /// Records the present ports and the name of the selected port.
  ///
  /// - Returns: The port that played and was unplugged, after which the sound would come from another port; nil if there is none, or
  ///   while other headphones are plugged in.
  mutating func update(_ new: [Port], selected: String?, now: MonotonicTime) -> Port? {
    inUse.recordDevice(on: selected, now: now)
    let old = ports
    ports = new
    // Plugging in headphones makes the line output that played unavailable, too.
    guard !new.contains(where: { $0.kind == .headphones && $0.availability == .plugged }) else { return nil }
    return new.first { port in
      port.availability == .unplugged && port.kind != .speaker && inUse.isInUse(port.name, now: now)
        && old.contains { $0.name == port.name && $0.availability != .unplugged }
    }
  }
}
