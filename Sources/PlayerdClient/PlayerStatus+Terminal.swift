import PlayerdInterfaces
import PlayerdSystem

extension PlayerStatus {
  /// Prints the state: on a terminal with styles and a progress bar, otherwise as ``text``.
  package func write() {
    if StandardOutput.isTerminal {
      StandardOutput.write(terminalLines(width: StandardOutput.columns))
    } else {
      _ = StandardOutput.write(text + "\n")
    }
  }

  /// The lines that `status` prints on a terminal with this width.
  func terminalLines(width: Int) -> [StyledText] {
    let name = title ?? uri.map { FileURI.name(of: $0) }
    let credit = joinedTexts([artist, album], by: " – ")
    let details: [String?] = [
      joinedTexts([placeText] + settingTexts, by: ", "), chapterLine, sleepLine.map { "sleep timer: \($0)" },
      stopAfterLine, repeatLine,
    ]
    let lines: [StyledText?] = [
      name.flatMap { $0.isEmpty ? nil : StyledText($0, .bold) }, credit.isEmpty ? nil : StyledText(credit),
      progressLine(width: width),
    ]
    return lines.compactMap { $0 } + details.compactMap { $0 }.filter { !$0.isEmpty }.map { StyledText($0) }
      + [StyledText("output: \(outputLine)", outputStatus == .selected ? .dim : .yellow)]
      + (errorLine.map { [StyledText($0, .red)] } ?? [])
  }

  /// `playing  1:23 ━━━━──── 4:00`; without a bar if the length is unknown or the terminal is narrow.
  private func progressLine(width: Int) -> StyledText {
    let style = StyledText.Style(status: status, timeControlStatus: timeControlStatus)
    let state = StyledText(isActive ? stateWord : "\(stateWord), the queue is empty", style)
    guard let position else { return state }
    guard let duration, duration > 0 else { return state + StyledText("  \(ClockTime.text(position))") }
    let (left, right) = ("  \(ClockTime.text(position)) ", " \(ClockTime.text(duration))")
    let room = min(ProgressBar.longest, width - 1 - state.columns - left.columns - right.columns)
    guard room >= ProgressBar.shortest else { return state + StyledText("  " + ClockTime.text(position, of: duration)) }
    let bar = ProgressBar(position: position, duration: duration).styled(style, width: room)
    return state + StyledText(left) + bar + StyledText(right)
  }
}

extension StyledText.Style {
  /// The colour of the state: green while the position advances, yellow while it is held.
  init(status: String, timeControlStatus: String) {
    switch (status, timeControlStatus) {
    case ("Playing", "playing"): self = .green
    case ("Stopped", _): self = .plain
    default: self = .yellow
    }
  }
}
