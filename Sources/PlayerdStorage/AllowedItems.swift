/// The items of a queue that may be opened, by their indices in the queue.
package struct AllowedItems {
  /// The indices of the items, in list order.
  package let indices: [Int]
  /// The new index of each item.
  private let places: [Int: Int]

  /// Selects the items to which `objection` returns no reason; passes the others to `rejected`.
  init(
    of uris: [String], unless objection: (_ uri: String) -> String?,
    _ rejected: (_ uri: String, _ reason: String) -> Void
  ) {
    self.init(
      indices: uris.indices.filter { index in
        guard let reason = objection(uris[index]) else { return true }
        rejected(uris[index], reason)
        return false
      })
  }

  /// Selects the items with these indices.
  package init(indices: [Int]) {
    self.indices = indices
    places = Dictionary(uniqueKeysWithValues: indices.enumerated().map { ($1, $0) })
  }

  /// Returns the new index of an item; nil if it may not be opened.
  package func place(of index: Int) -> Int? { places[index] }

  /// Returns an order of the queue without the other items.
  package func order(_ order: [Int]) -> [Int] { order.compactMap { places[$0] } }

  /// Returns the new index of the current item, or else of the next one; 0 if there is none.
  package func current(_ index: Int) -> Int { min(indices.count { $0 < index }, max(0, indices.count - 1)) }
}
