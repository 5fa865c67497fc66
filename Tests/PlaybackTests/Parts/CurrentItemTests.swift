import Testing

@testable import Playback

@Suite("The current item") struct CurrentItemTests {
  private var known: CurrentItem {
    var item = CurrentItem(
      details: ItemDetails.unknown.with(duration: .seconds(9)), audio: AudioSelection(tracks: [.init(), .init()]),
      status: .readyToPlay, isSeekable: true, loopCount: 3)
    item.audio.chosen = 1
    item.awaitsTags = true
    item.isStalled = true
    item.hasStartedAgain = true
    item.reconnection = Reconnection(at: MonotonicTime(nanoseconds: 1))
    item.unfitSuccessors = [PlayerItem(uri: "file:///x").id]
    return item
  }

  @Test("Another attempt keeps the facts of the media, and forgets the attempt before")
  func openAgain() {
    var item = known
    item.openAgain()
    #expect(item.details.duration == .seconds(9) && item.audio.chosen == 1 && item.isSeekable && item.loopCount == 3)
    #expect(item.status == .unknown && !item.awaitsTags && !item.isStalled && !item.hasStartedAgain)
    #expect(item.reconnection == nil && item.unfitSuccessors.isEmpty)
  }

  @Test("A successor has nothing of the item before it; a repetition has its media", arguments: [false, true])
  func successor(isRepetition: Bool) throws {
    var handOver = HandOver()
    let token = StreamToken(number: 2)
    handOver.offer(PlayerItem(uri: "file:///next"), token, cut: nil)
    handOver.update(token) {
      $0.isSeekable = false
      $0.audio = AudioSelection(tracks: [.init(), .init()], current: 0)
    }
    let taken = handOver.takeFirst()
    let first = try #require(taken)
    let next = CurrentItem(first, isRepetition: isRepetition, after: known)
    #expect(next.details.duration == (isRepetition ? .seconds(9) : nil))
    #expect(next.audio.chosen == (isRepetition ? 1 : nil) && next.audio.current == (isRepetition ? 1 : 0))
    #expect(next.awaitsTags == !isRepetition)
    #expect(next.status == .readyToPlay && !next.isSeekable && !next.isStalled && !next.hasStartedAgain)
    #expect(next.reconnection == nil && next.unfitSuccessors.isEmpty)
  }
}
