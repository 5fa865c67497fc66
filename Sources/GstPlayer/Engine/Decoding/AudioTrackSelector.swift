import Dispatch
import Playback
import Synchronization

/// Selects the audio track; the deck requests a selection, and GStreamer's threads carry it out.
///
/// playbin decodes every track, and an input-selector passes one of them on. Its initial choice is the first pad.
///
/// **At the start** the tracks are known before their languages. The language of a track arrives before its first
/// audio. If another track may be preferred, the audio of all tracks is blocked until each has arrived. The preferred
/// track then passes first.
///
/// **Later** a change of the selector's pad from another thread can cause a deadlock. A thread that waits downstream,
/// for example in a pause, is released only by a flush of the selected pad, and a seek waits for that thread. The pad
/// therefore stays selected until the flush has passed, and changes before any other data passes.
final class AudioTrackSelector: Sendable {
  /// A pad of the selector.
  struct Pad {
    let address: UInt
    let name: String
    var track: AudioTrack
    /// Whether its first audio has arrived.
    var hasArrived = false
  }

  private struct Request {
    var pad: String
    /// Whether the selected pad has not been flushed yet.
    var waitsForFlush = true
  }

  private struct State {
    let languages: [String]
    /// The track that a command selected, and its stream.
    var chosen: (stream: StreamToken, index: Int)?
    /// Whether no stream is loaded, or the loaded one is being unloaded.
    var isClosed = true
    /// The stream with known tracks, the address of its selector, and the pads of the selector.
    var stream = StreamToken(number: 0)
    var selector: UInt = 0
    var pads: [Pad] = []
    /// The default track of the media.
    var standard = 0
    var current = 0
    /// Whether all tracks are blocked until the preferred one has passed first.
    var isHolding = false
    /// Whether a track has not arrived in time.
    var isOverdue = false
    /// The semaphores of the waiting threads, one for each.
    var gates: [DispatchSemaphore] = []
    var request: Request?

    var isBusy: Bool { isHolding || request != nil }
    var isComplete: Bool { isOverdue || pads.allSatisfy(\.hasArrived) }
    var tracks: [AudioTrack] { pads.map(\.track) }

    var wanted: Int {
      if let chosen, chosen.stream == stream, pads.indices.contains(chosen.index) { return chosen.index }
      return LanguageTag.choice(among: tracks, preferring: languages) ?? standard
    }

    func index(_ pad: UInt, at selector: UInt) -> Int? {
      selector == self.selector ? pads.firstIndex { $0.address == pad } : nil
    }

    /// Returns the name of the pad to select before data passes a pad of the selector; nil for no change.
    func padToSelect(at selector: UInt) -> String? {
      guard selector == self.selector, let request, !request.waitsForFlush else { return nil }
      return request.pad
    }

    /// Returns the next step for the first audio of a track, or for a thread that has been woken.
    mutating func step(_ pad: UInt, at selector: UInt) -> Step {
      guard isHolding, let index = index(pad, at: selector) else { return .pass }
      pads[index].hasArrived = true
      if isComplete, index == current { return .select(pads[index].name) }
      let gate = DispatchSemaphore(value: 0)
      gates.append(gate)
      return .wait(gate)
    }

    /// Handles a time-out: passes the preferred track if it has arrived, otherwise the first track.
    mutating func giveUp() {
      if !isOverdue, pads.indices.contains(current), pads[current].hasArrived {
        isOverdue = true
      } else {
        isHolding = false
        current = 0
      }
    }
  }

  private enum Step {
    case pass
    case wait(DispatchSemaphore)
    case select(String)
  }

  /// The time that the other tracks wait for a track.
  private static let pipelineTimeout = DispatchTimeInterval.seconds(1)

  private let onTracksChanged: @Sendable (StreamToken, [AudioTrack], Int) -> Void
  private let state: Mutex<State>
  /// Whether data at the pads must be checked; read for every buffer.
  private let isBusy = Atomic<Bool>(false)

  /// Makes a switch; `onTracksChanged` receives the tracks of a stream and the index of the selected one, and must not
  /// block.
  init(
    preferring languages: [String],
    onTracksChanged: @escaping @Sendable (StreamToken, [AudioTrack], Int) -> Void
  ) {
    state = Mutex(State(languages: languages))
    self.onTracksChanged = onTracksChanged
  }

  private func change<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
    state.withLock { state in
      let wasHolding = state.isHolding && !state.isComplete
      let result = body(&state)
      if wasHolding && state.isComplete || !state.isHolding {
        for gate in state.gates { gate.signal() }
        state.gates = []
      }
      isBusy.store(state.isBusy, ordering: .releasing)
      return result
    }
  }

  // MARK: On any thread

  /// Requests a track: for a stream that is not open yet, from its start; for the present one, after a flush.
  func select(_ index: Int, of stream: StreamToken) {
    change { state in
      state.chosen = (stream, index)
      guard state.stream == stream, state.pads.indices.contains(index) else { return }
      state.current = index
      state.request = Request(pad: state.pads[index].name)
    }
  }

  /// Enables blocking; called when a stream is loaded.
  func open() { change { $0.isClosed = false } }

  /// Releases all blocked tracks; called when a stream is unloaded.
  func close() {
    change { state in
      state.isClosed = true
      state.isHolding = false
    }
  }

  // MARK: On streaming threads

  /// Stores the tracks of a stream, before any of their audio has passed.
  func begin(_ stream: StreamToken, _ pads: [Pad], standard: Int, selector: UInt) {
    change { state in
      state.stream = stream
      state.selector = selector
      state.pads = pads
      state.standard = standard
      state.request = nil
      state.current = state.wanted
      state.isOverdue = false
      state.isHolding = pads.count > 1 && !state.isClosed && (state.current != 0 || !state.languages.isEmpty)
      onTracksChanged(stream, state.tracks, state.current)
    }
  }

  /// Adds information to a track.
  func learn(of pad: UInt, at selector: UInt, _ merge: (AudioTrack) -> AudioTrack) {
    change { state in
      guard let index = state.index(pad, at: selector) else { return }
      let track = merge(state.pads[index].track)
      guard track != state.pads[index].track else { return }
      state.pads[index].track = track
      if state.isHolding, !state.isComplete { state.current = state.wanted }
      onTracksChanged(state.stream, state.tracks, state.current)
    }
  }

  /// Whether data at the pads must be checked.
  var isWatching: Bool { isBusy.load(ordering: .acquiring) }

  /// Blocks the first audio of a track, or its EOS, until it may pass; the wait has a time limit.
  ///
  /// - Parameters:
  ///   - pad: The address of the pad.
  ///   - selector: The address of the pad's selector.
  ///   - select: Selects the pad with a name; called at most once.
  func pass(_ pad: UInt, at selector: UInt, _ select: (String) -> Void) {
    while true {
      switch change({ $0.step(pad, at: selector) }) {
      case .pass: return
      case .select(let name):
        select(name)
        return change { $0.isHolding = false }
      case .wait(let gate):
        guard gate.wait(timeout: .now() + Self.pipelineTimeout) == .timedOut else { continue }
        change { state in
          // A thread that was signalled at the last moment takes the next step again.
          guard let index = state.gates.firstIndex(where: { $0 === gate }) else { return }
          state.gates.remove(at: index)
          guard state.isHolding, state.selector == selector else { return }
          state.giveUp()
          onTracksChanged(state.stream, state.tracks, state.current)
        }
      }
    }
  }

  /// Releases the blocked tracks when a flush starts.
  func flushBegins() { change { $0.isHolding = false } }

  /// Records that a flush has ended at a pad of a selector.
  func flushEnds(at selector: UInt, isSelected: Bool) {
    change { if $0.selector == selector, isSelected { $0.request?.waitsForFlush = false } }
  }

  /// Returns the name of the pad to select before data passes a pad of the selector; nil for no change.
  func padToSelect(at selector: UInt) -> String? {
    change { $0.padToSelect(at: selector) }
  }

  /// Records that the pad is selected; until then every thread selects it, so that no data of another track passes.
  func done(_ pad: String, at selector: UInt) {
    change { if $0.padToSelect(at: selector) == pad { $0.request = nil } }
  }
}
