import DBus

/// What is told of the track list.
extension MPRISService {
  /// The shortest time between two tellings: a queue that is being filled is told now and then, not file by file.
  static let shortestTrackListPause = Duration.milliseconds(250)

  func takeTrackListNews() -> [TrackListNews] {
    guard let trackList, trackListPause == nil else { return [] }
    let news = trackList.update()
    if !news.isEmpty {
      trackListPause = Task(executorPreference: connection.taskExecutor) { [clock, self] in
        try? await clock.sleep(for: Self.shortestTrackListPause)
        if !Task.isCancelled { await endTrackListPause() }
      }
    }
    return news
  }

  private func endTrackListPause() async {
    trackListPause = nil
    if trackList?.isLate == true { await changed() }
  }

  func tell(_ news: TrackListNews, showing current: TrackID?) {
    guard let trackList else { return }
    switch news {
    case .replaced:
      emit(
        TrackListInterface.replaced, of: TrackListInterface.name, .objectPaths(trackList.published.map(\.path)),
        .objectPath((current ?? .noTrack).path))
    case .added(let track, let after):
      guard let metadata = trackList.metadata(of: [track]).first else { return }
      emit(TrackListInterface.added, of: TrackListInterface.name, metadata.value, .objectPath(after.path))
    case .removed(let track): emit(TrackListInterface.removed, of: TrackListInterface.name, .objectPath(track.path))
    }
  }

  func tellMetadata(of track: TrackID) {
    guard let metadata = trackList?.changedMetadata(of: track) else { return }
    emit(TrackListInterface.metadataChanged, of: TrackListInterface.name, .objectPath(track.path), metadata.value)
  }
}
