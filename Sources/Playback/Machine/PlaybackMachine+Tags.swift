/// The tags of each stream, kept for the item of that stream, including successors from the start.
extension PlaybackMachine {
  mutating func tagsChanged(_ stream: StreamToken, _ tags: MediaMetadata, about scope: TagScope = .stream) {
    let known = current.details.revision
    changeItem(of: stream) { $0.details = $0.details.adding(tags, about: scope) }
    guard current.details.revision != known else { return }
    if current.details.metadata.title != nil { current.awaitsTags = false }
    emit(.changed)
  }

  /// Begins the tags of another song within the stream; the previous tags stay until new ones arrive.
  mutating func songEnded(_ stream: StreamToken) {
    changeItem(of: stream) { $0.details = $0.details.withSongEnded() }
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

  /// Removes the ID3 tags of a stream: after a seek, the same tag may have a time that differs by some milliseconds.
  mutating func timedTagsFlushed(_ stream: StreamToken) { changeItem(of: stream) { $0.tags = [] } }

  mutating func redirected(_ stream: StreamToken, to uri: String) {
    changeItem(of: stream) { $0.redirectedURI = uri }
  }

  mutating func chaptersChanged(_ stream: StreamToken, _ marks: [Chapter]) {
    // Chapters are positions in the whole media, so a part has none.
    if item(of: stream)?.isClip == true { return }
    let known = current.details
    changeItem(of: stream) { $0.details = $0.details.with(marks: marks) }
    if current.details !== known { emit(.changed) }
  }

  /// Changes the state of the item of a stream: the current one, or a successor that follows.
  private mutating func changeItem(of stream: StreamToken, _ change: (inout CurrentItem) -> Void) {
    if stream == token {
      change(&current)
    } else if isHandedOver(stream) {
      loaded.gaplessQueue.update(stream) { change(&$0.state) }
    }
  }
}
