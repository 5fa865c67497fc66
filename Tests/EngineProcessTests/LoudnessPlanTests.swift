import Playback
import Testing

@testable import EngineProcess

/// Table tests of the order of measurements and of the gain of each item.
@Suite("Loudness plan")
struct LoudnessPlanTests {
  /// Returns a result with one gating block at a loudness.
  private func track(_ loudness: Double, album: String? = nil) -> TrackLoudness {
    TrackLoudness(
      integrated: loudness, peak: 0.5, histogram: [Int((loudness + 70) / LoudnessGate.step): 100], album: album)
  }

  private func plan(_ mode: Player.Configuration.ReplayGain.Mode, _ groups: [[String]]) -> LoudnessPlan {
    var plan = LoudnessPlan(mode: mode)
    plan.announce(groups)
    return plan
  }

  @Test("Files are measured in the announced order, and each once")
  func order() {
    var plan = plan(.track, [["b"], ["c"], ["a"]])
    #expect(plan.next == "b")
    _ = plan.note(.measured(track(-20)), for: "b")
    #expect(plan.next == "c")
    _ = plan.note(.none, for: "c")
    #expect(plan.next == "a")
    plan.announce([["b"], ["c"]])
    #expect(plan.next == nil)
    #expect(!plan.wants("a"))
  }

  @Test("The gain of a track is −18 LUFS minus its loudness; without a result it is unchanged")
  func trackGain() {
    var plan = plan(.track, [["a", "b"]])
    _ = plan.note(.measured(track(-30)), for: "a")
    _ = plan.note(.none, for: "b")
    #expect(plan.open("a") == LoudnessGain(gain: 12, peak: 0.5))
    #expect(plan.open("b") == nil)
    #expect(plan.open("c") == nil)
  }

  @Test("An item that is opened again keeps the gain that it began with")
  func again() {
    var plan = plan(.track, [["a"], ["b"]])
    #expect(plan.open("a") == nil)
    _ = plan.note(.measured(track(-30)), for: "a")
    #expect(plan.open("a") == nil)
    #expect(plan.open("b") == nil)
    #expect(plan.open("a") == LoudnessGain(gain: 12, peak: 0.5))
  }

  @Test("An item that is opened again after its successor was requested keeps its gain, and so does the successor")
  func againBesideSuccessor() {
    var plan = plan(.track, [["a"], ["b"]])
    #expect(plan.open("a") == nil)
    #expect(plan.open("b", asSuccessor: true) == nil)
    for uri in ["a", "b"] { _ = plan.note(.measured(track(-30)), for: uri) }
    #expect(plan.open("a") == nil)
    #expect(plan.open("b", asSuccessor: true) == LoudnessGain(gain: 12, peak: 0.5))
    #expect(plan.open("c", asSuccessor: true) == nil)
    #expect(plan.open("b") == LoudnessGain(gain: 12, peak: 0.5))
    #expect(plan.open("a") == LoudnessGain(gain: 12, peak: 0.5))
  }

  @Test("The gain of an album needs the results of its whole folder, without files of another album")
  func albumGain() throws {
    var plan = plan(.album, [["a", "b", "x", "t"]])
    #expect(plan.note(.measured(track(-20.05, album: "1")), for: "a").isEmpty)
    #expect(plan.note(.measured(track(-20.05, album: "1")), for: "b").isEmpty)
    #expect(plan.note(.none, for: "t").isEmpty)
    let changed = plan.note(.measured(track(-30.05, album: "2")), for: "x")
    #expect(Set(changed.keys) == ["a", "b", "x"])
    #expect(plan.open("x").map { abs($0.gain - 12.05) < 0.001 } == true)
    #expect(plan.open("a").map { abs($0.gain - 2.05) < 0.001 } == true)
  }

  @Test("The items of an album that began unchanged stay unchanged, but another album does not")
  func continuedAlbum() {
    var plan = plan(.album, [["a", "b"], ["c"]])
    #expect(plan.open("a") == nil)
    _ = plan.note(.measured(track(-30)), for: "a")
    #expect(!plan.note(.measured(track(-30)), for: "b").isEmpty)
    _ = plan.note(.measured(track(-30)), for: "c")
    #expect(plan.open("b") == nil)
    #expect(plan.open("c") != nil)
    #expect(plan.open("a") != nil)
  }

  @Test("An album of the cache has its gain before its files are announced")
  func cachedAlbum() {
    var plan = plan(.album, [])
    var cached = track(-30)
    cached.albumGain = LoudnessGain(gain: 3, peak: 1)
    _ = plan.note(.measured(cached), for: "a")
    #expect(plan.open("a") == LoudnessGain(gain: 3, peak: 1))
  }

  @Test("The number of results is limited")
  func limit() {
    var plan = plan(.track, [])
    for number in 0..<600 { _ = plan.note(.none, for: "\(number)") }
    #expect(!plan.knows("0"))
    #expect(plan.knows("599"))
  }
}
