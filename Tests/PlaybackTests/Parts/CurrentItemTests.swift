import Testing

@testable import Playback

@Suite("State of the current item") struct CurrentItemTests {
  private var known: CurrentItem {
    // An item that followed another one awaits its tags.
    var successors = Successors()
    successors.open(Player.Item(uri: "file:///known"), StreamToken(number: 1))
    successors.changeItem(of: StreamToken(number: 1)) { $0.audio = AudioSelection(tracks: [.init(), .init()]) }
    let previous = CurrentItem(isSeekable: true, loopCount: 3)
    var item = CurrentItem(successors.begin(), isRepetition: false, after: previous)
    item.becomeReady(isSeekable: true, claimed: .seconds(9))
    item.audio.select(1)
    _ = (item.stall(), item.startsAgain())
    item.reconnects(Reconnection(at: MonotonicTime(nanoseconds: 1)))
    item.reject(Player.Item(uri: "file:///x").id)
    return item
  }

  @Test("Reopening an item keeps the facts of its media and resets the state of the last attempt")
  func openAgain() {
    var item = known
    item.openAgain()
    #expect(item.details.duration == .seconds(9) && item.audio.chosen == 1 && item.isSeekable && item.loopCount == 3)
    #expect(item.status == .unknown && !item.awaitsTags && !item.isStalled)
    let startsAgain = item.startsAgain()
    #expect(startsAgain)
    #expect(item.reconnection == nil && item.rejectedSuccessors.isEmpty)
  }

  @Test("A next item inherits nothing; a repetition keeps the details of its media", arguments: [false, true])
  func successor(isRepetition: Bool) {
    var successors = Successors()
    successors.open(Player.Item(uri: "file:///next"), StreamToken(number: 2))
    successors.changeItem(of: StreamToken(number: 2)) {
      $0.isSeekable = false
      $0.audio = AudioSelection(tracks: [.init(), .init()], current: 0)
    }
    let successor = successors.begin()
    var next = CurrentItem(successor, isRepetition: isRepetition, after: known)
    #expect(next.details.duration == (isRepetition ? .seconds(9) : nil))
    #expect(next.audio.chosen == (isRepetition ? 1 : nil) && next.audio.current == (isRepetition ? 1 : 0))
    #expect(next.awaitsTags == !isRepetition)
    #expect(next.status == .readyToPlay && !next.isSeekable && !next.isStalled)
    let startsAgain = next.startsAgain()
    #expect(startsAgain)
    #expect(next.reconnection == nil && next.rejectedSuccessors.isEmpty)
  }
}
