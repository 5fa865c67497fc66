import DBus
import Testing

@testable import MPRISService

@Suite struct SignalCoalescerTests {
  static let known = MPRISSnapshot.example
  static let unknown = MPRISSnapshot.example.with { $0.isSettled = false }
  static let next = unknown.with { $0.metadata = .example(number: 8) }

  @Test("A settled snapshot is published at once")
  func settled() {
    var coalescer = SignalCoalescer()
    #expect(coalescer.changed(Self.known) == .publishNow)
    #expect(coalescer.changed(Self.known) == .publishNow)
  }

  @Test("Unsettled snapshots wait with one common limit")
  func unsettled() {
    var coalescer = SignalCoalescer()
    #expect(coalescer.changed(Self.unknown) == .wait)
    #expect(coalescer.changed(Self.unknown) == .keepWaiting)
    #expect(coalescer.changed(Self.next) == .keepWaiting)
    #expect(coalescer.changed(Self.known) == .publishNow)
    #expect(coalescer.changed(Self.unknown) == .wait)
  }

  @Test("After the limit, changes of the same track are published at once, and those of the next track wait")
  func afterLimit() {
    var coalescer = SignalCoalescer()
    #expect(coalescer.changed(Self.unknown) == .wait)
    coalescer.markPublished(Self.unknown)
    #expect(coalescer.changed(Self.unknown) == .publishNow)
    #expect(coalescer.changed(Self.unknown) == .publishNow)
    #expect(coalescer.changed(Self.next) == .wait)
  }

  @Test("While waiting, reads return the published track and the current values of all else")
  func reads() {
    var coalescer = SignalCoalescer()
    let louder = Self.next.with { $0.volume = 0.9 }
    #expect(coalescer.readable(Self.next).track == Self.next.track, "before the first signal there is only this track")
    #expect(coalescer.readable(Self.known).track == Self.known.track)
    _ = coalescer.changed(louder)
    #expect(coalescer.readable(louder).track == Self.known.track)
    #expect(coalescer.readable(louder).volume == 0.9)
    coalescer.markPublished(louder)
    #expect(coalescer.readable(louder).track == louder.track)
  }

  @Test("The first track has no readable title before it is published, and a longer limit")
  func firstTrack() {
    func title(_ snapshot: MPRISSnapshot) -> DBusValue? { snapshot.metadata.value.asDictionary?["xesam:title"] }
    var coalescer = SignalCoalescer()
    #expect(coalescer.changed(Self.unknown) == .wait)
    let read = coalescer.readable(Self.unknown)
    #expect(read.track == Self.unknown.track && title(read) == nil && title(Self.unknown) != nil)
    #expect(coalescer.limit == .seconds(2))
    coalescer.markPublished(Self.unknown)
    #expect(title(coalescer.readable(Self.unknown)) == title(Self.unknown))
    #expect(coalescer.changed(Self.next) == .wait)
    #expect(title(coalescer.readable(Self.next)) == title(Self.unknown))
    #expect(coalescer.limit == .milliseconds(200))
  }

  @Test("An opening item waits 200 ms, even as the first, and has its own limit once it is found")
  func opening() {
    var coalescer = SignalCoalescer()
    let opening = MPRISSnapshot(identity: "Fake player").with {
      $0.status = .playing
      $0.isOpening = true
      $0.isSettled = false
    }
    #expect(coalescer.changed(opening) == .wait)
    #expect(coalescer.limit == .milliseconds(200))
    #expect(coalescer.changed(opening) == .keepWaiting)
    #expect(coalescer.changed(Self.unknown) == .wait, "the item was found within the limit")
    #expect(coalescer.limit == .seconds(2))
    coalescer = SignalCoalescer()
    #expect(coalescer.changed(opening) == .wait)
    coalescer.markPublished(opening)
    let commanded = opening.with { $0.status = .paused }
    #expect(coalescer.changed(commanded) == .publishNow, "a command is published at once")
    #expect(coalescer.changed(Self.unknown) == .wait)
    #expect(coalescer.limit == .seconds(2))
  }

  @Test("A settled track waits again when it is reopened")
  func reopened() {
    var coalescer = SignalCoalescer()
    #expect(coalescer.changed(Self.unknown) == .wait)
    coalescer.markPublished(Self.known)
    #expect(coalescer.changed(Self.unknown) == .wait)
  }
}
