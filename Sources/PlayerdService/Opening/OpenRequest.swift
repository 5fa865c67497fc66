package import DBus
import MPRISService
package import Playback
import PlayerMPRIS
import PlayerdSystem
import TextCoding

/// A request to open items.
///
/// The command creates one at each start; a second process sends its own over the bus.
package struct OpenRequest: Sendable, Equatable {
  package enum Placement: String, Sendable {
    case replace, append, next
    /// Insert after the current track and play at once.
    case now
    /// Insert at `position`; playback is not affected.
    case add
  }

  package var uris: [String] = []
  package var placement = Placement.replace
  var startsPaused = false
  var start: Duration?
  package var shuffle: Bool?
  package var loop: Player.LoopMode?
  /// The MPRIS volume, 0…1.
  package var volume: Double?
  package var rate: Double?
  /// The words that the names or titles of the tracks must have; empty for all tracks.
  var find: [String] = []
  /// The position for the items of `add`.
  var position = QueuePosition.end
  /// Whether the first item of `add` becomes current and plays.
  var becomesCurrent = false
  /// Whether this is the request of the daemon's start, which `undo` does not reverse.
  var isStart = false

  package init(
    uris: [String] = [], placement: Placement = Placement.replace, startsPaused: Bool = false, start: Duration? = nil,
    shuffle: Bool? = nil, loop: Player.LoopMode? = nil, volume: Double? = nil, rate: Double? = nil, find: [String] = [],
    position: QueuePosition = QueuePosition.end, becomesCurrent: Bool = false, isStart: Bool = false
  ) {
    self.uris = uris
    self.placement = placement
    self.startsPaused = startsPaused
    self.start = start
    self.shuffle = shuffle
    self.loop = loop
    self.volume = volume
    self.rate = rate
    self.find = find
    self.position = position
    self.becomesCurrent = becomesCurrent
    self.isStart = isStart
  }
}

extension OpenRequest {
  /// Applies the options that hold for the whole player; called when the first item is queued, or without items at once.
  func apply(to player: Player) {
    if let volume { player.volume = VolumeScale.linear(fromCubic: volume) }
    if let rate { player.rate = rate }
    if let loop { player.loop = loop }
    if let shuffle { player.isShuffled = shuffle }
  }

  /// The condition on which the first item of a request becomes current; it then plays unless the request starts
  /// paused.
  enum Takeover: Hashable, Sendable { case always, intoEmptyQueue, never }

  var takeover: Takeover {
    guard !uris.isEmpty else { return .never }
    return switch placement {
    case .replace, .now: .always
    case .append, .next: .intoEmptyQueue
    case .add: becomesCurrent ? .always : .never
    }
  }
}

/// A position in the queue.
package enum QueuePosition: Sendable, Equatable {
  case start, end
  /// After an item; at the end if it has been removed.
  case after(Player.Item.ID)
}

extension OpenRequest {
  /// The options of a request to another process; options without a value are omitted.
  package var options: [String: DBusValue] {
    let options: [String: DBusValue?] = [
      "placement": placement.rawValue.dbusValue, "paused": startsPaused.dbusValue,
      "start": start?.microseconds.dbusValue, "shuffle": shuffle?.dbusValue, "loop": loop?.rawValue.dbusValue,
      "volume": volume?.dbusValue, "rate": rate?.dbusValue, "find": find.isEmpty ? nil : find.dbusValue,
    ]
    return options.compactMapValues(\.self)
  }

  /// Parses a request from another process; unknown options are ignored, invalid values are rejected.
  init(uris: [String], options: [String: DBusValue]) throws(DBusError) {
    self.uris = uris
    for uri in uris where !FileURI.isURI(uri) { throw .invalidArguments("“\(uri.excerpt)” is not an absolute URI") }
    placement = try Self.read("placement", of: options) { $0.asString.flatMap(Placement.init) } ?? .replace
    startsPaused = try Self.read("paused", of: options) { $0.asBool } ?? false
    start = try Self.read("start", of: options) { $0.asInt64.flatMap { $0 >= 0 ? .microseconds($0) : nil } }
    shuffle = try Self.read("shuffle", of: options) { $0.asBool }
    loop = try Self.read("loop", of: options) { $0.asString.flatMap(Player.LoopMode.init) }
    volume = try Self.read("volume", of: options) { $0.asDouble.flatMap { (0...1).contains($0) ? $0 : nil } }
    find = try Self.read("find", of: options) { [String](dbusValue: $0).flatMap { $0.contains("") ? nil : $0 } } ?? []
    rate = try Self.read("rate", of: options) { $0.asDouble.flatMap { (0.25...4).contains($0) ? $0 : nil } }
  }

  private static func read<Result>(
    _ name: String, of options: [String: DBusValue], _ parse: (DBusValue) -> Result?
  ) throws(DBusError) -> Result? {
    guard let value = options[name] else { return nil }
    guard let result = parse(value) else {
      throw .invalidArguments("the option “\(name)” cannot have the value \("\(value)".excerpt)")
    }
    return result
  }
}
