package import DBus

/// The rows of `org.mpris.MediaPlayer2.Player`: playback.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html>
package struct PlayerInterface {
  package static let name: InterfaceName = "org.mpris.MediaPlayer2.Player"

  package static let next = DBusMethodDeclaration("Next")
  package static let previous = DBusMethodDeclaration("Previous")
  package static let pause = DBusMethodDeclaration("Pause")
  package static let playPause = DBusMethodDeclaration("PlayPause")
  package static let stop = DBusMethodDeclaration("Stop")
  package static let play = DBusMethodDeclaration("Play")
  package static let seek = DBusMethodDeclaration("Seek", in: ["Offset": "x"])
  package static let setPosition = DBusMethodDeclaration("SetPosition", in: ["TrackId": "o", "Position": "x"])
  package static let openURI = DBusMethodDeclaration("OpenUri", in: ["Uri": "s"])

  package static let seeked = DBusSignal("Seeked", ["Position": "x"])

  package typealias Row = DBusProperty<MPRISSnapshot>

  package static let canGoNext = Row("CanGoNext", "b") { .boolean($0.canGoNext) }
  package static let canGoPrevious = Row("CanGoPrevious", "b") { .boolean($0.canGoPrevious) }
  package static let canPlay = Row("CanPlay", "b") { .boolean($0.canPlay) }
  package static let canPause = Row("CanPause", "b") { .boolean($0.canPause) }
  package static let canSeek = Row("CanSeek", "b") { .boolean($0.canSeek) }
  package static let canControl = Row("CanControl", "b", changes: .constant) { _ in .boolean(true) }

  package static let status = Row("PlaybackStatus", "s") { .string($0.status.rawValue) }
  package static let metadata = Row("Metadata", "a{sv}", differs: { $0.metadata != $1.metadata }) { $0.metadata.value }
  package static let position = Row("Position", "x", changes: .never) { .int64(max($0.position.microseconds, 0)) }

  package static let loop = Row("LoopStatus", "s") { .string($0.loop.rawValue) }
  package static let shuffle = Row("Shuffle", "b") { .boolean($0.shuffle) }
  package static let rate = Row("Rate", "d") { .double($0.rate) }
  package static let minimumRate = Row("MinimumRate", "d") { .double($0.minimumRate) }
  package static let maximumRate = Row("MaximumRate", "d") { .double($0.maximumRate) }
  package static let volume = Row("Volume", "d") { .double($0.volume) }

  let player: any MPRISPlayer

  var rows: DBusInterface<MPRISSnapshot> {
    DBusInterface(
      Self.name, methods: methods,
      properties: Self.abilities + [Self.status, Self.metadata, Self.position] + modes, signals: [Self.seeked],
      isUnchanged: { $0.isUnchanged(in: $1) })
  }

  private var methods: [DBusMethod] {
    [
      player.method(Self.next) { $0.forNext },
      player.method(Self.previous) { $0.forPrevious },
      player.method(Self.pause) { $0.forPause },
      player.method(Self.playPause) { $0.forPlayPause },
      player.method(Self.stop) { $0.forStop },
      player.method(Self.play) { $0.forPlay },
      player.method(Self.seek) { player, call in
        let offset = Duration.microseconds(call.arguments.first?.asInt64 ?? 0)
        return player.timeline().forSeek(by: offset) { player.snapshot() }
      },
      player.method(Self.setPosition) { player, call in
        guard let track = call.arguments.first?.asObjectPath, let position = call.arguments.last?.asInt64 else {
          return nil
        }
        return player.timeline().forSetPosition(of: track, to: .microseconds(position))
      },
      player.method(Self.openURI) { player, call throws(DBusError) in
        try player.snapshot().forOpen(call.arguments.first?.asString ?? "")
      },
    ]
  }

  private var modes: [Row] {
    [
      player.writable(Self.loop.present { $0.hasLoop }) { snapshot, value throws(DBusError) in
        try snapshot.forLoopStatus(value.asString ?? "")
      },
      player.writable(Self.shuffle.present { $0.hasShuffle }) { snapshot, value in
        value.asBool.flatMap { snapshot.forShuffle($0) }
      },
      player.writable(Self.rate) { snapshot, value throws(DBusError) in
        try snapshot.forRate(value.asDouble ?? .nan)
      },
      Self.minimumRate, Self.maximumRate,
      player.writable(Self.volume.present { $0.hasVolume }) { snapshot, value throws(DBusError) in
        try snapshot.forVolume(value.asDouble ?? .nan)
      },
    ]
  }

  /// The `Can…` properties.
  ///
  /// They come first in a signal: Xfce's panel redraws its buttons as soon as it reads the metadata, and ignores
  /// properties that follow.
  private static let abilities = [canGoNext, canGoPrevious, canPlay, canPause, canSeek, canControl]
}
