/// A change of a track list, emitted as one signal.
enum TrackListChange: Hashable {
  case removed(MPRISTrackID)
  /// A track was added after another; `noTrack` for the start.
  case added(MPRISTrackID, after: MPRISTrackID)
  /// The list differs so much that the whole list is emitted.
  case replaced

  /// The limit of single changes; beyond it, the whole list is emitted.
  static let limit = 10

  /// Returns the changes from one list to another: none for equal lists, removals first.
  ///
  /// A previously empty list is emitted as a whole, so that clients can read it before the signal.
  static func from(_ old: [MPRISTrackID], to new: [MPRISTrackID]) -> [TrackListChange] {
    guard old != new else { return [] }
    let (before, after) = (Set(old), Set(new))
    let kept = old.filter(after.contains)
    let isOther = kept.isEmpty && !new.isEmpty
    guard !isOther, kept == new.filter(before.contains), old.count + new.count - 2 * kept.count <= limit else {
      return [.replaced]
    }
    let removals = old.filter { !after.contains($0) }.map { TrackListChange.removed($0) }
    let places = zip([.noTrack] + new, new)
    return removals + places.filter { !before.contains($0.1) }.map { .added($0.1, after: $0.0) }
  }
}
