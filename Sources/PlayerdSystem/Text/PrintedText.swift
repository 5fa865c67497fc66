import TextCoding

/// Makes texts safe to print: titles, names and arguments are untrusted, and could control the terminal.
extension String {
  /// The text as one line: line ends and control characters are replaced by spaces, and marks of the text direction are
  /// removed.
  ///
  /// Such a mark can show a name in another order than it has. <https://www.unicode.org/reports/tr9/>
  package var withoutControls: String { printable { _ in false } }

  /// The text of a program without the sequences of a terminal, such as those of colours.
  ///
  /// <https://www.ecma-international.org/publications-and-standards/standards/ecma-48/>
  var withoutStyles: String {
    var text = UnicodeScalarView()
    var rest = unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}", rest.first == "[" else {
        text.append(scalar)
        continue
      }
      // Parameters and intermediate characters precede the final one.
      let final = rest.dropFirst().firstIndex { !(0x20..<0x40).contains($0.value) } ?? rest.endIndex
      rest = rest[final...].dropFirst()
    }
    return String(text)
  }

  /// The text without control characters, except line ends and tabs, and without marks of the text direction.
  var printable: String { printable { $0 == "\n" || $0 == "\t" } }

  private func printable(keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    // Most texts contain none of them.
    guard unicodeScalars.contains(where: { $0.isControl && !isKept($0) }) else { return self }
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      if !scalar.isControl || isKept(scalar) {
        text.append(scalar)
      } else if !scalar.properties.isBidiControl {
        text.append(" ")
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// Whether the character controls a terminal, ends a line, or sets the direction of text.
  package var isControl: Bool {
    switch value {
    case 0x20..<0x7F: false
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: properties.isBidiControl
    }
  }
}

extension String {
  /// The beginning of a text from outside, without the secrets of URIs, for an error message.
  package var excerpt: String {
    let text = withoutURISecrets
    return text.utf8.count <= 200 ? text : text.prefix(80) + "…"
  }
}

extension String {
  /// The text with its markup escaped, for example for Pango.
  package var markupEscaped: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&apos;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Double {
  /// The number, without a fraction if it is whole: `1`, `1.5`.
  package var plainText: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}
