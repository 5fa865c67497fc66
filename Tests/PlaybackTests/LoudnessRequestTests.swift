import Testing

@testable import Playback

/// Tests of the files whose loudness is requested, and of the state in which nothing is.
@Suite("Requests to measure loudness")
struct LoudnessRequestTests {
  private static func configuration(
    _ mode: Player.Configuration.ReplayGain.Mode, measures: Bool = true
  ) -> Player.Configuration {
    var gain = Player.Configuration.ReplayGain(mode: mode)
    if measures { gain.measurement = Player.Configuration.ReplayGain.Measurement() }
    return Player.Configuration(replayGain: gain)
  }

  /// A player with items, whose requests are recorded.
  private struct Requests {
    var machine: PlaybackMachine
    let items: [Player.Item]

    init(_ uris: [String], _ configuration: Player.Configuration) {
      items = uris.map { Player.Item(uri: $0) }
      machine = PlaybackMachine(configuration: configuration)
      _ = decide(.replaceQueue(ItemList(items), startingAt: 0, playOrder: nil))
    }

    /// Makes a decision; returns the requests in its effects.
    mutating func decide(_ input: PlaybackInput) -> [[[String]]] {
      machine.decide(input, now: MonotonicTime(nanoseconds: 1))
      return machine.takeEffects().compactMap {
        if case .announceFiles(let groups) = $0 { groups } else { nil }
      }
    }
  }

  private static let files = (0..<6).map { "file:///music/\($0).flac" }

  @Test("The next three items and the current one are requested when playback begins, and again for the next item")
  func upcoming() {
    var requests = Requests(Self.files, Self.configuration(.track))
    let files = Self.files
    #expect(requests.decide(.play) == [[[files[1]], [files[2]], [files[3]], [files[0]]]])
    #expect(requests.decide(.setVolume(0.5)).isEmpty)
    #expect(requests.decide(.advance(by: 1)) == [[[files[2]], [files[3]], [files[4]], [files[1]]]])
    #expect(requests.decide(.remove([requests.items[2].id])) == [[[files[3]], [files[4]], [files[5]], [files[1]]]])
    #expect(requests.decide(.setLoop(.track)) == [[[files[1]]]])
  }

  @Test("For its silence, the current item is the first one, also in its album", arguments: [true, false])
  func silence(isAlbum: Bool) {
    var configuration = isAlbum ? Self.configuration(.album) : Player.Configuration()
    configuration.silenceTrimming = .init()
    let files = Array(Self.files[..<3])
    var requests = Requests(files, configuration)
    #expect(requests.decide(.play) == [isAlbum ? [files] : [[files[0]], [files[1]], [files[2]]]])
    let second = isAlbum ? [[files[1], files[0], files[2]]] : [[files[1]], [files[2]]]
    #expect(requests.decide(.advance(by: 1)) == [second])
  }

  @Test("Nothing is requested while playback is paused or stopped")
  func paused() {
    var requests = Requests(Self.files, Self.configuration(.track))
    #expect(requests.decide(.prepare).isEmpty)
    #expect(requests.decide(.play).count == 1)
    #expect(requests.decide(.pause(fading: false)) == [[]])
    #expect(requests.decide(.advance(by: 1)).isEmpty)
    #expect(requests.decide(.play).count == 1)
    #expect(requests.decide(.stop) == [[]])
  }

  @Test("Nothing is requested in low power mode; its end requests the files, and its start withdraws them")
  func lowPower() {
    var configuration = Self.configuration(.track)
    configuration.isLowPowerModeEnabled = true
    var requests = Requests(Self.files, configuration)
    let files = Self.files
    #expect(requests.decide(.play).isEmpty)
    #expect(requests.decide(.advance(by: 1)).isEmpty)
    #expect(requests.decide(.setLowPowerMode(false)) == [[[files[2]], [files[3]], [files[4]], [files[1]]]])
    #expect(requests.decide(.setLowPowerMode(true)) == [[]])
  }

  @Test("Nothing is requested without the setting", arguments: [false, true])
  func off(usesTags: Bool) {
    let configuration = usesTags ? Self.configuration(.track, measures: false) : Player.Configuration()
    var requests = Requests(Self.files, configuration)
    #expect(requests.decide(.play).isEmpty)
    #expect(requests.decide(.advance(by: 1)).isEmpty)
  }

  @Test("Streams are not requested, and a file that occurs twice is requested once")
  func streams() {
    let queue = ["https://example.org/a", "file:///b", "http://example.org/c", "file:///b", "file:///d"]
    var requests = Requests(queue, Self.configuration(.track))
    #expect(requests.decide(.play) == [[["file:///b"]]])
  }

  @Test("In album mode the files of a folder are requested together, in list order")
  func albums() {
    let queue = ["file:///a/1", "file:///a/2", "file:///b/1", "file:///a/b/1", "file:///b/2", "file:///a/3"]
    var requests = Requests(queue, Self.configuration(.album))
    let expected = [["file:///a/1", "file:///a/2", "file:///a/3"], ["file:///b/1", "file:///b/2"], ["file:///a/b/1"]]
    #expect(requests.decide(.play) == [expected])
  }

  @Test("The files of a folder with more than 64 in the queue are single items")
  func largeFolder() {
    let queue = (0..<65).map { "file:///a/\($0)" }
    var requests = Requests(queue, Self.configuration(.album))
    #expect(requests.decide(.play) == [[[queue[1]], [queue[2]], [queue[3]], [queue[0]]]])
    _ = requests.decide(.stop)
    _ = requests.decide(.remove([requests.items[64].id]))
    #expect(requests.decide(.play) == [[Array(queue.dropLast())]])
  }

  @Test("A recorded state does not contain the folder of the cache")
  func recording() throws {
    var configuration = Self.configuration(.track)
    configuration.replayGain?.measurement?.cacheFolder = "/home/user/cache"
    let machine = PlaybackMachine(configuration: configuration)
    let state = RecordedState(machine, after: nil, now: MonotonicTime(nanoseconds: 1))
    #expect(state.replayed.configuration.replayGain?.measurement == Player.Configuration.ReplayGain.Measurement())
  }
}
