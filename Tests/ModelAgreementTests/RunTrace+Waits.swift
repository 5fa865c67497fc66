extension RunTrace {
  /// The time after a seek or an opening in which GStreamer reports the fill level, in milliseconds.
  private static let refillTime = 10

  /// Returns the entries with one change of the output's state and of the status after each seek and opening.
  ///
  /// One thread of GStreamer reports that a seek has emptied the buffer or that it is full again, and another one the end of
  /// the seek. They run in any order. If the server sends at once, the wait in between has no length, or is not reported.
  /// So only the last state is compared, and it is placed after the end of the seek.
  static func withOrderedWaits(_ entries: [Entry]) -> [Entry] {
    var result: [Entry] = []
    var isPlaying = false
    var status = ""
    var index = 0
    while index < entries.count {
      let first = entries[index]
      guard first.isSeek || first.isSettled else {
        if let change = first.playingChange { isPlaying = change }
        if first.text.hasPrefix("status ") { status = first.text }
        result.append(first)
        index += 1
        continue
      }
      var playing: Entry?
      var shown: Entry?
      var running: Entry?
      // The instant at which the seek or the opening has ended; nil before that.
      var settled: Int?
      while index < entries.count, entries[index].mayFollowSeek,
        settled.map({ entries[index].instant - $0 <= refillTime }) ?? true
      {
        let entry = entries[index]
        index += 1
        if entry.playingChange != nil {
          playing = entry
        } else if entry.text.hasPrefix("status ") {
          shown = entry
        } else if entry.text.hasPrefix("< audible") {
          running = entry
        } else if !entry.isSettled || settled == nil {
          // A second report is that of the pause.
          if entry.isSettled { settled = entry.instant }
          if entry.isSeek { settled = nil }
          result.append(entry)
        }
      }
      if let playing, let change = playing.playingChange, change != isPlaying {
        isPlaying = change
        result.append(playing)
      }
      if let shown, shown.text != status {
        status = shown.text
        result.append(shown)
      }
      if isPlaying, let running { result.append(running) }
    }
    return result
  }
}

extension RunTrace.Entry {
  fileprivate var isSeek: Bool { text.hasPrefix("> seek ") }
  fileprivate var isSettled: Bool { text.hasPrefix("< settled ") }

  /// Whether the output is set to play or to pause; nil if the entry does not change it.
  fileprivate var playingChange: Bool? { text.hasPrefix("> setPlaying ") ? text == "> setPlaying true" : nil }

  /// Whether the entry may belong to a seek, or to the wait after it.
  fileprivate var mayFollowSeek: Bool {
    let starts = ["> seek ", "< settled ", "> setPlaying ", "< audible ", "seek ", "jumped", "resumed "]
    return starts.contains { text.hasPrefix($0) } || text == "status playing"
      || text == "status waitingToPlay(toMinimizeStalls)"
  }
}
