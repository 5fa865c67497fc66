import Playback

/// The memory of a ring and its signals, which a player gives to a deck and to the output.
struct SharedRing: Sendable {
  private let memory: OwnedDescriptor
  /// Wakes the output, which reads the samples.
  private let output: (reading: RingSignal, writing: RingSignal)
  /// Wakes the deck, which writes them.
  private let deck: (reading: RingSignal, writing: RingSignal)

  /// Makes a ring; nil if memory or descriptors are exhausted.
  init?() {
    guard let memory = RingMemory.makeShared().map({ OwnedDescriptor($0) }), let output = RingSignal.makeEnds(),
      let deck = RingSignal.makeEnds()
    else { return nil }
    (self.memory, self.output, self.deck) = (memory, output, deck)
  }

  /// Gives the ring of a stream to the process of the output.
  func send(_ stream: StreamToken, toOutput child: EngineChild) {
    send(stream, output.reading, deck.writing, to: child)
  }

  /// Gives the ring of a stream to the process of its deck.
  func send(_ stream: StreamToken, toDecks child: EngineChild) { send(stream, deck.reading, output.writing, to: child) }

  private func send(_ stream: StreamToken, _ own: RingSignal, _ other: RingSignal, to child: EngineChild) {
    child.send(.ring(.memory, of: stream), with: memory)
    child.send(.ring(.own, of: stream), with: OwnedDescriptor(keeping: own))
    child.send(.ring(.other, of: stream), with: OwnedDescriptor(keeping: other))
  }
}
