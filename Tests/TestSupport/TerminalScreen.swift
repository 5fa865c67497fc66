/// The contents of a terminal, from the bytes that a program writes to it.
///
/// It has the sequences that `xterm-256color` and the shell send: movements, erasing, and attributes, which are ignored.
struct TerminalScreen {
  private(set) var columns: Int
  private(set) var rows: Int
  private var cells: [[Character]]
  private var cursor = (row: 0, column: 0)
  private var pending: [UInt8] = []
  /// The contents and the cursor of the normal screen while the alternate one is shown.
  private var normal: (cells: [[Character]], cursor: (row: Int, column: Int))?
  /// Whether the alternate screen is shown.
  var isAlternate: Bool { normal != nil }
  /// Whether the cursor is hidden.
  private(set) var isCursorHidden = false
  /// The number of attributes that were set.
  private(set) var attributeCount = 0

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: [], count: rows)
  }

  /// The lines without blanks at their ends.
  var lines: [String] {
    cells.map { line in
      let text = String(line)
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Changes the size; lines are cut, as in xterm.
  mutating func resize(columns: Int, rows: Int) {
    if var saved = normal {
      saved.cells = saved.cells.prefix(rows).map { Array($0.prefix(columns)) }
      saved.cells += Array(repeating: [], count: rows - saved.cells.count)
      saved.cursor = (min(saved.cursor.row, rows - 1), min(saved.cursor.column, columns - 1))
      normal = saved
    }
    cells = cells.map { Array($0.prefix(columns)) }
    while cells.count > rows {
      // The terminal scrolls to keep the cursor.
      if cursor.row >= rows {
        cells.removeFirst()
        cursor.row -= 1
      } else {
        cells.removeLast()
      }
    }
    cells += Array(repeating: [], count: rows - cells.count)
    (self.columns, self.rows) = (columns, rows)
    cursor.column = min(cursor.column, columns - 1)
  }

  mutating func write(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let count = step() { pending.removeFirst(count) }
  }

  /// Carries out the first character or sequence; returns the number of its bytes, nil if it is incomplete.
  private mutating func step() -> Int? {
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1B: return escape()
    case 0x0D: cursor.column = 0
    case 0x0A: lineFeed()
    case 0x08: cursor.column = max(0, cursor.column - 1)
    case 0..<0x20: break
    default:
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard pending.count >= length else { return nil }
      for character in String(decoding: pending.prefix(length), as: UTF8.self) { put(character) }
      return length
    }
    return 1
  }

  private mutating func put(_ character: Character) {
    if cursor.column >= columns {
      cursor.column = 0
      lineFeed()
    }
    while cells[cursor.row].count <= cursor.column { cells[cursor.row].append(" ") }
    cells[cursor.row][cursor.column] = character
    cursor.column += 1
  }

  private mutating func lineFeed() {
    if cursor.row + 1 < rows {
      cursor.row += 1
    } else {
      cells.removeFirst()
      cells.append([])
    }
  }

  private mutating func escape() -> Int? {
    guard pending.count > 1 else { return nil }
    // A character set, or the mode of the keypad.
    if pending[1] == UInt8(ascii: "(") { return pending.count > 2 ? 3 : nil }
    guard pending[1] == UInt8(ascii: "[") else { return 2 }
    guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    let parameters = String(decoding: pending[2..<end], as: UTF8.self)
    let number = Int(parameters.prefix { $0.isNumber })
    switch Character(Unicode.Scalar(pending[end])) {
    case "A": cursor.row = max(0, cursor.row - max(1, number ?? 1))
    case "K": erase(to: cursor.row)
    case "J" where number ?? 0 == 0: erase(to: rows - 1)
    case "J":
      cells = Array(repeating: [], count: rows)
    case "H": cursor = (0, 0)
    case "m": if number ?? 0 != 0 { attributeCount += 1 }
    case "h" where parameters.hasPrefix("?25"), "h" where parameters == "?12;25": isCursorHidden = false
    case "l" where parameters.hasPrefix("?25"): isCursorHidden = true
    case "h" where parameters == "?1049" && normal == nil:
      normal = (cells, cursor)
      cells = Array(repeating: [], count: rows)
    case "l" where parameters == "?1049":
      if let normal { (cells, cursor) = normal }
      normal = nil
    default: break
    }
    return end + 1
  }

  /// Erases from the cursor to the end of a row.
  private mutating func erase(to last: Int) {
    cells[cursor.row] = Array(cells[cursor.row].prefix(cursor.column))
    for row in cells.indices where row > cursor.row && row <= last { cells[row] = [] }
  }
}
