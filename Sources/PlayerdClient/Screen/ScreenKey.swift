/// A key of a terminal, or an action of its mouse.
enum ScreenKey: Hashable, Sendable {
  case character(Character)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, tab, escape, backspace
  /// A text that was pasted, not typed.
  case paste(String)
  /// A press of the left button.
  case click(ScreenCell)
  /// A step of the wheel: -1 is up, 1 is down.
  case wheel(Int, ScreenCell)
}

/// A character cell of a terminal; the first column and the first line are 0.
struct ScreenCell: Hashable, Sendable {
  var column: Int
  var line: Int
}

/// Converts the bytes of a terminal to keys; incomplete sequences wait for their rest, and damaged ones are no keys.
struct ScreenKeyDecoder: Sendable {
  /// The sequences of the keys that are not characters.
  private let sequences: [(bytes: [UInt8], key: ScreenKey)]
  private var pending: [UInt8] = []
  /// The bytes of a paste whose end has not arrived; nil outside of one.
  private var pasted: [UInt8]?
  /// Whether the end of a sequence that is too long has not arrived.
  private var isOmitting = false

  /// The sequences around a pasted text, see ``TerminalStrings/begin``.
  private static let (pasteStart, pasteEnd) = (Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8))
  /// The limit of a pasted text in bytes; the rest is omitted.
  static let pasteLimit = 4_096
  /// The start of the mouse reports of SGR, and of those in bytes, which terminals without the mode 1006 send.
  private static let (mouseStart, mouseBytesStart) = (Array("\u{1B}[<".utf8), Array("\u{1B}[M".utf8))
  /// The limit of a sequence in bytes.
  private static let sequenceLimit = 32

  /// Creates a decoder with the sequences that terminfo has for a terminal, and the usual ones.
  init(_ sequences: [(bytes: [UInt8], key: ScreenKey)] = []) {
    self.sequences = sequences.filter { !$0.bytes.isEmpty } + Self.usual
  }

  /// The ECMA-48 sequences of the cursor keys in both of their modes, and those of the VT220; some terminals send sequences
  /// that terminfo lacks.
  private static let usual: [(bytes: [UInt8], key: ScreenKey)] =
    [("A", .up), ("B", .down), ("C", .right), ("D", .left), ("H", .home), ("F", .end)]
    .flatMap { (end, key) in ["[", "O"].map { (Array("\u{1B}\($0)\(end)".utf8), key) } }
    + [(1, .home), (4, .end), (5, .pageUp), (6, .pageDown)].map { (Array("\u{1B}[\($0)~".utf8), $1) }

  /// Whether a part of a sequence waits for its rest; the end of a paste and of a mouse report, which no key begins, has any
  /// time.
  var isWaiting: Bool {
    pasted == nil && !pending.isEmpty
      && ![Self.mouseStart, Self.mouseBytesStart].contains { pending.starts(with: $0) }
  }

  /// Returns the keys of the bytes that have arrived.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [ScreenKey] {
    pending += bytes
    var keys: [ScreenKey] = []
    while let count = pasted == nil ? next(&keys) : paste(&keys) { pending.removeFirst(count) }
    return keys
  }

  /// Moves pending bytes to the pasted text, which becomes a key at its end; returns their number, or nil if more bytes are
  /// needed.
  private mutating func paste(_ keys: inout [ScreenKey]) -> Int? {
    let end = pending.firstRange(of: Self.pasteEnd)
    // The sequence of the end may arrive in parts.
    let count = end?.lowerBound ?? max(0, pending.count - Self.pasteEnd.count + 1)
    let text = (pasted ?? []) + pending.prefix(count).prefix(max(0, Self.pasteLimit - (pasted?.count ?? 0)))
    guard let end else {
      pasted = text
      return count > 0 ? count : nil
    }
    pasted = nil
    keys.append(.paste(String(decoding: text, as: UTF8.self)))
    return end.upperBound
  }

  /// Returns the Escape key if nothing has followed its byte; other incomplete sequences are dropped.
  mutating func finish() -> [ScreenKey] {
    guard isWaiting else { return [] }
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }

  /// Appends the first key, if any; returns the number of its bytes, or nil if more bytes are needed.
  private mutating func next(_ keys: inout [ScreenKey]) -> Int? {
    guard let first = pending.first else { return nil }
    if isOmitting { return omit() }
    if pending.starts(with: Self.pasteStart) {
      pasted = []
      return Self.pasteStart.count
    }
    if let match = sequences.first(where: { pending.starts(with: $0.bytes) }) {
      keys.append(match.key)
      return match.bytes.count
    }
    switch first {
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x09: keys.append(.tab)
    case 0x08, 0x7F: keys.append(.backspace)
    case 0x1B: return escape(&keys)
    case 0..<0x20: break
    default: return character(&keys)
    }
    return 1
  }

  private mutating func escape(_ keys: inout [ScreenKey]) -> Int? {
    if pending.count == 1 || sequences.contains(where: { $0.bytes.starts(with: pending) }) { return nil }
    guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
      keys.append(.escape)
      return 1
    }
    if pending.starts(with: Self.mouseBytesStart) {
      guard pending.count >= Self.mouseBytesStart.count + 3 else { return nil }
      let values = pending[Self.mouseBytesStart.count...].prefix(3).map { Int($0) - 32 }
      if let key = ScreenKey(mouse: values) { keys.append(key) }
      return Self.mouseBytesStart.count + 3
    }
    guard let length = Self.length(of: pending) else {
      isOmitting = pending.count > Self.sequenceLimit
      return isOmitting ? pending.count : nil
    }
    // The press of a button ends with M, its release with m. Other sequences are keys without a meaning here.
    if pending.starts(with: Self.mouseStart), pending[length - 1] == UInt8(ascii: "M") {
      let numbers = pending[Self.mouseStart.count..<length - 1].split(
        separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      let values = numbers.filter { $0.allSatisfy { (0x30...0x39).contains($0) } }
        .compactMap { UInt16(String(decoding: $0, as: UTF8.self)).map(Int.init) }
      if values.count == numbers.count, let key = ScreenKey(mouse: values) { keys.append(key) }
    }
    return length
  }

  /// Drops the rest of a sequence that is too long.
  private mutating func omit() -> Int {
    guard let length = Self.length(of: [0x1B, UInt8(ascii: "[")] + pending) else { return pending.count }
    isOmitting = false
    return length - 2
  }

  /// Returns the length of a sequence of parameters and a final byte, or of its part before a byte that damages it; nil if
  /// more bytes are needed.
  private static func length(of bytes: [UInt8]) -> Int? {
    guard let end = bytes.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return nil }
    return (0x40...0x7E).contains(bytes[end]) ? end + 1 : end
  }

  private func character(_ keys: inout [ScreenKey]) -> Int? {
    let length = pending[0] < 0x80 ? 1 : pending[0] < 0xE0 ? 2 : pending[0] < 0xF0 ? 3 : 4
    guard pending.count >= length else { return nil }
    guard let text = String(validating: pending.prefix(length), as: UTF8.self), let character = text.first else {
      return 1
    }
    keys.append(.character(character))
    return length
  }
}

extension ScreenKey {
  /// Converts the values of a mouse report: the button, the column and the line, which count from 1; nil for other buttons
  /// than the left one and the wheel, and for those with a modifier.
  ///
  /// <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h3-Normal-tracking-mode>
  fileprivate init?(mouse values: [Int]) {
    guard values.count == 3, values[1] > 0, values[2] > 0 else { return nil }
    let cell = ScreenCell(column: values[1] - 1, line: values[2] - 1)
    switch values[0] {
    case 0: self = .click(cell)
    case 64: self = .wheel(-1, cell)
    case 65: self = .wheel(1, cell)
    default: return nil
    }
  }
}
