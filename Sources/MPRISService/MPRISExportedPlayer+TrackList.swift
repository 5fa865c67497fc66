import DBus

/// Emits the signals of the track list.
extension MPRISExportedPlayer {
  /// The shortest interval between two updates, so that a growing queue is not published file by file.
  static let shortestTrackListPause = Duration.milliseconds(250)

  func takeTrackListChanges() -> [TrackListChange] {
    guard let trackList, trackListPause == nil else { return [] }
    let changes = trackList.update()
    if !changes.isEmpty {
      trackListPause = delay(Self.shortestTrackListPause) { exported in
        exported.trackListPause = nil
        if trackList.isLate { exported.publishTrackList() }
      }
    }
    return changes
  }

  func publish(_ changes: TrackListChange, showing current: MPRISTrackID?) {
    guard let trackList else { return }
    switch changes {
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

  func emitMetadataChange(of track: MPRISTrackID) {
    guard let metadata = trackList?.changedMetadata(of: track) else { return }
    emit(TrackListInterface.metadataChanged, of: TrackListInterface.name, .objectPath(track.path), metadata.value)
  }
}
