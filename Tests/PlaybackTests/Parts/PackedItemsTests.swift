import Testing

@testable import Playback

@Suite("Packed items") struct PackedItemsTests {
  /// A URI with a common beginning of many bytes, and others.
  private static let uris =
    [
      "", "file:///", "file:///a/1.flac", "file:///a/10.flac", "file:///a/1.flac", "http://192.0.2.1/ä/é",
      "http://192.0.2.1/ä/è",
    ]
    + (0..<300).map { "file:///\(String(repeating: "long/", count: $0))\($0)" }

  @Test("All items are restored with their IDs, in any order of these")
  func restored() {
    var items = Self.uris.map { Player.Item(uri: $0) }
    var metadata = Player.Item.ExternalMetadata()
    metadata.title = "Title"
    items.insert(
      Player.Item(uri: "file:///clip", externalMetadata: metadata, start: .seconds(1), end: .seconds(2)), at: 3)
    for list in [items, items.reversed(), [], [items[0]], items + items] {
      let restored = PackedItems(list).items
      #expect(restored == list)
      #expect(restored.map(\.uri) == list.map(\.uri))
      #expect(restored.map(\.externalMetadata) == list.map(\.externalMetadata))
      #expect(restored.map(\.start) == list.map(\.start) && restored.map(\.end) == list.map(\.end))
    }
  }
}
