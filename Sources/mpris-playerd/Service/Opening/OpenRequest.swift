import DBus
import GstPlayer
import MPRISService

/// What one start of the command asks for; a second start sends it to the first over the bus.
struct OpenRequest: Sendable, Equatable {
  enum Placement: String, Sendable {
    case replace, append, next
    /// After the current track, and playing at once.
    case now
    /// At `place`; what plays, or does not, goes on.
    case add
  }

  var uris: [String] = []
  var placement = Placement.replace
  var startsPaused = false
  var start: Duration?
  var shuffle: Bool?
  var loop: LoopMode?
  /// As MPRIS counts, 0…1.
  var volume: Double?
  var rate: Double?
  /// Where the items of `add` go.
  var place = QueuePlace.end
  /// The first item of `add` becomes current and plays.
  var goesThere = false
  /// What may be among the items, for a client that is not the user's own command; nil for anything.
  var policy: URIPolicy?
}

extension OpenRequest {
  /// When the first item of a request becomes the current one, and plays unless the request says otherwise.
  enum Takeover: Hashable, Sendable { case always, intoEmptyQueue, never }

  var takeover: Takeover {
    guard !uris.isEmpty else { return .never }
    return switch placement {
    case .replace, .now: .always
    case .append, .next: .intoEmptyQueue
    case .add: goesThere ? .always : .never
    }
  }
}

/// A place in the queue.
enum QueuePlace: Sendable, Equatable {
  case start, end
  /// After an item, or at the end when it is gone.
  case after(PlayerItem.ID)
}

extension LoopArgument {
  var mode: LoopMode {
    switch self {
    case .none: .none
    case .track: .track
    case .playlist: .playlist
    }
  }
}

extension OpenRequest {
  /// The options as they go over the bus; an option that was not given is left out.
  var options: [(String, Value)] {
    var options: [(String, Value)] = [("placement", .string(placement.rawValue)), ("paused", .boolean(startsPaused))]
    if let start { options.append(("start", .int64(start.microseconds))) }
    if let shuffle { options.append(("shuffle", .boolean(shuffle))) }
    if let loop { options.append(("loop", .string(loop.rawValue))) }
    if let volume { options.append(("volume", .double(volume))) }
    if let rate { options.append(("rate", .double(rate))) }
    return options
  }

  /// Reads what another process sent; an unknown option is ignored, a wrong value is refused.
  init(uris: [String], options: [String: Value]) throws(DBusError) {
    self.uris = uris
    for uri in uris where !FileURI.isURI(uri) { throw .invalidArguments("“\(uri.excerpt)” is not an absolute URI") }
    placement = try Self.read(options["placement"], "placement") { $0.asString.flatMap(Placement.init) } ?? .replace
    startsPaused = try Self.read(options["paused"], "paused") { $0.asBool } ?? false
    start = try Self.read(options["start"], "start") { $0.asInt64.flatMap { $0 >= 0 ? .microseconds($0) : nil } }
    shuffle = try Self.read(options["shuffle"], "shuffle") { $0.asBool }
    loop = try Self.read(options["loop"], "loop") { $0.asString.flatMap(LoopMode.init) }
    volume = try Self.read(options["volume"], "volume") { $0.asDouble.flatMap { (0...1).contains($0) ? $0 : nil } }
    rate = try Self.read(options["rate"], "rate") { $0.asDouble.flatMap { (0.25...4).contains($0) ? $0 : nil } }
  }

  private static func read<Result>(_ value: Value?, _ name: String, _ parse: (Value) -> Result?) throws(DBusError)
    -> Result?
  {
    guard let value else { return nil }
    guard let result = parse(value) else {
      throw .invalidArguments("the option “\(name)” cannot be \("\(value)".excerpt)")
    }
    return result
  }
}

extension String {
  /// The beginning of a text from outside, as an error may quote it.
  var excerpt: String { utf8.count <= 200 ? self : prefix(80) + "…" }
}
