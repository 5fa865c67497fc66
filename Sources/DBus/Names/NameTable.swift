import Glibc

typealias CString = UnsafePointer<CChar>

/// A table of elements by name; finds an element by the C string of a message without creating a `String`.
///
/// The rows are sorted by bytes and found by binary search, so a call needs no hashing and no allocation. (Passing a
/// `String` directly to C copies it to the heap; `withCString` lends it.)
struct NameTable<Element> {
  private var rows: [(name: String, element: Element)] = []

  init() {}

  /// Creates a table; of several elements with the same name, it keeps the first.
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

  /// Adds an element; returns false if the name is taken.
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

  /// Returns the index of a name, or the index at which to insert it.
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
