import Dispatch
import EngineProcess
import Joining
import Playback
import Synchronization

/// The decks of a player: one for each open stream.
final class DeckHost: DeckService {
  private struct State {
    var decks: [StreamToken: Deck] = [:]
    var targets: [StreamToken: any SampleTarget] = [:]
    /// The decks that are closed and not released yet.
    var closing: [Deck] = []
  }

  private let configuration: Player.Configuration
  private let verifier: SampleVerifier?
  private let report: @Sendable (StreamToken, DeckReport) -> Void
  private let state = Mutex(State())

  init(
    _ configuration: Player.Configuration, verifier: SampleVerifier? = nil,
    report: @escaping @Sendable (StreamToken, DeckReport) -> Void
  ) { (self.configuration, self.verifier, self.report) = (configuration, verifier, report) }

  var sampleLimit: Duration { SampleSink.Limit().time }

  func perform(_ command: DeckCommand, of stream: StreamToken) {
    if case .open(let request) = command { return open(request, stream) }
    guard let deck = deck(stream) else { return }
    switch command {
    case .open: break
    case .seek(let passage, let target, let exactly, let format):
      deck.seek(passage, to: target, exactly: exactly, as: format)
    case .selectAudioTrack(let index): deck.selectAudioTrack(index)
    case .measure: report(stream, .measured(deck.takeProgress()))
    case .close:
      state.withLock { state in
        (state.decks[stream], state.targets[stream]) = (nil, nil)
        state.closing.removeAll(where: \.isReleased)
        state.closing.append(deck)
      }
      deck.close()
    }
  }

  private func open(_ request: DeckRequest, _ stream: StreamToken) {
    let target = state.withLock { $0.decks[stream] == nil ? $0.targets[stream] : nil }
    guard let target, request.passage.stream == stream else { return }
    let feed = DeckFeed(request, target) { [report] in report(stream, $0) }
    let deck = Deck(request, configuration: configuration, verifier: verifier) { feed.take($0) }
    state.withLock { $0.decks[stream] = deck }
    deck.open()
  }

  func attach(_ stream: StreamToken, _ target: any SampleTarget) { state.withLock { $0.targets[stream] = target } }

  func use(_ passage: Passage, before frame: Int64) { deck(passage.stream)?.advance(passage, to: frame) }

  func awaitsFrame(of stream: StreamToken) -> Bool { deck(stream)?.awaitsFrame ?? false }

  /// The progress of a network stream; nil for one that is not open.
  func progress(of stream: StreamToken) -> StreamProgress? { deck(stream)?.progress }

  private func deck(_ stream: StreamToken) -> Deck? { state.withLock { $0.decks[stream] } }

  // MARK: End

  func close() async {
    close(on: nil)
    await closed()
  }

  /// Closes all decks, the first one on the thread of a queue.
  func close(on thread: DispatchQueue?) {
    let decks = state.withLock { state in
      let open = state.decks.sorted { $0.key.number < $1.key.number }.map(\.value)
      (state.decks, state.targets) = ([:], [:])
      state.closing += open
      return open
    }
    for (index, deck) in decks.enumerated() { deck.close(on: index == 0 ? thread : nil) }
  }

  /// Waits until all closed decks have released everything, or are abandoned.
  func closed() async { for deck in state.withLock({ $0.closing }) { await deck.closed() } }
}
