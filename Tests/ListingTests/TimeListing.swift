import CoreMedia
import Foundation
import Testing

/// The times of the page of CoreMedia.
@Suite struct TimeListing {
  @Test("The times of the page are computed as it says")
  func times() {
    let third = CMTime(value: 1, timescale: 3)
    let half = CMTime(seconds: 0.5, preferredTimescale: 600)
    let sum = third + half
    print(sum.seconds, sum.hasBeenRounded)
    let loop = CMTimeRange(start: third, duration: half)
    let folded = CMTimeFoldIntoRange(CMTime(value: 10, timescale: 1), foldRange: loop)
    print(loop.containsTime(folded), NSValue(time: folded).timeValue == folded)
    #expect(sum == CMTime(value: 500, timescale: 600) && !sum.hasBeenRounded)
    #expect(loop.containsTime(folded))
  }
}
