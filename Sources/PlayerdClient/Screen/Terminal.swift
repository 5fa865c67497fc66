import CTerminfo
import Glibc
import PlayerdSystem

/// The terminal of standard input and standard output: draws lines on its alternate screen, and changed ones over themselves.
///
/// A plain terminal only passes its keys.
/// Leaving that screen shows the earlier output again. A terminal that lacks it gets the lines below the earlier output. The
/// cursor stays hidden at the start of the first line. After a change of the width, that is where the terminal keeps it, however
/// the lines wrap, so everything from there on is drawn again.
package struct Terminal {
  /// The modes from before the first drawing.
  private let normalModes: termios
  /// Nil for a plain terminal, which gets no sequences.
  private let strings: TerminalStrings?
  private let styles: StyledText.Support
  private var drawn: [StyledText] = []
  private(set) var isActive = false

  /// The sequences of the keys.
  var keys: [(bytes: [UInt8], key: ScreenKey)] { strings?.keys ?? [] }
  /// Whether the mouse is reported.
  var hasMouse: Bool { strings?.hasMouse ?? false }

  /// Opens the terminal; nil if there is none, or if it has to move the cursor and cannot.
  package init?(isPlain: Bool = false) {
    var modes = termios()
    guard Self.isPresent, unsafe tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    let strings = isPlain ? nil : TerminalStrings()
    guard isPlain || strings != nil else { return nil }
    (normalModes, self.strings, styles) = (modes, strings, StandardOutput.styles)
  }

  /// Whether standard input and standard output are a terminal.
  package static var isPresent: Bool { isatty(STDIN_FILENO) == 1 && StandardOutput.isTerminal }

  /// Whether the terminal passes its keys to this process; false for a job in the background.
  package static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Whether lines are printed below each other, and none is drawn.
  var isPlain: Bool { strings == nil }

  // MARK: Modes

  /// Takes over the keys and hides the cursor; a job in the background is stopped by the kernel here.
  mutating func begin() {
    var modes = normalModes
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // VMIN and VTIME: a read returns the bytes that have arrived.
    (modes.c_cc.6, modes.c_cc.5) = (1, 0)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    var normal = normalModes
    let restoring = strings?.end ?? [UInt8(ascii: "\r")]
    unsafe cterminfo_restore_on_crash(&normal, restoring, restoring.count)
    _ = writeAll(strings?.begin ?? [], to: STDOUT_FILENO)
    isActive = true
    drawn = []
  }

  /// Erases the lines, and restores the modes and the cursor.
  mutating func end() {
    guard isActive else { return }
    isActive = false
    var normal = normalModes
    unsafe cterminfo_restore_on_crash(&normal, nil, 0)
    _ = writeAll(strings?.end ?? [], to: STDOUT_FILENO)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &normal)
    drawn = []
  }

  // MARK: Drawing

  /// Shows lines instead of the last ones; returns false if the terminal is closed.
  mutating func draw(_ rows: [StyledText]) -> Bool {
    guard isActive, let strings, rows != drawn else { return true }
    let bytes = strings.redrawing(drawn, as: rows, styles)
    drawn = rows
    return writeAll(bytes, to: STDOUT_FILENO)
  }

  /// Lets `output` write lines of text below the earlier output; the next drawing writes all lines again.
  mutating func write(_ output: () -> Void) {
    guard isActive, let strings else { return output() }
    drawn = []
    _ = writeAll(strings.end, to: STDOUT_FILENO)
    output()
    _ = writeAll(strings.begin, to: STDOUT_FILENO)
  }

  /// Erases the lines, so that the next drawing writes all of them.
  mutating func erase() {
    guard isActive, let strings, !drawn.isEmpty else { return }
    drawn = []
    _ = writeAll(strings.clearToEnd, to: STDOUT_FILENO)
  }
}

/// The movements and the keys of a terminal, from its description in terminfo.
///
/// <https://man7.org/linux/man-pages/man5/terminfo.5.html>
struct TerminalStrings {
  let clearToEnd: [UInt8]
  let clearToEndOfLine: [UInt8]
  /// Sends the cursor keys as terminfo describes them, hides the cursor, marks pasted text, and reports the mouse.
  let begin: [UInt8]
  /// Erases everything from the cursor on, and reverses ``begin``.
  let end: [UInt8]
  /// Whether the mouse is reported: the terminal can, and the first line on its alternate screen is that of the terminal.
  let hasMouse: Bool
  let keys: [(bytes: [UInt8], key: ScreenKey)]

  /// Reads the description; nil if the terminal lacks a movement that is needed.
  init?() {
    guard cterminfo_read() != 0, !Self.cursorUp(1).isEmpty else { return nil }
    (clearToEnd, clearToEndOfLine) = (Self.string("ed"), Self.string("el"))
    guard !clearToEnd.isEmpty, !clearToEndOfLine.isEmpty else { return nil }
    let home = Self.string("home")
    let (enter, leave): ([UInt8], [UInt8]) = home.isEmpty ? ([], []) : (Self.string("smcup"), Self.string("rmcup"))
    let hasAlternateScreen = !enter.isEmpty && !leave.isEmpty
    hasMouse = hasAlternateScreen && !Self.string("kmous").isEmpty
    let beginnings: [[UInt8]] = [
      hasAlternateScreen ? enter + home + clearToEnd : [], Self.string("smkx"), Self.string("civis"),
      Self.pasteMode("h"),
      hasMouse ? Self.mouseMode("h") : [],
    ]
    begin = Array(beginnings.joined())
    let ends: [[UInt8]] = [
      [UInt8(ascii: "\r")], clearToEnd, hasMouse ? Self.mouseMode("l") : [], Self.pasteMode("l"), Self.string("cnorm"),
      Self.string("rmkx"), enter.isEmpty ? [] : leave,
    ]
    end = Array(ends.joined())
    keys = [
      ("kcuu1", ScreenKey.up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("kbs", .backspace),
      ("kpp", .pageUp), ("knp", .pageDown), ("khome", .home), ("kend", .end),
    ].map { (Self.string($0), $1) }
  }

  /// Returns the output that changes the lines from the cursor on, and leaves the cursor there: it has the changed lines only.
  func redrawing(_ drawn: [StyledText], as rows: [StyledText], _ styles: StyledText.Support) -> [UInt8] {
    var bytes: [UInt8] = drawn.isEmpty ? clearToEnd : []
    var line = 0
    func move(to index: Int) {
      bytes += Array(repeating: UInt8(ascii: "\n"), count: index - line)
      line = index
    }
    for (index, row) in rows.enumerated() where index >= drawn.count || drawn[index] != row {
      move(to: index)
      bytes += Array(row.text(styles).utf8) + clearToEndOfLine
    }
    if drawn.count > rows.count {
      move(to: rows.count)
      bytes += clearToEnd
    }
    return bytes + [UInt8(ascii: "\r")] + (line > 0 ? Self.cursorUp(line) : [])
  }

  /// Sets or resets the bracketed paste mode, which many descriptions in terminfo lack; terminals ignore unknown modes.
  ///
  /// <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode>
  private static func pasteMode(_ end: String) -> [UInt8] { Array("\u{1B}[?2004\(end)".utf8) }

  /// Sets or resets the reports of buttons and the wheel, in decimal numbers; motions are not reported, as each would wake up
  /// the process.
  ///
  /// <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking>
  private static func mouseMode(_ end: String) -> [UInt8] { Array("\u{1B}[?1000\(end)\u{1B}[?1006\(end)".utf8) }

  static func cursorUp(_ count: Int) -> [UInt8] { unsafe bytes(cterminfo_string_for("cuu", CInt(clamping: count))) }

  private static func string(_ capability: String) -> [UInt8] { unsafe bytes(cterminfo_string(capability)) }

  /// Copies a string without its delays, `$<5>`, which only terminals on serial lines need.
  private static func bytes(_ string: UnsafePointer<CChar>?) -> [UInt8] {
    guard let string = unsafe string else { return [] }
    var bytes: [UInt8] = []
    var rest = unsafe String(cString: string).utf8[...]
    while let first = rest.first {
      if first == UInt8(ascii: "$"), rest.dropFirst().first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[end...].dropFirst()
      } else {
        bytes.append(first)
        rest = rest.dropFirst()
      }
    }
    return bytes
  }
}
