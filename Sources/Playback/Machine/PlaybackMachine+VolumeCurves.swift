/// Sends the volume curves of items to the engine, before their streams are opened and when they change.
extension PlaybackMachine {
  /// Sets the volume curve of an item of the queue; nil for a constant volume.
  mutating func setVolumeCurve(_ curve: VolumeCurve?, of item: Player.Item.ID) {
    guard volumeCurves[item] != curve else { return }
    volumeCurves[item] = curve
    if phase.isLoaded, queue.current?.id == item { perform(.shapeVolume(curve, of: token)) }
    let successors = loaded.gaplessQueue.kept + [crossfade.incoming?.successor].compactMap(\.self)
    for successor in successors where successor.item.id == item {
      perform(.shapeVolume(curve, of: successor.token))
    }
  }

  /// Sends the curve of an item for a stream that is about to be opened.
  mutating func shapeVolume(of item: Player.Item, _ stream: StreamToken) {
    if let curve = volumeCurves[item.id] { perform(.shapeVolume(curve, of: stream)) }
  }

  /// Forgets the curves of items that have left the queue.
  mutating func forgetVolumeCurves() {
    guard !volumeCurves.isEmpty else { return }
    volumeCurves = volumeCurves.filter { queue.index(of: $0.key) != nil }
  }
}
