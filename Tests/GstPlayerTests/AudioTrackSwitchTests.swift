import Dispatch
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Audio track selection, on several threads")
struct AudioTrackSwitchTests {
  private static let selector: UInt = 1
  private static let stream = StreamToken(number: 1)

  /// An action of a thread at a pad.
  private enum Act: Equatable, Sendable { case selects(String), passes(UInt) }

  private let acts = EventLog<Act>()
  /// The track indices that were reported.
  private let selections = EventLog<Int>()

  private func pads(_ languages: [String?]) -> [AudioTrackSelector.Pad] {
    languages.enumerated().map { index, language in
      var track = AudioTrack()
      track.language = language
      return AudioTrackSelector.Pad(address: UInt(10 + index), name: "sink_\(index)", track: track)
    }
  }

  private func make(preferring languages: [String]) -> AudioTrackSelector {
    let selections = selections
    let made = AudioTrackSelector(preferring: languages) { _, _, current in selections.append(current) }
    made.open()
    return made
  }

  /// Delivers the first buffer to a pad, on a separate thread.
  private func arrive(_ pad: UInt, at tracks: AudioTrackSelector) {
    DispatchQueue(label: "track \(pad)").async { [acts] in
      tracks.pass(pad, at: Self.selector) { acts.append(.selects($0)) }
      acts.append(.passes(pad))
    }
  }

  private func waitFor(_ count: Int) async throws -> [Act] {
    for place in 0..<count { _ = try await acts.first("act \(place)", from: place, within: 20) { _ in true } }
    return acts.elements
  }

  @Test(
    "All tracks are held until each has a buffer; then the preferred one selects itself and passes first",
    arguments: [10, 11] as [UInt])
  func order(first: UInt) async throws {
    let tracks = make(preferring: ["de"])
    tracks.begin(Self.stream, pads([nil, nil]), standard: 0, selector: Self.selector)
    #expect(tracks.isWatching)
    tracks.learn(of: 11, at: Self.selector) {
      var track = $0
      track.language = "de"
      return track
    }
    #expect(selections.elements == [0, 1])
    arrive(first, at: tracks)
    arrive(21 - first, at: tracks)
    #expect(try await waitFor(3).first == .selects("sink_1"))
    #expect(!tracks.isWatching)
  }

  @Test("Waiting for a track without data ends")
  func giveUp() async throws {
    let tracks = make(preferring: ["de"])
    tracks.begin(Self.stream, pads(["en", "de", "fr"]), standard: 0, selector: Self.selector)
    arrive(10, at: tracks)
    #expect(try await waitFor(1) == [.passes(10)])
    #expect(!tracks.isWatching)
  }

  @Test("The preferred track passes first, even if another track delivers no data")
  func goesWithout() async throws {
    let tracks = make(preferring: ["de"])
    tracks.begin(Self.stream, pads(["en", "de", "fr"]), standard: 0, selector: Self.selector)
    arrive(10, at: tracks)
    arrive(11, at: tracks)
    #expect(try await waitFor(3).first == .selects("sink_1"))
  }

  @Test("Closing or flushing releases held tracks", arguments: [false, true])
  func release(isFlush: Bool) async throws {
    let tracks = make(preferring: ["de"])
    tracks.begin(Self.stream, pads(["en", "de"]), standard: 0, selector: Self.selector)
    arrive(10, at: tracks)
    if isFlush { tracks.flushBegins() } else { tracks.close() }
    #expect(try await waitFor(1) == [.passes(10)])
    if !isFlush {
      tracks.begin(Self.stream, pads(["en", "de"]), standard: 0, selector: Self.selector)
      #expect(!tracks.isWatching)
    }
  }

  @Test("A single track is not held, and no track is held without a preference")
  func free() {
    for (languages, spoken) in [(["de"], ["de"]), ([], ["en", "de"])] {
      let tracks = make(preferring: languages)
      tracks.begin(Self.stream, pads(spoken), standard: 0, selector: Self.selector)
      #expect(!tracks.isWatching)
    }
    let marked = make(preferring: [])
    marked.begin(Self.stream, pads(["en", "de"]), standard: 1, selector: Self.selector)
    #expect(marked.isWatching)
  }

  @Test("A requested track is selected after the flush of the audible track, until the selection is done")
  func request() {
    let tracks = make(preferring: [])
    tracks.begin(Self.stream, pads(["en", "de"]), standard: 0, selector: Self.selector)
    tracks.select(5, of: Self.stream)
    tracks.select(1, of: StreamToken(number: 7))
    #expect(!tracks.isWatching)
    tracks.select(1, of: Self.stream)
    #expect(tracks.padToSelect(at: Self.selector) == nil)
    tracks.flushEnds(at: Self.selector, isSelected: false)
    tracks.flushEnds(at: 9, isSelected: true)
    #expect(tracks.padToSelect(at: Self.selector) == nil)
    tracks.flushEnds(at: Self.selector, isSelected: true)
    #expect(tracks.padToSelect(at: Self.selector) == "sink_1")
    #expect(tracks.padToSelect(at: 9) == nil)
    #expect(tracks.padToSelect(at: Self.selector) == "sink_1")
    tracks.done("sink_1", at: Self.selector)
    #expect(tracks.padToSelect(at: Self.selector) == nil)
    #expect(!tracks.isWatching)
  }

  @Test("A track requested before its stream begins is audible from the start")
  func chosen() {
    let tracks = make(preferring: ["en"])
    tracks.select(1, of: Self.stream)
    tracks.begin(Self.stream, pads(["en", "de"]), standard: 0, selector: Self.selector)
    #expect(selections.elements == [1])
    #expect(tracks.isWatching)
    tracks.begin(StreamToken(number: 2), pads(["en", "de"]), standard: 0, selector: 2)
    #expect(selections.elements == [1, 0])
  }
}
