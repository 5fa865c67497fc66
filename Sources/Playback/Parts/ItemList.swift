/// The items of an input of the machine; a recorded list has numbers instead of URIs.
struct ItemList: Codable, Sendable {
  private var given: [Player.Item]?
  private(set) var runs: [ItemRun] = []

  private enum CodingKeys: CodingKey { case runs }

  init(_ items: [Player.Item]) { given = items }

  /// Creates a recorded list.
  init(recording items: [Player.Item]) { runs = ItemRun.runs(of: items) }

  /// The items; a recorded list contains stand-ins.
  var items: [Player.Item] { given ?? runs.reduce(into: []) { $0 += $1.items(atMost: PlayQueue.limit - $0.count) } }

  /// The list without URIs.
  var recorded: ItemList { given.map(ItemList.init(recording:)) ?? self }

  /// The bytes of a recorded list.
  var weight: Int {
    runs.reduce(0) { $0 + MemoryLayout<ItemRun>.stride + 32 + $1.folders.count * MemoryLayout<ItemRun.Folder>.stride }
  }
}

/// Items with consecutive numbers, as far as the rules of playback read them: a long queue takes a few bytes.
struct ItemRun: Codable, Equatable, Sendable {
  /// The number of the first item.
  var first: UInt64
  var count = 1
  /// The URI scheme; `file` for a local file.
  var scheme: String
  /// The folders of the items, in their order.
  var folders: [Folder]
  /// The part of the media that the item plays; nil for all of it.
  var clip: Clip?

  /// A folder with consecutive items: the items of an album have the same one.
  struct Folder: Codable, Equatable, Sendable {
    /// A number that is the same for the items of one folder, and differs from process to process.
    var number: UInt32
    var count: Int32 = 1
  }

  struct Clip: Codable, Equatable, Sendable {
    /// A number that is the same for the items of one media, and differs from process to process.
    var media: UInt32
    var start: Duration
    var end: Duration?
  }

  init(_ item: Player.Item) { self.init(item, folder: Self.number(of: item.folder)) }

  private init(_ item: Player.Item, folder: UInt32) {
    first = item.id.number
    folders = [Folder(number: folder)]
    scheme = item.isLocal ? "file" : String(item.uri.prefix(16).prefix { $0 != ":" }).lowercased()
    if item.isClip { clip = Clip(media: Self.number(of: item), start: item.start, end: item.end) }
  }

  static func runs(of items: [Player.Item]) -> [ItemRun] {
    var runs: [ItemRun] = []
    var last: (folder: Substring, number: UInt32)?
    for item in items {
      let folder = item.folder
      let number = last.flatMap { $0.folder == folder ? $0.number : nil } ?? number(of: folder)
      last = (folder, number)
      let next = ItemRun(item, folder: number)
      if let last = runs.last, last.clip == nil, next.clip == nil, last.scheme == next.scheme,
        next.first == last.first &+ UInt64(last.count)
      {
        runs[runs.count - 1].append(folder: number)
      } else {
        runs.append(next)
      }
    }
    return runs
  }

  /// Adds the next item, which is in a folder.
  private mutating func append(folder number: UInt32) {
    count += 1
    if let last = folders.last, last.number == number, last.count < .max {
      folders[folders.count - 1].count += 1
    } else {
      folders.append(Folder(number: number))
    }
  }

  /// Returns the stand-ins of the items, with their numbers.
  func items(atMost limit: Int) -> [Player.Item] {
    let limit = min(count, limit)
    var items: [Player.Item] = []
    for folder in folders {
      for _ in 0..<max(0, min(Int(folder.count), limit - items.count)) {
        items.append(item(first &+ UInt64(items.count), in: folder.number))
      }
    }
    return items
  }

  private func item(_ number: UInt64, in folder: UInt32) -> Player.Item {
    let name = clip.map { "media-\($0.media)" } ?? "item-\(number)"
    return Player.Item(
      replaying: Player.Item.ID(number: number), uri: "\(scheme):///\(folder)/\(name)", start: clip?.start ?? .zero,
      end: clip?.end)
  }

  private static func number(of folder: Substring) -> UInt32 { UInt32(truncatingIfNeeded: folder.hashValue) }

  /// Consecutive clips of one media are played without a gap if URI and headers are the same.
  private static func number(of item: Player.Item) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(item.uri)
    hasher.combine(item.httpHeaders)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}

/// An item that is recorded as a number instead of its URI.
@propertyWrapper
struct RecordedItem: Sendable {
  let wrappedValue: Player.Item
}

extension RecordedItem: Codable {
  /// Creates the stand-in of a recorded item.
  init(from decoder: any Decoder) throws {
    guard let item = try ItemRun(from: decoder).items(atMost: 1).first else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no item"))
    }
    self.init(wrappedValue: item)
  }

  func encode(to encoder: any Encoder) throws { try ItemRun(wrappedValue).encode(to: encoder) }
}
