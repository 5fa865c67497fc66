import EventLoop
import Glibc
import Synchronization

@testable import PlayerdSystem

/// The disk of a simulated machine; it outlives the runs of the daemon.
///
/// A crash of the process keeps all written data. A loss of power keeps the synchronized data, any prefix of other data,
/// and any prefix of the changes of names since names were last synchronized.
final class SimulatedDisk: FileSystem {
  /// A file; its identity survives a change of its name.
  struct File {
    var bytes: [UInt8]
    /// The content that a loss of power does not affect.
    var durable: [UInt8]?
    var modified = Duration.zero
  }

  /// A change of a name that a loss of power may undo.
  enum NameChange {
    case set(String, Int)
    case removed(String)
  }

  /// The outcome of the next changes.
  enum Condition: Sendable { case good, full, readOnly }

  /// The end of the machine at a later operation.
  struct Crash: Sendable {
    /// The number of operations that are still carried out.
    var operations: Int
    /// The part of unsynchronized data and names that survives, in permille.
    var kept: Int
    var isPowerLoss: Bool
  }

  struct State {
    var files: [Int: File] = [:]
    var names: [String: Int] = [:]
    var durableNames: [String: Int] = [:]
    var changes: [NameChange] = []
    var lastFile = 0
    var condition = Condition.good
    var crash: Crash?
    var isDown = false
    var hasCrashed = false
    var music = MusicFolder()
    /// The time of an operation in milliseconds.
    var latency = 0
    var spent: [Int] = []
    var log: [Attempt] = []
    /// The new names that are not synchronized yet.
    var renamed: [String] = []
    var folders: Set<String> = []
    var watches: [FolderListener] = []
    var unreadable: Set<String> = []
  }

  /// An attempt to replace a file.
  struct Attempt: Sendable {
    var name: String
    var isSuccess: Bool
  }

  /// Whether the synchronization of a file synchronizes the names too, as a journal does.
  let hasJournal: Bool
  let state: Mutex<State>
  let date: @Sendable () -> Duration

  /// Creates an empty disk; `date` returns the present time for the dates of files.
  init(hasJournal: Bool, date: @escaping @Sendable () -> Duration = { .zero }) {
    self.hasJournal = hasJournal
    self.date = date
    state = Mutex(State())
  }

  // MARK: For the run

  /// Whether the machine has crashed.
  var isDown: Bool { state.withLock { $0.isDown } }
  var music: MusicFolder { state.withLock { $0.music } }

  func set(_ condition: Condition, latency: Int) {
    state.withLock { ($0.condition, $0.latency) = (condition, latency) }
  }

  func change(_ body: (inout MusicFolder) -> Void) { state.withLock { body(&$0.music) } }

  /// Lets the machine crash at a later operation; at once if none is to be carried out.
  func arm(_ crash: Crash) {
    state.withLock { state in
      state.crash = crash
      if crash.operations == 0 { Self.goDown(&state) }
    }
  }

  /// Ends the process in order.
  func stop() { state.withLock { $0.isDown = true } }

  /// Starts the machine again, after the effects of a loss of power; in a good condition.
  func start() {
    state.withLock { state in
      if let crash = state.crash, crash.isPowerLoss, state.hasCrashed { Self.losePower(&state, crash.kept) }
      state.hasCrashed = false
      state.crash = nil
      state.isDown = false
      state.condition = .good
      state.latency = 0
      state.log = []
      state.renamed = []
    }
  }

  /// Replaces the content of a file; does nothing if there is none.
  func damage(_ path: String, _ body: (inout [UInt8]) -> Void) {
    state.withLock { state in
      guard let number = state.names[path], var file = state.files[number] else { return }
      body(&file.bytes)
      file.durable = file.bytes
      state.files[number] = file
    }
  }

  /// Removes and returns the durations of the operations since the last call, in milliseconds.
  func takeTime() -> Int {
    state.withLock { state in
      defer { state.spent = [] }
      return state.spent.reduce(0, +)
    }
  }

  /// Removes and returns the attempts since the last call.
  func takeAttempts() -> [Attempt] {
    state.withLock { state in
      defer { state.log = [] }
      return state.log
    }
  }

  /// Returns a copy as a loss of power at this instant leaves it.
  func afterPowerLoss(kept: Int) -> SimulatedDisk {
    let copy = SimulatedDisk(hasJournal: hasJournal)
    var lost = state.withLock { $0 }
    Self.losePower(&lost, kept)
    lost.isDown = false
    lost.condition = .good
    lost.crash = nil
    let result = lost
    copy.state.withLock { $0 = result }
    return copy
  }

  func content(_ path: String) -> [UInt8]? {
    state.withLock { state in state.names[path].flatMap { state.files[$0]?.bytes } }
  }

  private static func losePower(_ state: inout State, _ kept: Int) {
    var names = state.durableNames
    for change in state.changes.prefix(state.changes.count * kept / 1_000) { apply(change, to: &names) }
    state.changes = []
    (state.names, state.durableNames) = (names, names)
    for number in state.files.keys {
      guard var file = state.files[number] else { continue }
      if file.durable != file.bytes { file.bytes = Array(file.bytes.prefix(file.bytes.count * kept / 1_000)) }
      file.durable = file.bytes
      state.files[number] = file
    }
    let used = Set(names.values)
    state.files = state.files.filter { used.contains($0.key) }
  }

  private static func apply(_ change: NameChange, to names: inout [String: Int]) {
    switch change {
    case .set(let name, let file): names[name] = file
    case .removed(let name): names[name] = nil
    }
  }

  private static func goDown(_ state: inout State) {
    state.isDown = true
    state.hasCrashed = true
  }

  /// Counts an operation; false if the machine is down, or goes down here.
  private static func isUp(_ state: inout State) -> Bool {
    guard !state.isDown else { return false }
    guard let crash = state.crash else { return true }
    guard crash.operations > 1 else {
      goDown(&state)
      return false
    }
    state.crash?.operations -= 1
    return true
  }

  private static func rename(_ state: inout State, _ change: NameChange) {
    apply(change, to: &state.names)
    let name =
      switch change {
      case .set(let name, _), .removed(let name): name
      }
    for watch in state.watches where name.hasPrefix(watch.prefix) { watch.changed() }
    state.changes.append(change)
  }

  // MARK: The file system

  static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

  func start(of path: [UInt8], count: Int) -> [UInt8] {
    if case .success(let bytes) = bytes(of: path, limit: .max) { Array(bytes.prefix(count)) } else { [] }
  }

  func bytes(of path: [UInt8], limit: Int) -> Result<[UInt8], FileFailure> {
    state.withLock { state in
      if let list = state.music.list(Self.text(path)) {
        state.spent.append(list.delay)
        return .success(list.bytes)
      }
      guard let number = state.names[Self.text(path)], let file = state.files[number] else {
        return .failure(FileFailure(number: ENOENT))
      }
      guard !state.unreadable.contains(Self.text(path)) else { return .failure(FileFailure(number: EACCES)) }
      return file.bytes.count <= limit ? .success(file.bytes) : .failure(FileFailure("larger than \(limit) bytes"))
    }
  }

  func create(
    _ path: [UInt8], with bytes: [UInt8], permissions: FilePermissions, like model: [UInt8]?, isSynchronized: Bool
  ) -> Outcome {
    let name = Self.text(path)
    return state.withLock { state in
      state.spent.append(state.latency)
      guard Self.isUp(&state) else { return .failure(FileFailure(number: EIO)) }
      guard state.condition != .readOnly else { return fail(&state, name, EROFS) }
      let number: Int
      if let existing = state.names[name] {
        number = existing
        state.files[number]?.bytes = []
      } else {
        state.lastFile += 1
        number = state.lastFile
        state.files[number] = File(bytes: [])
        Self.rename(&state, .set(name, number))
      }
      guard Self.isUp(&state) else { return .failure(FileFailure(number: EIO)) }
      // The crash may come after any part of the write.
      let isNext = state.crash.map { $0.operations <= 1 } ?? false
      let written = isNext ? bytes.count * (state.crash?.kept ?? 0) / 1_000 : bytes.count
      state.files[number]?.bytes = Array(bytes.prefix(written))
      state.files[number]?.modified = date()
      for watch in state.watches where name.hasPrefix(watch.prefix) { watch.changed() }
      guard Self.isUp(&state) else { return .failure(FileFailure(number: EIO)) }
      guard state.condition != .full else {
        Self.rename(&state, .removed(name))
        return fail(&state, name, ENOSPC)
      }
      guard isSynchronized else { return .success(()) }
      guard Self.isUp(&state) else { return .failure(FileFailure(number: EIO)) }
      state.files[number]?.durable = bytes
      if hasJournal { Self.synchronizeNames(&state) }
      return .success(())
    }
  }

  private func fail(_ state: inout State, _ name: String, _ number: CInt) -> Outcome {
    let target = name.hasSuffix(".new") ? String(name.dropLast(4)) : name
    state.log.append(Attempt(name: target, isSuccess: false))
    return .failure(FileFailure(number: number))
  }

  func rename(_ path: [UInt8], to other: [UInt8], replaces: Bool) -> Outcome {
    let (from, to) = (Self.text(path), Self.text(other))
    return state.withLock { state in
      guard Self.isUp(&state) else { return .failure(FileFailure(number: EIO)) }
      guard state.condition != .readOnly else { return fail(&state, from, EROFS) }
      guard let number = state.names[from] else { return .failure(FileFailure(number: ENOENT)) }
      guard replaces || state.names[to] == nil else { return .failure(FileFailure(number: EEXIST)) }
      Self.rename(&state, .removed(from))
      Self.rename(&state, .set(to, number))
      state.renamed.append(to)
      return .success(())
    }
  }

  func synchronize(folder: [UInt8]) -> Outcome {
    state.withLock { state in
      guard Self.isUp(&state) else { return .failure(FileFailure(number: EIO)) }
      guard state.condition != .readOnly else { return .failure(FileFailure(number: EROFS)) }
      Self.synchronizeNames(&state)
      state.log += state.renamed.map { Attempt(name: $0, isSuccess: true) }
      state.renamed = []
      return .success(())
    }
  }

  private static func synchronizeNames(_ state: inout State) {
    state.durableNames = state.names
    state.changes = []
  }

  @discardableResult
  func remove(_ path: [UInt8]) -> Outcome {
    state.withLock { state in
      guard Self.isUp(&state) else { return .failure(FileFailure(number: EIO)) }
      guard state.condition != .readOnly else { return .failure(FileFailure(number: EROFS)) }
      if state.names[Self.text(path)] != nil { Self.rename(&state, .removed(Self.text(path))) }
      return .success(())
    }
  }

  func makeFolder(_ path: [UInt8]) -> Outcome {
    state.withLock { _ = $0.folders.insert(Self.text(path)) }
    return .success(())
  }

  func identify(_ path: [UInt8]) -> Result<(kind: FileKind, id: FileID), FileFailure> {
    state.withLock { state in
      let name = Self.text(path)
      if let number = state.names[name] { return .success((.file, FileID(device: 1, inode: UInt64(number)))) }
      if state.folders.contains(name) { return .success((.folder, FileID(device: 3, inode: 1))) }
      return state.music.identify(name).map { .success($0) } ?? .failure(FileFailure(number: ENOENT))
    }
  }

  func list(_ folder: [UInt8]) -> Result<[FolderEntry], FileFailure> {
    state.withLock { state in
      let name = Self.text(folder)
      if state.folders.contains(name) {
        return .success(Self.names(state, in: name).map { FolderEntry(name: Array($0.utf8), kind: .file) })
      }
      let found = state.music.folder(name)
      state.spent.append(found.delay)
      return .success(found.entries)
    }
  }

  /// Returns the names in a folder, in order.
  static func names(_ state: State, in folder: String) -> [String] {
    state.names.keys.filter { $0.hasPrefix("\(folder)/") }.map { String($0.dropFirst(folder.utf8.count + 1)) }.sorted()
  }

  func resolved(_ path: [UInt8]) -> [UInt8]? { kind(of: path) == nil ? nil : path }
}
