import Glibc

typealias CString = UnsafePointer<CChar>

/// Elements by name, found by the C string of a message without making a `String` of it.
///
/// Sorted by bytes and searched by halves: no hashing and no allocation in the path of a call. (A `String` that is passed
/// to C as it is gets copied to the heap; `withCString` lends it.)
struct NameTable<Element> {
  private var rows: [(name: String, element: Element)] = []

  init() {}

  /// The first of several elements with one name is kept.
  init(_ elements: [Element], by name: (Element) -> String) {
    for element in elements { _ = insert(element, for: name(element)) }
  }

  /// The elements, ordered by name.
  var elements: some Sequence<Element> { rows.lazy.map(\.element) }

  /// The names, ordered.
  var names: some Sequence<String> { rows.lazy.map(\.name) }

  subscript(name: CString) -> Element? {
    let (index, isFound) = unsafe search(name)
    return isFound ? rows[index].element : nil
  }

  /// Adds an element; false when the name is taken.
  mutating func insert(_ element: Element, for name: String) -> Bool {
    let (index, isFound) = unsafe search(name)
    if !isFound { rows.insert((name, element), at: index) }
    return !isFound
  }

  @discardableResult
  mutating func remove(_ name: String) -> Element? {
    let (index, isFound) = unsafe search(name)
    return isFound ? rows.remove(at: index).element : nil
  }

  /// Where a name is, or where it would be.
  private func search(_ name: CString) -> (index: Int, isFound: Bool) {
    var range = 0..<rows.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let order = unsafe rows[middle].name.withCString { unsafe strcmp(name, $0) }
      if order == 0 { return (middle, true) }
      range = order < 0 ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return (range.lowerBound, false)
  }
}

extension NameTable: Sendable where Element: Sendable {}
