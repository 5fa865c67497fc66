import Playback
import Testing

@testable import EngineProcess

/// Table tests of the order of measurements and of the gain of each item.
@Suite("Loudness results")
struct LoudnessResultsTests {
  /// Returns a result with one gating block at a loudness.
  private func track(_ loudness: Double, album: String? = nil) -> TrackLoudness {
    TrackLoudness(
      integrated: loudness, peak: 0.5, histogram: [Int((loudness + 70) / LoudnessGate.step): 100], album: album)
  }

  private func results(_ mode: Player.Configuration.ReplayGain.Mode, _ groups: [[String]]) -> LoudnessResults {
    var results = LoudnessResults(mode: mode)
    results.announce(groups)
    return results
  }

  @Test("Files are measured in the announced order, and each once")
  func order() {
    var results = results(.track, [["b"], ["c"], ["a"]])
    #expect(results.next == "b")
    _ = results.note(.measured(track(-20)), for: "b")
    #expect(results.next == "c")
    _ = results.note(.none, for: "c")
    #expect(results.next == "a")
    results.announce([["b"], ["c"]])
    #expect(results.next == nil)
    #expect(!results.wants("a"))
  }

  @Test("The gain of a track is −18 LUFS minus its loudness; without a result it is unchanged")
  func trackGain() {
    var results = results(.track, [["a", "b"]])
    _ = results.note(.measured(track(-30)), for: "a")
    _ = results.note(.none, for: "b")
    #expect(results.open("a") == LoudnessGain(gain: 12, peak: 0.5))
    #expect(results.open("b") == nil)
    #expect(results.open("c") == nil)
  }

  @Test("An item that is opened again keeps the gain that it began with")
  func again() {
    var results = results(.track, [["a"], ["b"]])
    #expect(results.open("a") == nil)
    _ = results.note(.measured(track(-30)), for: "a")
    #expect(results.open("a") == nil)
    #expect(results.open("b") == nil)
    #expect(results.open("a") == LoudnessGain(gain: 12, peak: 0.5))
  }

  @Test("An item that is opened again after its successor was requested keeps its gain, and so does the successor")
  func againBesideSuccessor() {
    var results = results(.track, [["a"], ["b"]])
    #expect(results.open("a") == nil)
    #expect(results.open("b", asSuccessor: true) == nil)
    for uri in ["a", "b"] { _ = results.note(.measured(track(-30)), for: uri) }
    #expect(results.open("a") == nil)
    #expect(results.open("b", asSuccessor: true) == LoudnessGain(gain: 12, peak: 0.5))
    #expect(results.open("c", asSuccessor: true) == nil)
    #expect(results.open("b") == LoudnessGain(gain: 12, peak: 0.5))
    #expect(results.open("a") == LoudnessGain(gain: 12, peak: 0.5))
  }

  @Test("The gain of an album needs the results of its whole folder, without files of another album")
  func albumGain() throws {
    var results = results(.album, [["a", "b", "x", "t"]])
    #expect(results.note(.measured(track(-20.05, album: "1")), for: "a").isEmpty)
    #expect(results.note(.measured(track(-20.05, album: "1")), for: "b").isEmpty)
    #expect(results.note(.none, for: "t").isEmpty)
    let changed = results.note(.measured(track(-30.05, album: "2")), for: "x")
    #expect(Set(changed.keys) == ["a", "b", "x"])
    #expect(results.open("x").map { abs($0.gain - 12.05) < 0.001 } == true)
    #expect(results.open("a").map { abs($0.gain - 2.05) < 0.001 } == true)
  }

  @Test("The items of an album that began unchanged stay unchanged, but another album does not")
  func continuedAlbum() {
    var results = results(.album, [["a", "b"], ["c"]])
    #expect(results.open("a") == nil)
    _ = results.note(.measured(track(-30)), for: "a")
    #expect(!results.note(.measured(track(-30)), for: "b").isEmpty)
    _ = results.note(.measured(track(-30)), for: "c")
    #expect(results.open("b") == nil)
    #expect(results.open("c") != nil)
    #expect(results.open("a") != nil)
  }

  @Test("An album of the cache has its gain before its files are announced")
  func cachedAlbum() {
    var results = results(.album, [])
    var cached = track(-30)
    cached.albumGain = LoudnessGain(gain: 3, peak: 1)
    _ = results.note(.measured(cached), for: "a")
    #expect(results.open("a") == LoudnessGain(gain: 3, peak: 1))
  }

  @Test("The number of results is limited")
  func limit() {
    var results = results(.track, [])
    for number in 0..<600 { _ = results.note(.none, for: "\(number)") }
    #expect(!results.knows("0"))
    #expect(results.knows("599"))
  }
}
