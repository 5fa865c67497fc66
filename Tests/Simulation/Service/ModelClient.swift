import DBus

/// A client of the simulated bus, with its copies of the properties and of the track list.
final class ModelClient {
  /// The manner of a client.
  enum Kind: Int, CaseIterable {
    /// Sends a command and leaves, as `playerctl` does.
    case command
    /// Follows the properties and the position, as a desktop shell does.
    case shell
    /// Follows everything, and observes the time.
    case widget
    /// Observes the time and leaves without removing its observers.
    case visitor
    /// Subscribes, and then reads nothing.
    case silent
    /// Sends wrong calls.
    case nonsense

    var isSubscriber: Bool { self == .shell || self == .widget || self == .silent }
  }

  /// A call without a reply yet.
  enum Pending {
    case call
    /// A GetAll that begins the copy of an interface.
    case copy(String)
    /// A GetAll that is compared with the copy.
    case comparison(String)
    case observer
    case playlists
  }

  static let player = "org.mpris.MediaPlayer2.Player"
  static let trackList = "org.mpris.MediaPlayer2.TrackList"
  static let monitor = "org.playerd.Monitor1"
  static let playlists = "org.mpris.MediaPlayer2.Playlists"
  static let extras = "org.playerd.Extras1"
  static let control = "org.playerd.Control1"
  /// The interfaces that are copied, each with the path of its object.
  static let copied = [
    (player, "/org/mpris/MediaPlayer2"), (trackList, "/org/mpris/MediaPlayer2"), (monitor, "/org/playerd"),
    ("org.mpris.MediaPlayer2", "/org/mpris/MediaPlayer2"), (playlists, "/org/mpris/MediaPlayer2"),
    (extras, "/org/playerd"),
  ]

  /// The properties that change without a signal: the position, and the buffered range that follows it.
  private static let unsignalled = ["Position", "LoadedTimeRanges"]

  let kind: Kind
  unowned let bus: ModelBus
  /// The unique name; empty while the client is not connected.
  private(set) var name = ""
  private(set) var isSubscribed = false
  private var isReading = true
  private var lastSerial: UInt32 = 0
  private var pending: [UInt32: Pending] = [:]
  private var copies: [String: [String: DBusValue]] = [:]
  private(set) var tracks: [String]?
  private var differences = CopyDifferences()
  /// One is enough for all comparisons that differ; one for each would multiply.
  private var isRecheckScheduled = false
  private(set) var observers: [UInt32] = []
  private var lastArrival: Int64 = 0
  private var unread = 0

  init(_ kind: Kind, bus: ModelBus) {
    self.kind = kind
    self.bus = bus
  }

  var isConnected: Bool { !name.isEmpty }
  var service: SimulatedService { bus.service }

  // MARK: The connection

  private func connect() {
    guard !isConnected else { return }
    name = bus.uniqueName()
    isReading = true
    unread = 0
    if kind.isSubscriber { subscribe() }
  }

  /// Leaves the bus; whatever is on its way to this client is lost.
  func leave(tellsService: Bool = true) {
    guard isConnected else { return }
    let old = name
    name = ""
    forget()
    isSubscribed = false
    service.checks.left(old)
    if tellsService { bus.left(old) }
  }

  private func forget() {
    pending = [:]
    copies = [:]
    tracks = nil
    differences = CopyDifferences()
    isRecheckScheduled = false
    observers = []
  }

  func serviceLost() { forget() }

  func serviceAppeared(_ name: String) {
    if kind.isSubscriber, name != "org.playerd" { subscribe() }
  }

  private func subscribe() {
    isSubscribed = true
    for (interface, _) in Self.copied { readAll(interface, .copy(interface)) }
    readPlaylists()
  }

  private func verify() {
    guard isSubscribed, isReading else { return }
    for (interface, _) in Self.copied where copies[interface] != nil { readAll(interface, .comparison(interface)) }
    readPlaylists()
  }

  /// Reads the names and icons of all playlists; PlaylistChanged keeps them up to date.
  private func readPlaylists() {
    send(
      "/org/mpris/MediaPlayer2", Self.playlists, "GetPlaylists",
      [.uint32(0), .uint32(100), .string("Alphabetical"), .boolean(false)], .playlists,
      made: .playlists(order: 0, isReversed: false, from: 0, count: 100))
  }

  private func readAll(_ interface: String, _ purpose: Pending) {
    let path = Self.copied.first { $0.0 == interface }?.1 ?? ""
    send(path, "org.freedesktop.DBus.Properties", "GetAll", [.string(interface)], purpose)
  }

  // MARK: Calls

  func send(
    _ path: String, _ interface: String, _ member: String, _ values: [DBusValue] = [], _ purpose: Pending = .call,
    made call: ClientCall? = nil, expectsReply: Bool = true
  ) {
    lastSerial += 1
    var message = BusMessage(.call)
    message.serial = lastSerial
    message.sender = name
    message.destination = path == "/org/playerd" ? "org.playerd" : "org.mpris.MediaPlayer2.playerd"
    (message.path, message.interface, message.member, message.values) = (path, interface, member, values)
    message.expectsReply = expectsReply
    guard bus.ownedNames.contains(message.destination) else { return }
    if expectsReply { pending[lastSerial] = purpose }
    service.checks.clientSends(message, call)
    bus.send(message)
  }

  private func onPlayer(_ call: ClientCall, _ member: String, _ values: [DBusValue] = [], expectsReply: Bool = true) {
    send("/org/mpris/MediaPlayer2", Self.player, member, values, made: call, expectsReply: expectsReply)
  }

  private func set(_ call: ClientCall, _ property: String, _ value: DBusValue) {
    send(
      "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties", "Set",
      [.string(Self.player), .string(property), .variant(value)], made: call)
  }

  private func onTracks(_ call: ClientCall, _ member: String, _ values: [DBusValue]) {
    send("/org/mpris/MediaPlayer2", Self.trackList, member, values, made: call)
  }

  private func observe(_ call: ClientCall, _ member: String, _ value: DBusValue) {
    send("/org/playerd", Self.monitor, member, [value], .observer, made: call)
  }

  /// Carries out a call of the script.
  func perform(_ call: ClientCall) {
    connect()
    switch call {
    case .subscribe: subscribe()
    case .verify: verify()
    case .disconnect: leave()
    case .stopReading: isReading = false
    case .next: onPlayer(call, "Next")
    case .previous: onPlayer(call, "Previous")
    case .pause: onPlayer(call, "Pause")
    case .playPause: onPlayer(call, "PlayPause")
    case .stop: onPlayer(call, "Stop")
    case .play: onPlayer(call, "Play")
    case .nextWithoutReply: onPlayer(call, "Next", expectsReply: false)
    case .seek(let offset): onPlayer(call, "Seek", [.int64(Int64(offset) * 1_000)])
    case .setPosition(let permille):
      let length = service.length ?? 100_000_000
      onPlayer(call, "SetPosition", [.objectPath(service.currentPath), .int64(length / 1_000 * Int64(permille))])
    case .setPositionElsewhere(let time):
      onPlayer(call, "SetPosition", [.objectPath("/org/playerd/track/0"), .int64(Int64(time) * 1_000)])
    case .setVolume(let percent): set(call, "Volume", .double(Double(percent) / 100))
    case .setRate(let percent): set(call, "Rate", .double(Double(percent) / 100))
    case .setLoop(let mode): set(call, "LoopStatus", .string(Self.loopWord(mode)))
    case .setShuffle(let isOn): set(call, "Shuffle", .boolean(isOn))
    case .open(let media): onPlayer(call, "OpenUri", [.string(service.uri(media))])
    case .position:
      send(
        "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties", "Get",
        [.string(Self.player), .string("Position")], made: call)
    case .addTrack(let media, let place, let isCurrent):
      onTracks(call, "AddTrack", [.string(service.uri(media)), .objectPath(track(place)), .boolean(isCurrent)])
    case .removeTrack(let place): onTracks(call, "RemoveTrack", [.objectPath(track(place))])
    case .goTo(let place): onTracks(call, "GoTo", [.objectPath(track(place))])
    case .trackMetadata:
      onTracks(call, "GetTracksMetadata", [.objectPaths((tracks ?? []).compactMap { try? ObjectPath($0) })])
    case .observePeriodically(let interval):
      observe(call, "AddPeriodicTimeObserver", .int64(Int64(interval) * 1_000))
    case .observeTimes(let times):
      observe(call, "AddBoundaryTimeObserver", .array("x", times.map { .int64(Int64($0) * 1_000) }))
    case .observeFractions(let fractions):
      observe(call, "AddBoundaryFractionObserver", .array("d", fractions.map { .double(Double($0) / 1_000) }))
    case .removeObserver(let place):
      guard !observers.isEmpty else { return }
      let number = observers.remove(at: place % observers.count)
      send("/org/playerd", Self.monitor, "RemoveTimeObserver", [.uint32(number)], made: call)
    case .nonsense(let number):
      let wrong = Nonsense.all[number % Nonsense.all.count]
      send(wrong.path, wrong.interface, wrong.member, wrong.values.map(\.value), made: call)
    default: performOnDaemon(call)
    }
    if kind == .command, call != .disconnect, lastSerial % 3 == 0 { leave() }
  }

  static func loopWord(_ mode: Int) -> String {
    ["None", "Track", "Playlist", "", "none"][((mode % 5) + 5) % 5]
  }

  private func track(_ place: Int) -> ObjectPath {
    let none: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    guard let tracks, !tracks.isEmpty, place >= 0 else { return none }
    return (try? ObjectPath(tracks[place % tracks.count])) ?? none
  }

  // MARK: Messages

  /// Queues a message for this client; a client that reads nothing has a limited queue in the bus.
  func queue(_ message: BusMessage, after delay: Int64) {
    guard isReading else {
      unread = min(unread + 1, 1_000)
      return
    }
    lastArrival = max(lastArrival, service.world.now + delay)
    service.schedule(.toClient(name, message), at: lastArrival)
  }

  func receive(_ message: BusMessage) {
    switch message.kind {
    case .signal: if message.sender == ModelBus.serviceName { follow(message) }
    case .reply, .error:
      guard let purpose = pending.removeValue(forKey: message.replySerial) else { return }
      guard message.kind == .reply else { return }
      switch purpose {
      case .call: break
      case .observer: if let number = message.values.first?.asInt64 { observers.append(UInt32(number)) }
      case .copy(let interface): copy(interface, message.values.first?.entries ?? [])
      case .comparison(let interface): compare(interface, message.values.first?.entries ?? [])
      case .playlists: listed(message.values.first?.playlists ?? [])
      }
    case .call: break
    }
  }

  private func copy(_ interface: String, _ values: [(String, DBusValue)]) {
    copies[interface] = Dictionary(values) { $1 }
    differences.end(interface)
    if interface == Self.trackList { tracks = Self.paths(values) }
  }

  /// Compares the playlists that the client knows already, and notes the others.
  private func listed(_ playlists: [(String, DBusValue)]) {
    let names = Set(playlists.map(\.0))
    var known = (copies["playlists"] ?? [:]).filter { names.contains($0.key) }
    for (id, value) in playlists where known[id] == nil { known[id] = value }
    copies["playlists"] = known
    compare("playlists", playlists)
  }

  private static func paths(_ values: [(String, DBusValue)]) -> [String]? {
    values.first { $0.0 == "Tracks" }?.1.asObjectPaths?.map(\.rawValue)
  }

  /// Applies a signal to the copies.
  private func follow(_ signal: BusMessage) {
    if let changes = signal.changedProperties {
      guard copies[changes.interface] != nil else { return }
      for (name, value) in changes.values {
        copies[changes.interface]?[name] = value
        differences.end(changes.interface, name)
      }
      // A playlist that was removed and created again has no PlaylistChanged.
      if changes.values.contains(where: { $0.0 == "PlaylistCount" }) {
        copies["playlists"] = nil
        differences.end("playlists")
      }
      return
    }
    if signal.member == "PlaylistChanged", let (id, value) = signal.values.first.flatMap(\.playlist) {
      copies["playlists"]?[id] = value
      differences.end("playlists", id)
      return
    }
    guard signal.interface == Self.trackList, var list = tracks else {
      if signal.member == "Seeked", kind == .shell, isReading { perform(.position) }
      return
    }
    switch signal.member {
    case "TrackListReplaced": list = signal.values.first?.asObjectPaths?.map(\.rawValue) ?? []
    case "TrackRemoved": list.removeAll { $0 == signal.values.first?.asObjectPath?.rawValue }
    case "TrackAdded":
      let added = signal.values.first?.entries.first { $0.0 == "mpris:trackid" }?.1.asObjectPath?.rawValue
      guard let added, !list.contains(added) else { break }
      let place = list.firstIndex { $0 == signal.values.last?.asObjectPath?.rawValue }
      list.insert(added, at: place.map { $0 + 1 } ?? 0)
    default: return
    }
    tracks = list
    differences.end(Self.trackList, "Tracks")
  }

  /// Compares newly read values with the copies.
  private func compare(_ interface: String, _ values: [(String, DBusValue)]) {
    var differs = false
    for (name, value) in values where !Self.unsignalled.contains(name) {
      // Descriptions are compared only if the values differ, because they take long.
      let isSame =
        name == "Tracks"
        ? tracks == value.asObjectPaths?.map(\.rawValue) ?? [] : copies[interface]?[name] == value
      let (old, new) = isSame ? ("", "") : comparable(interface, name, value)
      guard old != new else {
        differences.end(interface, name)
        continue
      }
      differs = true
      guard differences.note(interface, name, copy: old, value: new, at: service.world.now) else { continue }
      service.broke(
        name == "Tracks" ? .trackListFollows : .clientCopiesAgree, "\(name) is \(new), the copy of \(kind) has \(old)")
    }
    guard differs, !isRecheckScheduled else { return }
    isRecheckScheduled = true
    service.schedule(.recheck(self.name), at: service.world.now + 5_000_000_000)
  }

  private func comparable(_ interface: String, _ name: String, _ value: DBusValue) -> (String, String) {
    switch name {
    case "Tracks":
      return (tracks.map { "\($0)" } ?? "", "\(value.asObjectPaths?.map(\.rawValue) ?? [])")
    case "PositionAnchor":
      // An anchor that leads to the same position is the same one.
      let now = service.world.now / 1_000
      let positions = [copies[interface]?[name], value].map { $0?.position(at: now) ?? -1 }
      return abs(positions[0] - positions[1]) <= 40_000 ? ("", "") : ("\(positions[0])", "\(positions[1])")
    default: return (copies[interface]?[name].map { "\($0)" } ?? "nothing", "\(value)")
    }
  }

  func recheck() {
    isRecheckScheduled = false
    verify()
  }
}

extension DBusValue {
  /// Returns the position of a PositionAnchor at an instant, both in microseconds.
  fileprivate func position(at now: Int64) -> Int64? {
    guard case .structure(let fields) = self, fields.count == 3, let position = fields[0].asInt64,
      let instant = fields[1].asInt64, let rate = fields[2].asDouble
    else { return nil }
    return position + Int64(Double(now - instant) * rate)
  }
}

extension Nonsense.Value {
  fileprivate var value: DBusValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .int64(number)
    case .real(let number): .double(number)
    case .flag(let flag): .boolean(flag)
    case .variant(let text): .variant(.string(text))
    case .variantNumber(let number): .variant(.int64(number))
    case .path(let path): (try? ObjectPath(path)).map { .objectPath($0) } ?? .string(path)
    case .numbers(let numbers): .array("x", numbers.map { .int64($0) })
    case .reals(let numbers): .array("d", numbers.map { .double($0) })
    case .texts(let texts): .strings(texts)
    case .index(let number): .uint32(number)
    case .indices(let numbers): .array("u", numbers.map { .uint32($0) })
    case .noOptions: .dictionary([(String, DBusValue)]())
    }
  }
}
