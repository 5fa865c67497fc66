import PlayerdInterfaces
import Testing

@testable import PlayerdClient
@testable import PlayerdSystem

@Suite("The queue on a terminal") struct QueueTableTests {
  private func track(
    _ index: Int64, _ title: String?, _ artist: String? = nil, seconds: Int64? = 225, place: Int64? = nil,
    error: String? = nil
  ) -> QueuedTrack {
    var track = QueuedTrack()
    (track.index, track.title, track.artist, track.playIndex) = (index, title, artist, place ?? index)
    (track.uri, track.duration) = ("file:///music/\(index).flac", seconds.map { $0 * 1_000_000 })
    track.errorMessage = error
    track.isCurrent = index == 1
    return track
  }

  private func lines(_ tracks: [QueuedTrack], width: Int) -> [String] {
    QueueTable(tracks, width: width).lines.map { $0.text(.none) }
  }

  @Test("The columns are number, title, artist and length, with wide characters counted")
  func columns() {
    let tracks = [
      track(0, "Short", "Somebody"), track(1, "音楽", "Ärzte", seconds: 3_723),
      track(9, nil, nil, seconds: nil), track(10, "Lost", "Nobody", error: "not found"),
    ]
    #expect(
      lines(tracks, width: 60) == [
        "   1  Short   Somebody              3:45", ">  2  音楽    Ärzte              1:02:03",
        "  10  9.flac                            ", "! 11  Lost    failed: not found     3:45",
      ])
  }

  @Test("No line fills the last column, at any width from 30", arguments: 30..<130)
  func width(_ width: Int) {
    let long = String(repeating: "Long ", count: 60)
    for artist in [nil, "A", "本当に長いアーティスト名", long] {
      let tracks = [track(0, long, artist), track(1, "音楽はとても楽しいですね、本当に", artist), track(2, "A", artist)]
      let columns = lines(tracks, width: width).map(\.columns)
      #expect(columns.allSatisfy { $0 <= width - 1 } && Set(columns).count == 1)
    }
  }

  @Test("A shuffled queue is in the order of play, with the numbers of the list")
  func shuffled() {
    let tracks = [track(0, "A", place: 2), track(1, "B", place: 0), track(2, "C", place: 1)]
    #expect(lines(tracks, width: 40) == ["> 2  B  3:45", "  3  C  3:45", "  1  A  3:45"])
    #expect(QueueTable(tracks, width: 40).total.text(.none) == "3 tracks, 11:15, in shuffled order")
  }

  @Test(
    "A part of a queue is in list order, has the columns of the whole part, and marks the selected track besides its style"
  )
  func part() {
    let tracks = [track(7, "A", place: 9), track(8, "Longer", place: 7), track(9, "C", "Somebody", place: 8)]
    let table = QueueTable(part: tracks, of: 120, current: 9, selected: 8, width: 60)
    #expect(table.lines { $0.index == 7 }.map { $0.text(.none) } == ["    8  A                 3:45"])
    let lines = table.lines { $0.index > 7 }
    #expect(lines.map { $0.text(.none) } == [" »  9  Longer            3:45", ">  10  C       Somebody  3:45"])
    #expect(lines[0].text(.withoutColours).hasPrefix("\u{1B}[7m »  9"))
  }

  @Test("A right-to-left title does not move what follows it")
  func rightToLeft() {
    let text = StyledText("שלום", .bold) + StyledText("  3:45")
    #expect(text.text(.all) == "\u{1B}[1mשלום\u{200E}\u{1B}[0m  3:45" && text.text(.none) == "שלום  3:45")
    #expect(text.columns == 10)
  }

  @Test("The total counts the known lengths, and names the tracks without one")
  func total() {
    let table = QueueTable([track(0, "A"), track(1, "B", seconds: nil), track(2, "C")], width: 40)
    #expect(table.total.text(.none) == "3 tracks, 7:30 without 1 of unknown length")
    let unknown = QueueTable([track(0, "A", seconds: nil)], width: 40)
    #expect(unknown.total.text(.none) == "1 track")
    let endless = QueueTable((0..<3).map { track($0, "A", seconds: .max / 1_000_000) }, width: 40)
    #expect(endless.total.text(.none).hasPrefix("3 tracks, "))
  }

  @Test("Styles depend on the output; control characters never reach it")
  func styles() {
    let text = StyledText("a\u{1B}[2Jb", .red) + StyledText(" c", .bold) + StyledText(" d")
    #expect(text.text(.none) == "a [2Jb c d")
    #expect(text.text(.withoutColours) == "a [2Jb\u{1B}[1m c\u{1B}[0m d")
    #expect(text.text(.all) == "\u{1B}[31ma [2Jb\u{1B}[0m\u{1B}[1m c\u{1B}[0m d")
    #expect(text.columns == 10)
  }
}

@Suite("The state on a terminal") struct StatusLinesTests {
  private var status: PlayerStatus {
    var status = PlayerStatus()
    (status.status, status.timeControlStatus) = ("Playing", "playing")
    (status.title, status.artist, status.album) = ("Paper Boats", "The Windowless Trio", "Demonstration")
    (status.position, status.duration) = (60_000_000, 240_000_000)
    (status.queueIndex, status.queueCount, status.isShuffled, status.shuffleMode) = (1, 3, true, "tracks")
    return status
  }

  private func lines(_ status: PlayerStatus, width: Int = 80) -> [String] {
    status.terminalLines(width: width).map { $0.text(.none) }
  }

  @Test("Title, artist and album, a bar, the number in the queue and the settings are shown")
  func contents() {
    let bar = String(repeating: "━", count: 10) + String(repeating: "─", count: 30)
    #expect(
      lines(status) == [
        "Paper Boats", "The Windowless Trio – Demonstration", "playing  1:00 \(bar) 4:00",
        "track 2 of 3, volume 100 %, shuffle", "output: the default device",
      ])
    let styled = status.terminalLines(width: 80).map { $0.text(.all) }
    #expect(styled[0] == "\u{1B}[1mPaper Boats\u{1B}[0m")
  }

  @Test("A narrow terminal and an unknown length leave out the bar")
  func withoutBar() {
    #expect(lines(status, width: 25)[2] == "playing  1:00 / 4:00")
    var stream = status
    stream.duration = nil
    #expect(lines(stream)[2] == "playing  1:00")
    #expect(
      lines(PlayerStatus()) == ["stopped, the queue is empty", "volume 100 %", "output: the default device"])
  }

  @Test("The line of the bar never fills the last column of the terminal", arguments: 22..<100)
  func width(_ width: Int) { #expect(lines(status, width: width)[2].columns < width) }
}
