import EventLoop
import Synchronization

@testable import PlayerdSystem

/// The dates of files, and the watches of folders.
extension SimulatedDisk {
  var now: Duration { date() }

  func modified(_ path: [UInt8]) -> Duration? {
    state.withLock { state in state.names[Self.text(path)].flatMap { state.files[$0]?.modified } }
  }

  func watch(
    _ folder: [UInt8], on loop: PollLoop, _ changed: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? {
    let name = Self.text(folder)
    return state.withLock { state in
      guard state.folders.contains(name) else { return nil }
      let listener = FolderListener("\(name)/", on: loop, changed)
      state.watches.append(listener)
      return FolderListener.Owner { [weak self] in
        listener.end()
        self?.state.withLock { $0.watches.removeAll { $0 === listener } }
      }
    }
  }

  // MARK: For the run

  /// Writes a file as another program does.
  func put(_ path: String, _ bytes: [UInt8]) {
    _ = create(Array(path.utf8), with: bytes, permissions: .usual, like: nil, isSynchronized: true)
  }

  /// Removes a folder and its files as another program does.
  func removeFolder(_ folder: String) {
    for name in names(in: folder) { remove(Array("\(folder)/\(name)".utf8)) }
    state.withLock { state in
      state.folders.remove(folder)
      for watch in state.watches where watch.prefix == "\(folder)/" { watch.changed() }
      state.watches.removeAll { $0.prefix == "\(folder)/" }
    }
  }

  /// Replaces a file that an editor has written and synchronized; removes it for nil.
  func install(_ path: String, _ bytes: [UInt8]?, isReadable: Bool = true) {
    state.withLock { state in
      state.unreadable.remove(path)
      if !isReadable { state.unreadable.insert(path) }
      guard let bytes else {
        (state.names[path], state.durableNames[path]) = (nil, nil)
        return
      }
      state.lastFile += 1
      state.files[state.lastFile] = File(bytes: bytes, durable: bytes, modified: date())
      (state.names[path], state.durableNames[path]) = (state.lastFile, state.lastFile)
    }
  }

  func names(in folder: String) -> [String] { state.withLock { Self.names($0, in: folder) } }
}

/// Receives the changes in a folder; changes that arrive together are reported once.
final class FolderListener: Sendable {
  /// The end of a watch, when it is released.
  final class Owner: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  let prefix: String
  private let loop: PollLoop
  private let body: @Sendable () -> Void
  private let state = Mutex((isPending: false, hasEnded: false))

  init(_ prefix: String, on loop: PollLoop, _ body: @escaping @Sendable () -> Void) {
    self.prefix = prefix
    self.loop = loop
    self.body = body
  }

  func end() { state.withLock { $0.hasEnded = true } }

  func changed() {
    let isFirst = state.withLock { state in
      defer { state.isPending = true }
      return !state.isPending && !state.hasEnded
    }
    guard isFirst else { return }
    loop.submit { [self] in
      let hasEnded = state.withLock { state in
        state.isPending = false
        return state.hasEnded
      }
      if !hasEnded { body() }
    }
  }
}
