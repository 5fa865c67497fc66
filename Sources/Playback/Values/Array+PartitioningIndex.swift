extension Array {
  /// Returns the first index whose element satisfies `belongsInSecondPartition`, by binary search.
  ///
  /// All elements after the first that satisfies it must satisfy it, too. Returns the end index if none does.
  package func partitioningIndex(where belongsInSecondPartition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecondPartition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
