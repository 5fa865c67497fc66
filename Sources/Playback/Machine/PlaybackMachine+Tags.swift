/// What streams say about themselves, each kept for the item it belongs to: a successor's is its own from the start.
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
      loaded.handOver.update(stream) { $0.details = $0.details.adding(tags, about: scope) }
    }
  }

  /// Another song within the stream; what is known of the one before stays until more is known of it.
  mutating func tagsOver(_ stream: StreamToken) {
    if stream == token {
      current.details = current.details.withTagsOver()
    } else if isHandedOver(stream) {
      loaded.handOver.update(stream) { $0.details = $0.details.withTagsOver() }
    }
  }

  mutating func chaptersChanged(_ stream: StreamToken, _ marks: [Chapter]) {
    // Chapters are places in the whole of the media.
    if stream == token, queue.current?.isPart == true { return }
    if stream == token {
      let marked = current.details.with(marks: marks)
      guard marked !== current.details else { return }
      current.details = marked
      emit(.changed)
    } else if isHandedOver(stream) {
      loaded.handOver.update(stream) { $0.details = $0.details.with(marks: marks) }
    }
  }
}
