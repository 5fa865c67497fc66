import CoreMedia
import Synchronization
import Testing

@Suite("Symbols of Apple's system") struct DarwinSymbolTests {
  private final class Counter: @unchecked Sendable {  // guarded by `objc_sync_enter`
    var count = 0
  }

  @Test("The units of time have Apple's values, for time scales")
  func units() {
    #expect(CMTime(seconds: 0.5, preferredTimescale: CMTimeScale(NSEC_PER_SEC)).value == 500_000_000)
    #expect(NSEC_PER_SEC == NSEC_PER_MSEC * MSEC_PER_SEC && NSEC_PER_SEC == NSEC_PER_USEC * USEC_PER_SEC)
    #expect(autoreleasepool { 7 } == 7)
    #expect(CFAbsoluteTimeGetCurrent() > 800_000_000)
  }

  @Test("The clock of the machine advances, and is the source of a timebase")
  func clock() {
    let first = CMClockGetTime(CMClockGetHostTimeClock())
    #expect(first.isNumeric && CACurrentMediaTime() >= first.seconds && CMClock.hostTimeClock.time >= first)
  }

  @Test("An object is locked for one thread, which may lock it again")
  func objectLock() async {
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<1000 { increment(counter) }
        }
      }
    }
    #expect(counter.count == 4000)
    #expect(objc_sync_exit(counter) == -1)

    @Sendable func increment(_ counter: Counter) {
      objc_sync_enter(counter)
      objc_sync_enter(counter)
      counter.count += 1
      objc_sync_exit(counter)
      objc_sync_exit(counter)
    }
  }
}
