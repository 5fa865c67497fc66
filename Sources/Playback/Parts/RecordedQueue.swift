/// A queue without the URIs of its items.
struct RecordedQueue: Codable, Sendable {
  var list: ItemList
  var order: [Int32]?
  var currentIndex: Int?
  var loop: Player.LoopMode
  var revision: UInt64
  var random: ShuffleGenerator
}
