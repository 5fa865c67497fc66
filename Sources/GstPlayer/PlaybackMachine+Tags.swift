/// What streams say about themselves, each kept for the item it belongs to: a successor's is its own from the start.
extension PlaybackMachine {
  mutating func tagsChanged(_ stream: StreamToken, _ tags: MediaMetadata) {
    if stream == token {
      let merged = details.merging(tags)
      guard merged !== details else { return }
      details = merged
      if merged.metadata.title != nil { awaitsTags = false }
      emit(.changed)
    } else if isHandedOver(stream) {
      nextDetails = nextDetails.merging(tags)
    }
  }

  mutating func chaptersChanged(_ stream: StreamToken, _ marks: [Chapter]) {
    if stream == token {
      let marked = details.with(marks: marks)
      guard marked !== details else { return }
      details = marked
      emit(.changed)
    } else if isHandedOver(stream) {
      nextDetails = nextDetails.with(marks: marks)
    }
  }
}
