import Dispatch
import Playback
import Synchronization

/// Which audio track is let through: what was asked for on the executor, and is done on GStreamer's own threads.
///
/// playbin decodes every track, and an input-selector lets one of them through; at first that is the one whose pad is the
/// first.
///
/// **At the start** the tracks are there before their languages are, which come ahead of the first sound of each. Where
/// another track may be wanted, the sound of all is held until it has come from each; then the wanted one goes first.
///
/// **Later** to set the selector's pad from outside is to be caught: a thread that waits downstream, as in a pause, is
/// freed by the flush of the selected pad alone, and a seek waits for that thread. So the pad stays the one it is until
/// the flush has passed, and becomes another before anything else passes.
final class AudioTrackSwitch: Sendable {
  /// A pad of the selector.
  struct Pad {
    let address: UInt
    let name: String
    var track: MediaDescription.AudioTrack
    /// Its first sound has come.
    var hasArrived = false
  }

  private struct Request {
    var pad: String
    /// Until the selected pad has been flushed.
    var waitsForFlush = true
  }

  private struct State {
    var languages: [String]
    /// What was chosen by command, and for which stream.
    var chosen: (stream: StreamToken, index: Int)?
    /// Nothing is loaded, or what is loaded is let go.
    var isClosed = true
    /// The stream whose tracks are there, its selector by address, and that one's pads.
    var stream = StreamToken(number: 0)
    var selector: UInt = 0
    var pads: [Pad] = []
    /// What the media itself would have.
    var standard = 0
    var current = 0
    /// The tracks are held until the wanted one has gone first.
    var isHolding = false
    /// Not all has come in time.
    var isOverdue = false
    /// Where the threads wait, each by itself.
    var gates: [DispatchSemaphore] = []
    var request: Request?

    var isBusy: Bool { isHolding || request != nil }
    var isComplete: Bool { isOverdue || pads.allSatisfy(\.hasArrived) }
    var tracks: [MediaDescription.AudioTrack] { pads.map(\.track) }

    var wanted: Int {
      if let chosen, chosen.stream == stream, pads.indices.contains(chosen.index) { return chosen.index }
      return LanguageTag.choice(among: tracks, preferring: languages) ?? standard
    }

    func index(_ pad: UInt, at selector: UInt) -> Int? {
      selector == self.selector ? pads.firstIndex { $0.address == pad } : nil
    }

    /// The first sound of one of them is here, or waits again: what is to be done with it.
    mutating func step(_ pad: UInt, at selector: UInt) -> Step {
      guard isHolding, let index = index(pad, at: selector) else { return .pass }
      pads[index].hasArrived = true
      if isComplete, index == current { return .select(pads[index].name) }
      let gate = DispatchSemaphore(value: 0)
      gates.append(gate)
      return .wait(gate)
    }

    /// Too long has been waited: whoever is here goes on.
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

  /// How long a track may let the others wait.
  private static let patience = DispatchTimeInterval.seconds(1)

  private let tell: @Sendable (StreamToken, [MediaDescription.AudioTrack], Int) -> Void
  private let state: Mutex<State>
  /// Whether what comes to a pad is to be looked at; read for every buffer.
  private let isBusy = Atomic<Bool>(false)

  /// Makes a switch that tells the tracks of a stream and the place of the one to be heard; that never waits.
  init(
    preferring languages: [String],
    tell: @escaping @Sendable (StreamToken, [MediaDescription.AudioTrack], Int) -> Void
  ) {
    state = Mutex(State(languages: languages))
    self.tell = tell
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

  // MARK: From the executor

  /// Asks for a track: of a stream to come from its start, of the present one when it has been flushed.
  func select(_ index: Int, of stream: StreamToken) {
    change { state in
      state.chosen = (stream, index)
      guard state.stream == stream, state.pads.indices.contains(index) else { return }
      state.current = index
      state.request = Request(pad: state.pads[index].name)
    }
  }

  /// Sets the languages for what is opened from now on.
  func prefer(_ languages: [String]) { change { $0.languages = languages } }

  /// A stream is loaded.
  func open() { change { $0.isClosed = false } }

  /// What is loaded is let go: nothing is held any more.
  func close() {
    change { state in
      state.isClosed = true
      state.isHolding = false
    }
  }

  // MARK: From streaming threads

  /// The tracks of a stream are there, and no sound of them has passed yet.
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
      tell(stream, state.tracks, state.current)
    }
  }

  /// More is known of a track.
  func learn(
    of pad: UInt, at selector: UInt, _ merge: (MediaDescription.AudioTrack) -> MediaDescription.AudioTrack
  ) {
    change { state in
      guard let index = state.index(pad, at: selector) else { return }
      let old = state.pads[index].track
      let track = merge(old)
      guard track != old else { return }
      state.pads[index].track = track
      if state.isHolding, !state.isComplete { state.current = state.wanted }
      tell(state.stream, state.tracks, state.current)
    }
  }

  /// Whether what comes is to be looked at.
  var isWatching: Bool { isBusy.load(ordering: .acquiring) }

  /// Sound comes to a pad, or its end: waits for its turn, not for long.
  ///
  /// - Parameters:
  ///   - pad: Where it comes to, by address.
  ///   - selector: The selector that the pad is of.
  ///   - select: Selects the pad of a name; called at most once.
  func pass(_ pad: UInt, at selector: UInt, _ select: (String) -> Void) {
    while true {
      switch change({ $0.step(pad, at: selector) }) {
      case .pass: return
      case .select(let name):
        select(name)
        return change { $0.isHolding = false }
      case .wait(let gate):
        guard gate.wait(timeout: .now() + Self.patience) == .timedOut else { continue }
        change { state in
          // One that was woken at the last moment looks again.
          guard let place = state.gates.firstIndex(where: { $0 === gate }) else { return }
          state.gates.remove(at: place)
          guard state.isHolding, state.selector == selector else { return }
          state.giveUp()
          tell(state.stream, state.tracks, state.current)
        }
      }
    }
  }

  /// A flush begins: it frees what is held.
  func flushBegins() { change { $0.isHolding = false } }

  /// The end of a flush comes to a pad of a selector.
  func flushEnds(at selector: UInt, isSelected: Bool) {
    change { if $0.selector == selector, isSelected { $0.request?.waitsForFlush = false } }
  }

  /// Something comes to a pad of a selector: the pad to select before it goes on.
  func padToSelect(at selector: UInt) -> String? {
    change { state in
      guard state.selector == selector, let request = state.request, !request.waitsForFlush else { return nil }
      return request.pad
    }
  }

  /// The pad is selected; until then every thread that comes by selects it, so that nothing slips through.
  func done(_ pad: String, at selector: UInt) {
    change { state in
      guard state.selector == selector, let request = state.request, !request.waitsForFlush, request.pad == pad else {
        return
      }
      state.request = nil
    }
  }
}
