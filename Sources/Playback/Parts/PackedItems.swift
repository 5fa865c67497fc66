/// A list of items in a tenth of their memory.
///
/// Of each URI, only the part after its common beginning with the one before it is stored.
package struct PackedItems: Sendable {
  /// For each item: the length of the common beginning, the length of the rest, and the rest, in UTF-8.
  private var bytes: [UInt8] = []
  /// The first of consecutive IDs, and their number.
  private var runs: [(first: UInt64, count: Int)] = []
  /// The items that have more than a URI, by their index.
  private var others: [Int: Player.Item] = [:]

  package init(_ items: [Player.Item]) {
    var last: [UInt8] = []
    for (index, item) in items.enumerated() {
      if let run = runs.last, item.id.number == run.first &+ UInt64(run.count) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((item.id.number, 1))
      }
      if !item.isPlain { others[index] = item }
      let uri = item.isPlain ? Array(item.uri.utf8) : []
      let common = zip(last, uri).prefix { $0 == $1 }.count
      append(common)
      append(uri.count - common)
      bytes += uri[common...]
      last = uri
    }
    // Without the room for more.
    bytes = bytes.map(\.self)
  }

  /// The items, with their IDs.
  package var items: [Player.Item] {
    var items: [Player.Item] = []
    items.reserveCapacity(runs.reduce(0) { $0 + $1.count })
    var (place, uri) = (0, [UInt8]())
    for run in runs {
      for offset in 0..<UInt64(run.count) {
        uri.removeLast(uri.count - number(at: &place))
        let length = number(at: &place)
        uri += bytes[place..<place + length]
        place += length
        items.append(
          others[items.count]
            ?? Player.Item(
              replaying: Player.Item.ID(number: run.first &+ offset), uri: String(decoding: uri, as: UTF8.self),
              start: .zero, end: nil))
      }
    }
    return items
  }

  /// Appends a number in groups of seven bits, the lowest first.
  private mutating func append(_ number: Int) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private func number(at place: inout Int) -> Int {
    var (number, shift) = (0, 0)
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      number |= Int(byte & 0x7F) << shift
      guard byte & 0x80 != 0 else { break }
      shift += 7
    }
    return number
  }
}
