import Testing

@testable import Playback

/// Tests of the observers that are removed together.
@Suite struct ReleasedObserversTests {
  @Test("Of several released observers, only the first one requests their removal, until all are taken")
  func batches() {
    let released = ReleasedObservers()
    #expect([3, 1, 2].map { released.add($0) } == [true, false, false])
    #expect(released.take() == [3, 1, 2])
    #expect(released.take() == [])
    #expect(released.add(4))
    #expect(released.take() == [4])
  }
}
