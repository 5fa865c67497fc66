/// A call of a simulated client of the bus.
///
/// Times are milliseconds, rates and volumes percent, fractions permille. An index selects a track of the client's copy
/// of the list, modulo its length.
package enum ClientCall: Hashable, Sendable {
  // MARK: The connection

  /// Reads all properties and the track list, and follows the signals from then on.
  case subscribe
  /// Reads all properties again and compares them with the copies.
  case verify
  case disconnect
  /// Reads nothing from now on, as a process that is stopped.
  case stopReading

  // MARK: Player

  case next
  case previous
  case pause
  case playPause
  case stop
  case play
  /// A call that requests no reply.
  case nextWithoutReply
  case seek(by: Int)
  case setPosition(permille: Int)
  /// A position of a track that is not current.
  case setPositionElsewhere(Int)
  case setVolume(Int)
  case setRate(Int)
  /// One of the three loop modes; others are words that do not exist.
  case setLoop(Int)
  case setShuffle(Bool)
  case open(media: Int)
  case position

  // MARK: TrackList

  case addTrack(media: Int, after: Int, isCurrent: Bool)
  case removeTrack(Int)
  case goTo(Int)
  case trackMetadata

  // MARK: Monitor1

  case observePeriodically(Int)
  case observeTimes([Int])
  case observeFractions([Int])
  case removeObserver(Int)

  // MARK: Playlists

  /// Reads a part of the playlists: 0 is the order by name, 1 by change, 2 by playback, others are unknown.
  case playlists(order: Int, isReversed: Bool, from: Int, count: Int)
  /// A number beyond those of ``PlaylistChange`` is that of no playlist.
  case activatePlaylist(Int)

  // MARK: Extras1

  case sleepTimer(Int, afterTrack: Bool)
  case repeatPart(Int, to: Int)
  case stopRepeating
  case nextChapter
  case previousChapter
  case stopAfterCurrent(Bool)
  case consume(Bool)
  case refreshOutputs
  /// 0 is the configured output, 1 to 3 exist.
  case chooseOutput(Int)

  // MARK: Control1

  case status
  case queue(from: Int, count: Int)
  case removeTracks([Int])
  case moveTrack(Int, to: Int)
  case playTrack(Int)
  case clear
  case playlistNames
  case playlistURI(Int)
  case setMuted(Bool)
  case configuration
  case recording(withNames: Bool)
  case reload
  /// Opens media: 0 replaces the queue, 1 appends, 2 plays next, 3 plays now, others are not placements.
  case openAll(media: [Int], placement: Int, isPaused: Bool)
  case save(Int, replaces: Bool)

  // MARK: Nonsense

  /// One of the calls of ``Nonsense``.
  case nonsense(Int)
}

/// A change of the folder of playlists or of the configuration by another program.
package enum PlaylistChange: Hashable, Sendable {
  /// A playlist with this number has these media as its entries.
  case written(Int, media: [Int])
  /// The picture of a playlist appears.
  case picture(Int)
  case removed(Int)
  case folderRemoved
  /// An empty folder replaces the folder before the daemon notices.
  case folderReplaced
  /// The configuration is one of ``SimulatedService/configurations``.
  case configured(Int)
}

/// The calls that must be refused, each with the error.
struct Nonsense {
  var path = "/org/mpris/MediaPlayer2"
  var interface: String
  var member: String
  var values: [Value] = []
  var error: String

  /// An argument, without the types of the bus.
  enum Value {
    case text(String), number(Int64), real(Double), flag(Bool), variant(String), variantNumber(Int64), path(String)
    case numbers([Int64]), reals([Double]), texts([String]), index(UInt32), indices([UInt32]), noOptions
  }

  private static let properties = "org.freedesktop.DBus.Properties"
  private static let playerInterface = "org.mpris.MediaPlayer2.Player"
  private static let monitor = "org.playerd.Monitor1"
  private static let playlists = "org.mpris.MediaPlayer2.Playlists"
  private static let extras = "org.playerd.Extras1"
  private static let control = "org.playerd.Control1"

  static let all: [Nonsense] = [
    Nonsense(interface: playerInterface, member: "Jump", error: "UnknownMethod"),
    Nonsense(interface: "org.example.Unknown", member: "Next", error: "UnknownInterface"),
    Nonsense(path: "/org/example", interface: playerInterface, member: "Next", error: "UnknownObject"),
    Nonsense(interface: playerInterface, member: "Next", values: [.number(1)], error: "InvalidArgs"),
    Nonsense(interface: playerInterface, member: "Seek", values: [.text("far")], error: "InvalidArgs"),
    Nonsense(interface: playerInterface, member: "SetPosition", values: [.number(0)], error: "InvalidArgs"),
    Nonsense(interface: playerInterface, member: "OpenUri", values: [.text("not a URI")], error: "InvalidArgs"),
    Nonsense(interface: playerInterface, member: "OpenUri", values: [.text("gopher://a/b")], error: "NotSupported"),
    Nonsense(
      interface: properties, member: "Get", values: [.text(playerInterface), .text("Colour")],
      error: "UnknownProperty"),
    Nonsense(
      interface: properties, member: "Get", values: [.text("org.example.Unknown"), .text("Rate")],
      error: "UnknownInterface"),
    Nonsense(interface: properties, member: "Get", values: [.text(playerInterface)], error: "InvalidArgs"),
    Nonsense(
      interface: properties, member: "GetAll", values: [.text("org.example.Unknown")],
      error: "UnknownInterface"),
    Nonsense(
      interface: properties, member: "Set", values: [.text(playerInterface), .text("Position"), .variantNumber(5)],
      error: "PropertyReadOnly"),
    Nonsense(
      interface: properties, member: "Set", values: [.text(playerInterface), .text("Volume"), .variant("loud")],
      error: "InvalidArgs"),
    Nonsense(
      interface: properties, member: "Set", values: [.text(playerInterface), .text("Rate"), .variantNumber(1_000)],
      error: "InvalidArgs"),
    Nonsense(
      interface: properties, member: "Set", values: [.text(playerInterface), .text("LoopStatus"), .variant("Often")],
      error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: monitor, member: "AddPeriodicTimeObserver", values: [.number(1)],
      error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: monitor, member: "AddBoundaryTimeObserver", values: [.numbers([])],
      error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: monitor, member: "AddBoundaryFractionObserver", values: [.reals([1.5])],
      error: "InvalidArgs"),
    Nonsense(
      interface: playlists, member: "ActivatePlaylist", values: [.path("/org/playerd/playlist/none")],
      error: "InvalidArgs"),
    Nonsense(interface: playlists, member: "ActivatePlaylist", values: [.text("list")], error: "InvalidArgs"),
    Nonsense(interface: playlists, member: "GetPlaylists", values: [.number(0)], error: "InvalidArgs"),
    Nonsense(
      interface: properties, member: "Set", values: [.text(playlists), .text("PlaylistCount"), .variantNumber(5)],
      error: "PropertyReadOnly"),
    Nonsense(path: "/org/playerd", interface: playlists, member: "GetPlaylists", error: "UnknownInterface"),
    Nonsense(
      path: "/org/playerd", interface: extras, member: "SetSleepTimer", values: [.number(-1), .flag(false)],
      error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: extras, member: "SetSleepTimer", values: [.number(.max), .flag(false)],
      error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: extras, member: "SetABRepeat", values: [.number(5)], error: "InvalidArgs"),
    Nonsense(path: "/org/playerd", interface: extras, member: "SkipChapter", error: "UnknownMethod"),
    Nonsense(
      path: "/org/playerd", interface: properties, member: "Set",
      values: [.text(extras), .text("StopAfterCurrent"), .variant("yes")], error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: properties, member: "Set",
      values: [.text(extras), .text("AudioOutput"), .variant("output-1")], error: "PropertyReadOnly"),
    Nonsense(
      path: "/org/playerd", interface: control, member: "Open", values: [.texts(["song.ogg"]), .noOptions],
      error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: control, member: "RemoveTracks", values: [.indices([.max])],
      error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: control, member: "PlayTrack", values: [.index(.max)], error: "InvalidArgs"),
    Nonsense(
      path: "/org/playerd", interface: control, member: "Save", values: [.text("../list"), .flag(true)],
      error: "InvalidArgs"),
    Nonsense(path: "/org/playerd", interface: control, member: "SetMuted", values: [.number(1)], error: "InvalidArgs"),
  ]
}
