import DBus
import Testing

@testable import PlayerdClient
@testable import PlayerdSystem

/// Tests of the live line of `watch`.
@Suite struct WatchLineTests {
  private func line(_ title: String = "A Song", status: String = "Playing", waits: String? = nil) -> WatchLine {
    var player = WatchedPlayer()
    player.mpris = [
      "PlaybackStatus": .string(status),
      "Metadata": .dictionary([
        ("mpris:trackid", .objectPath("/org/playerd/track/1")), ("xesam:title", .string(title)),
        ("xesam:artist", .strings(["Somebody"])),
      ]),
    ]
    player.monitor = [
      "Track": .objectPath("/org/playerd/track/1"),
      "TimeControlStatus": .string(waits == nil ? status == "Playing" ? "playing" : "paused" : "waitingToPlay"),
      "ReasonForWaitingToPlay": .string(waits ?? ""), "Duration": .int64(200_000_000),
      "BufferingPercent": .uint32(43),
    ]
    return WatchLine(player: player, position: 50_000_000)
  }

  @Test("The line shows the track, the position and the duration")
  func contents() {
    let text = line().text(width: 80)
    #expect(text.hasPrefix("▶ A Song — Somebody  ━━━━"))
    #expect(text.hasSuffix("  0:50 / 3:20"))
    let bar = text.filter { $0 == "━" || $0 == "─" }
    #expect(bar.filter { $0 == "━" }.count == bar.count / 4)
  }

  @Test("The line never fills the last column of the terminal, at any width", arguments: 0..<130)
  func width(_ width: Int) {
    let titles = ["A Song", String(repeating: "Long ", count: 60), "音楽はとても楽しいですね、本当に", "e\u{301}\u{301}le\u{300}ve 👩‍👩‍👧"]
    for title in titles {
      for waits in [nil, "toMinimizeStalls"] {
        #expect(line(title, waits: waits).text(width: width).columns <= max(0, width - 1))
      }
    }
  }

  @Test(
    "The symbol and the reason show the state",
    arguments: [
      ("Playing", nil, "▶", "3:20"), ("Paused", nil, "‖", "3:20"), ("Stopped", nil, "■", "3:20"),
      ("Playing", "toMinimizeStalls", "…", "buffering 43 %"),
      ("Playing", "noOutput", "…", "waiting for a sound device"),
      ("Playing", "evaluatingBufferingRate", "…", "loading"), ("Playing", "noItemToPlay", "…", "opening"),
    ] as [(String, String?, String, String)])
  func symbols(status: String, waits: String?, symbol: String, end: String) {
    let text = line(status: status, waits: waits).text(width: 100)
    #expect(text.hasPrefix(symbol) && text.hasSuffix(end), "\(text)")
  }

  @Test("Without a track the line reports that")
  func withoutTrack() {
    #expect(WatchLine(player: WatchedPlayer(), position: nil).text(width: 80) == "■ nothing to play")
  }

  @Test(
    "Times are printed in clock format",
    arguments: [
      (Int64(0), "0:00"), (59_999_999, "0:59"), (61_000_000, "1:01"), (3_723_000_000, "1:02:03"), (-5, "0:00"),
    ])
  func clock(time: Int64, text: String) { #expect(ClockTime.text(time) == text) }

  @Test("A boundary is shown with its fraction", arguments: [(Int64(2_800_000), "0:02.8"), (90_000_000, "1:30")])
  func fractions(time: Int64, text: String) { #expect(ClockTime.text(time, fractional: true) == text) }
}
