import Synchronization

extension Player {
  /// A requested seek and its result; the player carries it out whether or not the value is used.
  public final class Seek: Sendable {
    /// The result, and the readers that wait for it.
    private let state = Mutex<(result: Bool?, readers: [@Sendable (Bool) -> Void])>((nil, []))

    /// Whether the seek was completed; waits until that is known.
    ///
    /// False if another seek, another item or a stop came first, or if the item is not seekable. The counterpart of the
    /// argument of the completion handler of `AVPlayer.seek(to:completionHandler:)`. It may be read more than once.
    public var isCompleted: Bool {
      get async {
        await withCheckedContinuation { reader in whenFinished { reader.resume(returning: $0) } }
      }
    }

    /// Calls `reader` with the result, now or when it is known; then under the lock of the player, so it must return at
    /// once, and not call the player.
    package func whenFinished(_ reader: @escaping @Sendable (Bool) -> Void) {
      let known = state.withLock { state in
        if state.result == nil { state.readers.append(reader) }
        return state.result
      }
      if let known { reader(known) }
    }

    /// Calls the readers; only the first call has an effect.
    func finish(_ isCompleted: Bool) {
      let readers = state.withLock { state in
        defer { state = (state.result ?? isCompleted, []) }
        return state.readers
      }
      for reader in readers { reader(isCompleted) }
    }
  }
}
