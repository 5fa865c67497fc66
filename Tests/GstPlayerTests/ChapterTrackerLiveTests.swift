import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Chapter changes during playback, live") struct ChapterTrackerLiveTests {
  @Test(
    "Chapter changes are reported during playback, in order with boundary times",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func live() async throws {
    try await withTemporaryDirectory { directory in
      let plain = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1.5, format: .wav))))
      let path = try directory.write(
        CueSheet.adding([(0, "Overture"), (22_050, "Aria"), (44_100, "Finale")], to: plain), to: "cues.wav")
      try await withPlayer([fileURI(path)], inFastTime: false) { harness in
        let (player, calls) = (harness.player, EventLog<String>())
        let observations = [
          player.addEventObserver { event, snapshot in
            if case .chapterChanged(_, let index?, let chapter?) = event {
              calls.append("\(index) \(chapter.title ?? "")")
              #expect(snapshot.currentChapterIndex == index)
            }
          },
          try player.addBoundaryTimeObserver(forTimes: [250, 750, 1250].map { .milliseconds($0) }) { crossing in
            calls.append("\(crossing.boundary)")
          },
        ]
        try await harness.playToEnd()
        try await waitForPendingCalls(player)
        #expect(
          calls.elements == ["0 Overture", "0.25 seconds", "1 Aria", "0.75 seconds", "2 Finale", "1.25 seconds"])
        for observation in observations { observation.cancel() }
      }
    }
  }
}
