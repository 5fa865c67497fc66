/// What clients are told of a track list that has become another, one signal each.
enum TrackListNews: Hashable {
  case removed(TrackID)
  /// A track was added after another; `noTrack` for the start.
  case added(TrackID, after: TrackID)
  /// So much is different that the whole list is told.
  case replaced

  /// More signals than this are not worth sending one by one.
  static let limit = 10

  /// The signals that lead from one list to another: none when they are equal, removals first.
  ///
  /// A list that was empty is told whole, so that it may be read before it is told.
  static func from(_ old: [TrackID], to new: [TrackID]) -> [TrackListNews] {
    guard old != new else { return [] }
    let (before, after) = (Set(old), Set(new))
    let kept = old.filter(after.contains)
    let isOther = kept.isEmpty && !new.isEmpty
    guard !isOther, kept == new.filter(before.contains), old.count + new.count - 2 * kept.count <= limit else {
      return [.replaced]
    }
    let removals = old.filter { !after.contains($0) }.map { TrackListNews.removed($0) }
    let places = zip([.noTrack] + new, new)
    return removals + places.filter { !before.contains($0.1) }.map { .added($0.1, after: $0.0) }
  }
}
