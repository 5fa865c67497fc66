import Testing

@testable import Playback

@Suite("Descriptions of the audible item for mixers") struct DescriptionTests {
  private static var configuration: Player.Configuration {
    var configuration = Player.Configuration()
    configuration.application = Player.Configuration.Application(name: "Program", id: "program", iconName: "icon")
    return configuration
  }

  /// A player with items, whose descriptions are recorded.
  private struct Descriptions {
    var machine: PlaybackMachine
    private var last: StreamDescription?

    init(_ items: [Player.Item], _ configuration: Player.Configuration = DescriptionTests.configuration) {
      machine = PlaybackMachine(configuration: configuration)
      _ = decide(.replaceQueue(ItemList(items), startingAt: 0, playOrder: nil))
    }

    /// Makes a decision; returns the titles and artists of the descriptions that its effects change.
    mutating func decide(_ input: PlaybackInput) -> [[String?]] {
      machine.decide(input, now: MonotonicTime(nanoseconds: 1))
      var changes: [[String?]] = []
      for case .command(.settings(let settings)) in machine.takeEffects() where settings.description != last {
        last = settings.description
        changes.append([last?.uri, last?.title, last?.artist])
      }
      return changes
    }

    mutating func tags(_ title: String?, _ artist: String? = nil) -> [[String?]] {
      var tags = MediaMetadata()
      tags.title = title
      tags.artists = artist.map { [$0] } ?? []
      return decide(.event(.stream(machine.token, .tags(tags, about: .item))))
    }
  }

  private static func item(_ uri: String, title: String? = nil, end: Duration? = nil) -> Player.Item {
    var given = Player.Item.ExternalMetadata()
    given.title = title
    return Player.Item(uri: uri, externalMetadata: given, end: end)
  }

  @Test("An item is described when it is loaded, and again with its tags; a stop keeps the description")
  func loaded() {
    var shown = Descriptions([Self.item("file:///a", title: "Given"), Self.item("file:///b")])
    #expect(shown.decide(.prepare) == [["file:///a", "Given", nil]])
    #expect(shown.tags("Title", "Artist") == [["file:///a", "Title", "Artist"]])
    #expect(shown.tags("Title", "Artist").isEmpty)
    #expect(shown.decide(.setVolume(0.5)).isEmpty)
    #expect(shown.decide(.advance(by: 1)) == [["file:///b", nil, nil]])
    #expect(shown.decide(.stop).isEmpty)
    #expect(shown.decide(.play).isEmpty)
    #expect(shown.decide(.advance(by: -1)) == [["file:///a", "Given", nil]])
  }

  @Test("A clip has its own title, not its media's")
  func clip() {
    var shown = Descriptions([Self.item("file:///a", title: "Part", end: .seconds(3))])
    _ = shown.decide(.prepare)
    #expect(shown.tags("Whole", "Artist") == [["file:///a", "Part", "Artist"]])
  }

  @Test("Without an application, nothing is described")
  func unnamed() {
    var shown = Descriptions([Self.item("file:///a")], Player.Configuration())
    #expect(shown.decide(.prepare).isEmpty)
  }
}
