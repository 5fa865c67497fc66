/// A key of a terminal.
enum ScreenKey: Hashable, Sendable {
  case character(Character)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, tab, escape, backspace
  /// A text that was pasted, not typed.
  case paste(String)
}

/// Converts the bytes of a terminal to keys; incomplete sequences wait for their rest.
struct ScreenKeyDecoder: Sendable {
  /// The sequences of the keys that are not characters.
  private let sequences: [(bytes: [UInt8], key: ScreenKey)]
  private var pending: [UInt8] = []
  /// The bytes of a paste whose end has not arrived; nil outside of one.
  private var pasted: [UInt8]?

  /// The sequences around a pasted text, see ``TerminalStrings/begin``.
  private static let (pasteStart, pasteEnd) = (Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8))
  /// The limit of a pasted text in bytes; the rest is omitted.
  static let pasteLimit = 4_096

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

  /// Whether a part of a sequence waits for its rest; the end of a paste has any time.
  var isWaiting: Bool { pasted == nil && !pending.isEmpty }

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

  /// Returns the keys of an incomplete sequence whose rest has not arrived: the Escape key.
  mutating func finish() -> [ScreenKey] {
    guard pasted == nil else { return [] }
    defer { pending = [] }
    return pending.first == 0x1B ? [.escape] : []
  }

  /// Appends the first key, if any; returns the number of its bytes, or nil if more bytes are needed.
  private mutating func next(_ keys: inout [ScreenKey]) -> Int? {
    guard let first = pending.first else { return nil }
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

  private func escape(_ keys: inout [ScreenKey]) -> Int? {
    if pending.count == 1 || sequences.contains(where: { $0.bytes.starts(with: pending) }) { return nil }
    guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
      keys.append(.escape)
      return 1
    }
    // A key without a meaning here: parameters, then a final byte.
    guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return pending.count > 32 ? pending.count : nil
    }
    return end + 1
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
