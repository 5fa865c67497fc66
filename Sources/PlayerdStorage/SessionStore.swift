package import Logging
package import PlayerdSystem

/// The files of a session; each is replaced atomically, so that a complete file always exists.
///
/// `session.json` contains the session. A long queue is not rewritten every few seconds of playback: its playback
/// position goes to `session-place.json`, with the ID of the queue's version.
package struct SessionStore: Sendable {
  /// The longest queue that is rewritten with every change of the position.
  package static let shortQueue = 1000
  package static let limit = 256 << 20

  package let folder: String
  package let files: any FileSystem
  private let log: Logger
  private var writes: WriteLog
  private let makeGeneration: @Sendable () -> UInt64
  private var generation: UInt64 = 0

  /// Creates a store; `makeGeneration` returns a random ID, so that it differs from those in files of an earlier run.
  package init(
    folder: String, files: any FileSystem = LocalFileSystem(), log: Logger,
    makeGeneration: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0...UInt64(Int64.max)) }
  ) {
    self.folder = folder
    self.files = files
    self.log = log
    writes = WriteLog(log)
    self.makeGeneration = makeGeneration
  }

  /// The user's state folder; nil without a home directory.
  package static var userFolder: String? { Directories.state.map { "\($0)/\(Names.executable)" } }

  /// The user's session; nil without a home directory.
  package static var user: SessionStore? {
    userFolder.map { SessionStore(folder: $0, log: Logger(label: Names.executable)) }
  }

  private var path: String { "\(folder)/session.json" }
  private var placePath: String { "\(folder)/session-place.json" }

  /// Loads the last session; nil if there is none.
  ///
  /// A session that cannot be read is renamed.
  package func load() -> SavedSession? {
    do throws(FileFailure) {
      return try read()
    } catch {
      guard !error.isAbsence else { return nil }
      let renamed = files.rename(path, to: "\(path).damaged")
      log.warning("\(path): \(error.message)\(renamed ? "; renamed to session.json.damaged" : "")")
      return nil
    }
  }

  /// Loads the last session without changing any file; nil if there is none or it cannot be read.
  package func peek() -> SavedSession? { try? read() }

  /// Whether the last session can be read and has a queue.
  package var hasQueue: Bool { peek()?.queue.isEmpty == false }

  private func read() throws(FileFailure) -> SavedSession {
    let bytes = try files.bytes(of: path, limit: Self.limit).get()
    return try SessionFormat.decode(bytes, place: try? files.bytes(of: placePath, limit: 1 << 16).get())
  }

  /// Makes the files that have been loaded survive a loss of power.
  ///
  /// The process before may have ended between the new name of a file and its synchronization.
  package func makeDurable() { _ = files.synchronize(folder: Array(folder.utf8)) }

  /// Writes the whole session; returns whether it is on the disk.
  package mutating func save(_ session: SavedSession) -> Bool {
    generation = makeGeneration()
    return write(SessionFormat.encode(session, generation: generation), to: path)
  }

  /// Writes the playback position of the last saved session.
  package mutating func save(_ place: SavedSession.Playback) {
    _ = write(SessionFormat.encode(place, generation: generation), to: placePath)
  }

  private mutating func write(_ bytes: [UInt8], to path: String) -> Bool {
    writes.note(files.replace(path, with: bytes, hasFixedDraft: true, permissions: .secret), of: path)
  }
}
