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

  @Test func `A track that settled is held back again when it is opened anew`() {
    var holdBack = HoldBack()
    #expect(holdBack.changed(Self.unknown) == .wait)
    holdBack.toldAnyway(Self.known)
    #expect(holdBack.changed(Self.unknown) == .wait)
  }
}
