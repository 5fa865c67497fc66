import Logging

/// The files that a session is kept in; each is replaced as a whole, so that one of them is there at every moment.
///
/// `session.json` is the session. A queue that is long is not written again for every few seconds of play: the place in
/// it goes to `session-place.json`, which names the writing of the queue that it belongs to.
struct SessionStore: Sendable {
  /// Queues up to this length are written anew with every change of the place.
  static let shortQueue = 1000
  static let limit = 256 << 20

  let folder: String
  private let log: Logger
  private var generation: UInt64 = 0

  init(folder: String, log: Logger) {
    self.folder = folder
    self.log = log
  }

  /// The folder of the user; nil when there is no home.
  static var userFolder: String? { Directories.state.map { "\($0)/\(Names.executable)" } }

  private var path: String { "\(folder)/session.json" }
  private var placePath: String { "\(folder)/session-place.json" }

  /// The last session; nil when there is none, or none that can be read: that one is set aside.
  func load() -> Session? {
    let bytes: [UInt8]
    switch TextFile.bytes(of: path, limit: Self.limit) {
    case .success(let read): bytes = read
    case .failure(let failure) where failure.isAbsence: return nil
    case .failure(let failure): return setAside(failure.message)
    }
    let place = try? TextFile.bytes(of: placePath, limit: 1 << 16).get()
    do throws(SessionFormat.Fault) {
      return try SessionFormat.decode(bytes, place: place)
    } catch {
      switch error {
      case .damaged(let reason): return setAside(reason)
      case .newer(let version): return setAside("it is of version \(version)")
      }
    }
  }

  /// The last session; nil when there is none, or none that can be read.
  ///
  /// Nothing is changed.
  func peek() -> Session? {
    guard let bytes = try? TextFile.bytes(of: path, limit: Self.limit).get() else { return nil }
    return try? SessionFormat.decode(bytes, place: try? TextFile.bytes(of: placePath, limit: 1 << 16).get())
  }

  private func setAside(_ reason: String) -> Session? {
    let renamed = TextFile.rename(path, to: "\(path).damaged")
    log.warning("\(path): \(reason)\(renamed ? "; it is kept as session.json.damaged" : "")")
    return nil
  }

  /// Writes the whole.
  mutating func save(_ session: Session) {
    // Numbers must differ from those of another run's leftovers.
    generation = UInt64.random(in: 0...UInt64(Int64.max))
    write(SessionFormat.encode(session, generation: generation), to: path)
  }

  /// Writes the place in the session that was saved last.
  mutating func save(_ place: Session.Place) {
    write(SessionFormat.encode(place, generation: generation), to: placePath)
  }

  private func write(_ bytes: [UInt8], to path: String) {
    if case .failure(let failure) = TextFile.replace(path, with: bytes) { log.warning("\(path): \(failure.message)") }
  }
}
