import DBus
import Testing

@testable import MPRISService

@Suite struct HoldBackTests {
  static let known = PlayerSnapshot.example
  static let unknown = PlayerSnapshot.example.with { $0.isSettled = false }
  static let next = unknown.with { $0.metadata = .example(number: 8) }

  @Test func `What is settled is told at once`() {
    var holdBack = HoldBack()
    #expect(holdBack.changed(Self.known) == .tell)
    #expect(holdBack.changed(Self.known) == .tell)
  }

  @Test func `What is not settled waits, with one limit for all of it`() {
    var holdBack = HoldBack()
    #expect(holdBack.changed(Self.unknown) == .wait)
    #expect(holdBack.changed(Self.unknown) == .keepWaiting)
    #expect(holdBack.changed(Self.next) == .keepWaiting)
    #expect(holdBack.changed(Self.known) == .tell)
    #expect(holdBack.changed(Self.unknown) == .wait)
  }

  @Test func `After the limit the same track's news wait no more, the next track's do`() {
    var holdBack = HoldBack()
    #expect(holdBack.changed(Self.unknown) == .wait)
    holdBack.toldAnyway(Self.unknown)
    #expect(holdBack.changed(Self.unknown) == .tell)
    #expect(holdBack.changed(Self.unknown) == .tell)
    #expect(holdBack.changed(Self.next) == .wait)
  }

  @Test func `What is read meanwhile is the track that was told, and everything else as it is`() {
    var holdBack = HoldBack()
    let louder = Self.next.with { $0.volume = 0.9 }
    #expect(holdBack.readable(Self.next).track == Self.next.track, "before anything was told there is only this")
    #expect(holdBack.readable(Self.known).track == Self.known.track)
    _ = holdBack.changed(louder)
    #expect(holdBack.readable(louder).track == Self.known.track)
    #expect(holdBack.readable(louder).volume == 0.9)
    holdBack.toldAnyway(louder)
    #expect(holdBack.readable(louder).track == louder.track)
  }

  @Test func `Of the first track no title is read before one is told, and it has more time`() {
    func title(_ snapshot: PlayerSnapshot) -> Value? { snapshot.metadata.value.asDictionary?["xesam:title"] }
    var holdBack = HoldBack()
    #expect(holdBack.changed(Self.unknown) == .wait)
    let read = holdBack.readable(Self.unknown)
    #expect(read.track == Self.unknown.track && title(read) == nil && title(Self.unknown) != nil)
    #expect(holdBack.limit == .seconds(2))
    holdBack.toldAnyway(Self.unknown)
    #expect(title(holdBack.readable(Self.unknown)) == title(Self.unknown))
    #expect(holdBack.changed(Self.next) == .wait)
    #expect(title(holdBack.readable(Self.next)) == title(Self.unknown))
    #expect(holdBack.limit == .milliseconds(200))
  }

  @Test func `An item that is looked for waits 200 ms, even as the first, and has its own limit once it is found`() {
    var holdBack = HoldBack()
    let opening = PlayerSnapshot(identity: "Fake player").with {
      $0.status = .playing
      $0.isOpening = true
      $0.isSettled = false
    }
    #expect(holdBack.changed(opening) == .wait)
    #expect(holdBack.limit == .milliseconds(200))
    #expect(holdBack.changed(opening) == .keepWaiting)
    #expect(holdBack.changed(Self.unknown) == .wait, "it was found within the limit")
    #expect(holdBack.limit == .seconds(2))
    holdBack = HoldBack()
    #expect(holdBack.changed(opening) == .wait)
    holdBack.toldAnyway(opening)
    let commanded = opening.with { $0.status = .paused }
    #expect(holdBack.changed(commanded) == .tell, "a command is published at once")
    #expect(holdBack.changed(Self.unknown) == .wait)
    #expect(holdBack.limit == .seconds(2))
  }

  @Test func `A track that settled is held back again when it is opened anew`() {
    var holdBack = HoldBack()
    #expect(holdBack.changed(Self.unknown) == .wait)
    holdBack.toldAnyway(Self.known)
    #expect(holdBack.changed(Self.unknown) == .wait)
  }
}
