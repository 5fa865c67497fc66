import DBus

/// The rows of `org.mpris.MediaPlayer2.Player`: playback.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html>
struct PlayerInterface {
  static let name: InterfaceName = "org.mpris.MediaPlayer2.Player"
  static let seeked: MemberName = "Seeked"

  let player: any MediaPlayer

  var rows: Interface<PlayerSnapshot> {
    Interface(
      Self.name, methods: transport + positioning, properties: abilities + playback + modes,
      signals: [Signal(Self.seeked, [Argument("Position", "x")])])
  }

  private var transport: [Method] {
    [
      player.method("Next") { snapshot, _ in snapshot.forNext },
      player.method("Previous") { snapshot, _ in snapshot.forPrevious },
      player.method("Pause") { snapshot, _ in snapshot.forPause },
      player.method("PlayPause") { snapshot, _ in snapshot.forPlayPause },
      player.method("Stop") { snapshot, _ in snapshot.forStop },
      player.method("Play") { snapshot, _ in snapshot.forPlay },
    ]
  }

  private var positioning: [Method] {
    [
      player.method("Seek", in: [Argument("Offset", "x")]) { snapshot, arguments in
        guard let offset = arguments.first?.asInt64 else { return nil }
        return snapshot.forSeek(by: .microseconds(offset))
      },
      player.method("SetPosition", in: [Argument("TrackId", "o"), Argument("Position", "x")]) { snapshot, arguments in
        guard let track = arguments.first?.asObjectPath, let position = arguments.last?.asInt64 else { return nil }
        return snapshot.forSetPosition(of: track, to: .microseconds(position))
      },
      player.method("OpenUri", in: [Argument("Uri", "s")]) { snapshot, arguments throws(DBusError) in
        try snapshot.forOpen(arguments.first?.asString ?? "")
      },
    ]
  }

  private var playback: [Property<PlayerSnapshot>] {
    [
      Property("PlaybackStatus", "s") { .string($0.status.rawValue) },
      Property("Metadata", "a{sv}", differs: { $0.metadata != $1.metadata }) { $0.metadata.value },
      Property("Position", "x", changes: .never) { .int64(max($0.position.microseconds, 0)) },
    ]
  }

  private var modes: [Property<PlayerSnapshot>] {
    [
      Property(
        "LoopStatus", "s", get: { .string($0.loop.rawValue) },
        set: player.setter { snapshot, value throws(DBusError) in try snapshot.forLoopStatus(value.asString ?? "") }),
      Property(
        "Shuffle", "b", get: { .boolean($0.shuffle) },
        set: player.setter { snapshot, value in value.asBool.flatMap { snapshot.forShuffle($0) } }),
      Property(
        "Rate", "d", get: { .double($0.rate) },
        set: player.setter { snapshot, value throws(DBusError) in try snapshot.forRate(value.asDouble ?? .nan) }),
      Property("MinimumRate", "d") { .double($0.minimumRate) },
      Property("MaximumRate", "d") { .double($0.maximumRate) },
      Property(
        "Volume", "d", get: { .double($0.volume) },
        set: player.setter { snapshot, value throws(DBusError) in try snapshot.forVolume(value.asDouble ?? .nan) }),
    ]
  }

  /// They come first in a signal: Xfce's panel draws its buttons anew as soon as it reads the metadata, and what it has
  /// not read by then it does not draw.
  private var abilities: [Property<PlayerSnapshot>] {
    [
      Property("CanGoNext", "b") { .boolean($0.canGoNext) },
      Property("CanGoPrevious", "b") { .boolean($0.canGoPrevious) },
      Property("CanPlay", "b") { .boolean($0.canPlay) },
      Property("CanPause", "b") { .boolean($0.canPause) },
      Property("CanSeek", "b") { .boolean($0.canSeek) },
      Property("CanControl", "b", changes: .constant) { _ in .boolean(true) },
    ]
  }
}
