import Testing

@testable import Playback

@Suite("State of the current item") struct CurrentItemTests {
  private var known: CurrentItem {
    var item = CurrentItem(
      details: ItemDetails.unknown.with(duration: .seconds(9)), audio: AudioSelection(tracks: [.init(), .init()]),
      status: .readyToPlay, isSeekable: true, loopCount: 3)
    item.audio.chosen = 1
    item.awaitsTags = true
    item.isStalled = true
    item.hasStartedAgain = true
    item.reconnection = Reconnection(at: MonotonicTime(nanoseconds: 1))
    item.rejectedSuccessors = [Player.Item(uri: "file:///x").id]
    return item
  }

  @Test("Reopening an item keeps the facts of its media and resets the state of the last attempt")
  func openAgain() {
    var item = known
    item.openAgain()
    #expect(item.details.duration == .seconds(9) && item.audio.chosen == 1 && item.isSeekable && item.loopCount == 3)
    #expect(item.status == .unknown && !item.awaitsTags && !item.isStalled && !item.hasStartedAgain)
    #expect(item.reconnection == nil && item.rejectedSuccessors.isEmpty)
  }

  @Test("A next item inherits nothing; a repetition keeps the details of its media", arguments: [false, true])
  func successor(isRepetition: Bool) {
    var successor = Successor(item: Player.Item(uri: "file:///next"), token: StreamToken(number: 2))
    successor.state.isSeekable = false
    successor.state.audio = AudioSelection(tracks: [.init(), .init()], current: 0)
    let next = CurrentItem(successor, isRepetition: isRepetition, after: known)
    #expect(next.details.duration == (isRepetition ? .seconds(9) : nil))
    #expect(next.audio.chosen == (isRepetition ? 1 : nil) && next.audio.current == (isRepetition ? 1 : 0))
    #expect(next.awaitsTags == !isRepetition)
    #expect(next.status == .readyToPlay && !next.isSeekable && !next.isStalled && !next.hasStartedAgain)
    #expect(next.reconnection == nil && next.rejectedSuccessors.isEmpty)
  }
}
