/// Keeps the tags of each stream for the item of that stream, including successors from the start.
extension PlaybackMachine {
  mutating func tagsChanged(_ stream: StreamToken, _ tags: MediaMetadata, about scope: TagScope) {
    changeDetails(of: stream) { $0.adding(tags, about: scope) }
    if current.details.metadata.title != nil { current.awaitsTags = false }
  }

  /// Records a title of a radio station with the position at which it becomes audible.
  mutating func titleStarts(_ stream: StreamToken, _ title: String, at time: Duration) {
    guard let start = itemTime(time, of: stream) else { return }
    changeItem(of: stream) { $0.titles.note(title, at: start) }
  }

  /// Records an ID3 tag of a stream.
  mutating func timedTag(_ stream: StreamToken, _ content: ID3Metadata, at time: Duration) {
    guard let start = itemTime(time, of: stream) else { return }
    changeItem(of: stream) { $0.tags.note(TimedTag(start: start, content: content)) }
  }

  mutating func chaptersChanged(_ stream: StreamToken, _ marks: [Chapter]) {
    // Chapters are positions in the whole media, so they do not apply to a part of it.
    guard item(of: stream)?.isClip != true else { return }
    changeDetails(of: stream) { $0.with(marks: marks) }
  }

  /// Changes the details of the item of a stream, and reports the details that exceed a limit.
  private mutating func changeDetails(of stream: StreamToken, _ change: (ItemDetails) -> ItemDetails) {
    var excess: [String] = []
    changeItem(of: stream) {
      let old = $0.details
      $0.details = change(old)
      if $0.details !== old { excess = $0.details.excess.filter { !old.excess.contains($0) } }
    }
    for text in excess { emit(.warning(text, of: item(of: stream))) }
  }

  /// Reports a part of the media's description that is left out.
  mutating func leftOut(_ stream: StreamToken, _ text: String) {
    if let item = item(of: stream) { emit(.warning(text, of: item)) }
  }

  /// Changes the item of a stream, the current one or a successor that follows; reports new details of the current one.
  mutating func changeItem(of stream: StreamToken, _ change: (inout CurrentItem) -> Void) {
    if stream == token {
      change(&current)
    } else {
      loaded.successors.update(stream) { change(&$0.state) }
    }
  }
}
