/// A line for a terminal with parts in bold, dimmed, reversed or in colour.
///
/// The sequences are fixed, because `status` and `queue` start without terminfo. A terminal ignores those that it lacks.
package struct StyledText: Equatable, Sendable {
  /// The appearance of a part.
  package enum Style: Int, Sendable {
    /// The parameters of Select Graphic Rendition in ECMA-48.
    case plain = 0
    case bold = 1
    case dim = 2
    case reverse = 7
    case red = 31
    case green = 32
    case yellow = 33

    fileprivate var isColour: Bool { rawValue >= 30 }
  }

  /// The styles that an output supports.
  package enum Support: Sendable {
    case none, withoutColours, all
  }

  private struct Part: Equatable, Sendable {
    var text: String
    var style: Style
  }

  private var parts: [Part]

  /// Creates a text in one style; its control characters are replaced.
  package init(_ text: String, _ style: Style = .plain) { parts = [Part(text: text.withoutControls, style: style)] }

  package static func + (first: StyledText, second: StyledText) -> StyledText {
    var sum = first
    sum.parts += second.parts
    return sum
  }

  /// The width in columns of a terminal.
  package var columns: Int { parts.reduce(0) { $0 + $1.text.columns } }

  /// Returns the text with all of its parts in one style.
  package func styled(_ style: Style) -> StyledText {
    var text = self
    text.parts = parts.map { Part(text: $0.text, style: style) }
    return text
  }

  /// Returns the text cut to a width, with an ellipsis if it does not fit.
  package func cut(toColumns width: Int) -> StyledText {
    guard columns > width else { return self }
    var (cut, room) = (StyledText(""), width)
    for part in parts {
      let columns = part.text.columns
      guard columns >= room else {
        cut.parts.append(part)
        room -= columns
        continue
      }
      // The text continues after this part, so the ellipsis replaces its end.
      cut.parts.append(Part(text: (part.text + " ").cut(toColumns: room), style: part.style))
      break
    }
    return cut
  }

  /// Returns the text for an output, with control sequences for the styles that it supports.
  package func text(_ support: Support) -> String {
    parts.map { part in
      let isPlain = part.style == .plain || support == .none || support == .withoutColours && part.style.isColour
      // The left-to-right mark keeps the next part, such as a time, to the right of a right-to-left title.
      let text = support != .none && part.text.hasRightToLeft ? part.text + "\u{200E}" : part.text
      return isPlain || part.text.isEmpty ? text : "\u{1B}[\(part.style.rawValue)m\(text)\u{1B}[0m"
    }
    .joined()
  }
}

extension String {
  /// Whether the text has letters that are written from right to left, such as Hebrew or Arabic.
  ///
  /// <https://www.unicode.org/reports/tr9/>
  fileprivate var hasRightToLeft: Bool {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
      default: false
      }
    }
  }

  /// Returns the text cut or filled with spaces to a width.
  package func fitted(toColumns width: Int, isRightAligned: Bool = false) -> String {
    let text = cut(toColumns: width)
    let padding = String(repeating: " ", count: max(0, width - text.columns))
    return isRightAligned ? padding + text : text + padding
  }
}
