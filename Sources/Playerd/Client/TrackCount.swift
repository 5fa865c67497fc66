/// A number of tracks in words: `1 track`, `12 tracks`.
struct TrackCount: CustomStringConvertible {
  let count: Int

  init(_ count: Int) { self.count = count }

  var description: String { count == 1 ? "1 track" : "\(count) tracks" }
}
