import PlayerdInterfaces
import Testing

@testable import PlayerdClient

@Suite("The list of the queue: selection, scrolling and reading") struct QueueListTests {
  /// Returns a part of a queue of `total` tracks with the IDs of `names`.
  private func part(_ range: Range<Int64>, of total: Int64, revision: UInt64 = 1, without removed: Int64? = nil)
    -> QueuePage
  {
    let rows = range.clamped(to: 0..<total).map { index in
      var track = QueuedTrack()
      track.index = index
      // The tracks after a removed one keep their IDs.
      track.trackID = "/track/\(removed.map { index >= $0 ? index + 1 : index } ?? index)"
      return track
    }
    return QueuePage(revision: revision, total: total, rows: rows)
  }

  @Test(
    "The shown tracks are around the current one, within the queue",
    arguments: [
      (0, 10, 0..<10), (50, 10, 45..<55), (99, 10, 90..<100), (nil, 10, 0..<10), (50, 200, 0..<100), (50, 0, 50..<50),
      (50, 1, 50..<51), (500, 10, 90..<100),
    ] as [(Int64?, Int, Range<Int64>)])
  func shown(current: Int64?, rows: Int, expected: Range<Int64>) {
    var list = QueueList()
    _ = list.show(part(0..<100, of: 100))
    #expect(list.shown(in: rows, current: current) == expected)
  }

  @Test(
    "The selection begins at the current track, stays within the queue, and is followed instead of the current track")
  func selection() {
    var list = QueueList()
    list.select(1, from: 3, of: 0)
    #expect(list.selected == nil)
    _ = list.show(part(0..<100, of: 100))
    list.select(1, from: 3, of: 100)
    #expect(list.selected == 4)
    list.select(QueuePage.totalLimit, from: 3, of: 100)
    #expect(list.selected == 99 && list.shown(in: 10, current: 3) == 90..<100)
    list.select(-QueuePage.totalLimit, from: 3, of: 100)
    #expect(list.selected == 0)
    list.deselect()
    list.select(0, from: nil, of: 100)
    #expect(list.selected == 0)
    list.deselect()
    #expect(list.shown(in: 10, current: 50) == 45..<55)
  }

  @Test("When the queue changes, the same track stays selected, or the track at the same index")
  func change() {
    var list = QueueList()
    _ = list.show(part(0..<100, of: 100))
    list.select(1, from: 3, of: 100)
    _ = list.show(part(0..<99, of: 99, revision: 2, without: 2))
    #expect(list.selected == 3 && list.selection?.trackID == "/track/4")
    _ = list.show(part(0..<98, of: 98, revision: 3, without: 4))
    #expect(list.selected == 3)
    _ = list.show(part(0..<2, of: 2, revision: 4))
    #expect(list.selected == 1)
    _ = list.show(part(0..<0, of: 0, revision: 5))
    #expect(list.selected == nil && list.shown(in: 10, current: 3).isEmpty)
  }

  @Test("A part with missing tags is read once more")
  func tags() {
    var list = QueueList()
    let part = part(0..<3, of: 3)
    _ = list.request(rows: 20, current: 0, revision: 1)
    var isIncomplete = list.show(part)
    #expect(isIncomplete)
    list.invalidate()
    #expect(list.request(rows: 20, current: 0, revision: 1) != nil)
    isIncomplete = list.show(part)
    #expect(!isIncomplete)
    _ = list.request(rows: 20, current: 0, revision: 2)
    var whole = part
    for index in whole.rows.indices { whole.rows[index].title = "A" }
    isIncomplete = list.show(whole)
    #expect(!isIncomplete)
  }

  @Test(
    "A part around the shown tracks is read once, at most a page; a queue of a million tracks is not read as a whole")
  func requests() {
    var list = QueueList()
    #expect(list.request(rows: 0, current: 0, revision: 1) == nil)
    let first = list.request(rows: 20, current: 500_000, revision: 1)
    #expect(first == 499_900..<500_100)
    #expect(list.request(rows: 20, current: 500_000, revision: 1) == nil)
    _ = list.show(part(499_900..<500_100, of: 1_000_000))
    #expect(list.request(rows: 20, current: 500_050, revision: 1) == nil)
    #expect(list.request(rows: 20, current: 500_095, revision: 1) == 499_995..<500_195)
    #expect(list.request(rows: 9_000, current: 500_095, revision: 1)?.count == QueuePage.limit)
    // The change was reported after the queue was read.
    _ = list.show(part(499_900..<500_100, of: 1_000_000, revision: 2))
    _ = list.request(rows: 20, current: 500_000, revision: 1)
    #expect(list.request(rows: 20, current: 500_000, revision: 2) == nil)
    list.invalidate()
    #expect(list.request(rows: 20, current: 500_000, revision: 2) == first)
    #expect(list.request(rows: 20, current: 500_000, revision: 2) == nil)
  }
}
