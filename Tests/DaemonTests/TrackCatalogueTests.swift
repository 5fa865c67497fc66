import GstPlayer
import MPRISService
import PlayerdInterfaces
import Synchronization
import TestSupport
import Testing

@testable import mpris_playerd

@Suite("What is known of tracks that do not play") struct TrackCatalogueTests {
  private func metadata(_ number: UInt64) -> Metadata {
    Metadata(.init(trackID: TrackID(number, in: PlayerdName.tracks), title: "\(number)"))
  }

  @Test("What is stored is known, and the oldest goes when there is too much")
  func bounded() {
    let catalogue = TrackCatalogue { _ in }
    let items = (0..<TrackCatalogue.capacity * 3).map { PlayerItem(uri: "file:///\($0)") }
    for item in items { catalogue.store(metadata(item.id.number), of: item.id) }
    let known = items.filter { catalogue.metadata(of: $0.id) != nil }
    #expect(known == items.suffix(TrackCatalogue.capacity))
    let first = known[0]
    catalogue.store(metadata(1), of: first.id)
    #expect(catalogue.metadata(of: first.id) == metadata(1))
  }

  @Test("A file is inspected once and told of; a bad one and a server are not told of")
  func inspection() async throws {
    let file = try await Media.sine(seconds: 1, format: .flac, tags: Tags(title: "Known"))
    let items = [Media.missing, file].map { PlayerItem(uri: "file://\($0)") }
    let remote = PlayerItem(uri: "http://127.0.0.1:9/never.mp3")
    let learned = EventLog<PlayerItem.ID>()
    let catalogue = TrackCatalogue { learned.append($0) }
    for item in [remote] + items + items { catalogue.inspect(item) }
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await catalogue.run() }
    try await learned.first("the good file")
    let fields = catalogue.metadata(of: items[1].id)?.fields
    #expect(fields?.title == "Known" && fields?.length == .seconds(1) && fields?.trackID == TrackID(items[1]))
    #expect(learned.elements == [items[1].id])
    #expect(catalogue.metadata(of: items[0].id) == nil && catalogue.metadata(of: remote.id) == nil)
    work.cancel()
    await work.value
  }

  @Test("The picture of an inspected track is looked for before it is told of")
  func art() async throws {
    let cover = try await Media.cover(seed: 7)
    let file = try await Media.sine(seconds: 1, format: .flac, tags: Tags(title: "Known", cover: cover))
    let item = PlayerItem(uri: "file://\(file)")
    let learned = EventLog<PlayerItem.ID>()
    let catalogue = TrackCatalogue(art: { $0.item == item && $0.artwork != nil ? "file:///art" : nil }) {
      learned.append($0)
    }
    catalogue.inspect(item)
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await catalogue.run() }
    try await learned.first("the file") { $0 == item.id }
    #expect(catalogue.metadata(of: item.id)?.fields?.artURL == "file:///art")
    work.cancel()
    await work.value
  }
}
