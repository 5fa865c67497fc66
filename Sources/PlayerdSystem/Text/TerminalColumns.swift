extension String {
  /// The width in columns of a terminal.
  package var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// Returns the text cut to a width, with an ellipsis if it does not fit.
  package func cut(toColumns width: Int) -> String {
    guard columns > width else { return self }
    var text = ""
    var used = 1
    for character in self {
      let size = String(character).columns
      guard used + size <= width else { break }
      text.append(character)
      used += size
    }
    return width > 0 ? text + "…" : ""
  }
}

extension String {
  /// Returns the lines of the text in a width, broken at spaces; a longer word fills a separate line.
  package func wrapped(toColumns width: Int) -> [String] {
    split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, "\(last) \(word)".columns <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}

extension Unicode.Scalar {
  /// 0 for combining characters, 2 for wide East Asian characters and emoji, else 1.
  ///
  /// <https://www.unicode.org/reports/tr11/>
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isWide =
      switch value {
      case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
        true
      default: false
      }
    return isWide ? 2 : 1
  }
}
