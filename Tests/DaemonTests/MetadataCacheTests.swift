import GstPlayer
import MPRISService
import PlayerdInterfaces
import Synchronization
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Metadata of tracks that are not playing") struct MetadataCacheTests {
  private func metadata(_ number: UInt64) -> MPRISMetadata {
    MPRISMetadata(.init(trackID: MPRISTrackID(number, in: PlayerdName.tracks), title: "\(number)"))
  }

  @Test("Stored metadata is returned, and above the capacity the oldest is dropped")
  func bounded() {
    let metadataCache = MetadataCache(GStreamerFramework()) { _ in }
    let items = (0..<MetadataCache.capacity * 3).map { Player.Item(uri: "file:///\($0)") }
    for item in items { metadataCache.store(metadata(item.id.number), of: item.id) }
    let known = items.filter { metadataCache.metadata(of: $0.id) != nil }
    #expect(known == items.suffix(MetadataCache.capacity))
    let first = known[0]
    metadataCache.store(metadata(1), of: first.id)
    #expect(metadataCache.metadata(of: first.id) == metadata(1))
  }

  @Test("A file is inspected and reported once; an unreadable file and a server URI are not reported")
  func inspection() async throws {
    let file = try await Media.sine(seconds: 1, format: .flac, tags: Tags(title: "Known"))
    let items = [Media.missing, file].map { Player.Item(uri: "file://\($0)") }
    let remote = Player.Item(uri: "http://127.0.0.1:9/never.mp3")
    let learned = EventLog<Player.Item.ID>()
    let metadataCache = MetadataCache(GStreamerFramework()) { learned.append($0) }
    for item in [remote] + items + items { metadataCache.inspect(item) }
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await metadataCache.run() }
    try await learned.first("the good file")
    let fields = metadataCache.metadata(of: items[1].id)?.fields
    #expect(fields?.title == "Known" && fields?.length == .seconds(1) && fields?.trackID == MPRISTrackID(items[1]))
    #expect(learned.elements == [items[1].id])
    #expect(metadataCache.metadata(of: items[0].id) == nil && metadataCache.metadata(of: remote.id) == nil)
    work.cancel()
    await work.value
  }

  @Test("A failed inspection is not repeated, and is forgotten like the oldest metadata")
  func failure() async {
    let inspected = EventLog<String>()
    let media = ScriptedMedia { uri throws(PlayerError) in
      inspected.append(uri)
      throw PlayerError(code: .notFound, message: "scripted")
    }
    let metadataCache = MetadataCache(media) { _ in }
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await metadataCache.run() }
    let item = Player.Item(uri: "file:///nowhere/a.flac")
    for _ in 0..<2 { await metadataCache.inspect([item], within: .seconds(60), ContinuousClock()) }
    #expect(inspected.elements == [item.uri])
    for _ in 0..<MetadataCache.capacity {
      metadataCache.store(metadata(1), of: Player.Item(uri: "file:///nowhere/b.flac").id)
    }
    await metadataCache.inspect([item], within: .seconds(60), ContinuousClock())
    #expect(inspected.elements == [item.uri, item.uri])
    work.cancel()
    await work.value
  }

  @Test("A deferred inspection begins with the end of the low power mode")
  func deferred() async throws {
    let files = [
      try await Media.sine(seconds: 1, format: .flac, tags: Tags(title: "Deferred")),
      try await Media.sine(seconds: 1, format: .flac, tags: Tags(title: "Requested")),
    ]
    let items = files.map { Player.Item(uri: "file://\($0)") }
    let learned = EventLog<Player.Item.ID>()
    let metadataCache = MetadataCache(GStreamerFramework()) { learned.append($0) }
    metadataCache.inspectLater(items[0])
    metadataCache.inspectLater(items[0])
    metadataCache.inspect(items[1])
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await metadataCache.run() }
    try await learned.first("the requested file")
    #expect(learned.elements == [items[1].id])
    metadataCache.inspectDeferred()
    try await learned.first("the deferred file") { $0 == items[0].id }
    metadataCache.inspectDeferred()
    #expect(learned.elements == [items[1].id, items[0].id])
    work.cancel()
    await work.value
  }

  @Test("The picture of an inspected track is searched before the track is reported")
  func art() async throws {
    let cover = try await Media.cover(seed: 7)
    let file = try await Media.sine(seconds: 1, format: .flac, tags: Tags(title: "Known", cover: cover))
    let item = Player.Item(uri: "file://\(file)")
    let learned = EventLog<Player.Item.ID>()
    let metadataCache = MetadataCache(
      GStreamerFramework(), art: { $0.item == item && $0.artwork != nil ? "file:///art" : nil }
    ) {
      learned.append($0)
    }
    metadataCache.inspect(item)
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await metadataCache.run() }
    try await learned.first("the file") { $0 == item.id }
    #expect(metadataCache.metadata(of: item.id)?.fields?.artURL == "file:///art")
    work.cancel()
    await work.value
  }
}
