/// The tags of each stream, kept for the item of that stream, including successors from the start.
extension PlaybackMachine {
  mutating func tagsChanged(_ stream: StreamToken, _ tags: MediaMetadata, about scope: TagScope = .stream) {
    if stream == token {
      let merged = current.details.adding(tags, about: scope)
      let isSeen = merged.revision != current.details.revision
      current.details = merged
      guard isSeen else { return }
      if merged.metadata.title != nil { current.awaitsTags = false }
      emit(.changed)
    } else if isHandedOver(stream) {
      loaded.gaplessQueue.update(stream) { $0.details = $0.details.adding(tags, about: scope) }
    }
  }

  /// Begins the tags of another song within the stream; the previous tags stay until new ones arrive.
  mutating func songEnded(_ stream: StreamToken) {
    if stream == token {
      current.details = current.details.withSongEnded()
    } else if isHandedOver(stream) {
      loaded.gaplessQueue.update(stream) { $0.details = $0.details.withSongEnded() }
    }
  }

  /// Records a title of a radio station with the position at which it becomes audible.
  mutating func titleStarts(_ stream: StreamToken, _ title: String, at time: Duration) {
    guard let start = itemTime(time, of: stream) else { return }
    if stream == token {
      current.titles.note(title, at: start)
    } else if isHandedOver(stream) {
      loaded.gaplessQueue.update(stream) { $0.titles.note(title, at: start) }
    }
  }

  /// Records an ID3 tag of a stream.
  mutating func timedTag(_ stream: StreamToken, _ content: ID3Metadata, at time: Duration) {
    guard let start = itemTime(time, of: stream) else { return }
    changeTags(of: stream) { $0.note(TimedTag(start: start, content: content)) }
  }

  /// Removes the ID3 tags of a stream: after a seek, the same tag may have a time that differs by some milliseconds.
  mutating func timedTagsFlushed(_ stream: StreamToken) { changeTags(of: stream) { $0 = [] } }

  private mutating func changeTags(of stream: StreamToken, _ change: (inout [TimedTag]) -> Void) {
    if stream == token {
      change(&current.tags)
    } else if isHandedOver(stream) {
      loaded.gaplessQueue.update(stream) { change(&$0.tags) }
    }
  }

  mutating func redirected(_ stream: StreamToken, to uri: String) {
    if stream == token {
      current.redirectedURI = uri
    } else if isHandedOver(stream) {
      loaded.gaplessQueue.update(stream) { $0.redirectedURI = uri }
    }
  }

  mutating func chaptersChanged(_ stream: StreamToken, _ marks: [Chapter]) {
    // Chapters are positions in the whole media, so a part has none.
    if stream == token, queue.current?.isClip == true { return }
    if stream == token {
      let marked = current.details.with(marks: marks)
      guard marked !== current.details else { return }
      current.details = marked
      emit(.changed)
    } else if isHandedOver(stream) {
      loaded.gaplessQueue.update(stream) { $0.details = $0.details.with(marks: marks) }
    }
  }
}
