import Playback

/// The results of measurements, the order of those to come, and the gain that follows for each item.
///
/// Invariants: a group contains the files that may be one album. An item that
/// is opened again, and in album mode an item that follows another one of its album, keeps the gain that it began with.
struct LoudnessResults: Sendable {
  /// The result of a measurement.
  enum Outcome: Equatable, Sendable {
    case measured(TrackLoudness)
    /// The file has loudness tags, or cannot be measured.
    case none

    init(_ result: TrackLoudness?) { self = result.map { .measured($0) } ?? .none }
  }

  /// The maximum number of results that are kept, about 3 KiB each.
  private static let limit = 512

  private let mode: Player.Configuration.ReplayGain.Mode
  private var groups: [[String]] = []
  private var results: [String: Outcome] = [:]
  /// The URIs of the results, the oldest first.
  private var order: [String] = []
  /// The item that was opened last, with its gain.
  private var last: (uri: String, gain: LoudnessGain?)?
  /// Its successor that was opened last.
  private var successor: (uri: String, gain: LoudnessGain?)?

  init(mode: Player.Configuration.ReplayGain.Mode) { self.mode = mode }

  /// Replaces the files to measure; results are kept.
  mutating func announce(_ groups: [[String]]) { self.groups = groups }

  /// The next file to measure; nil if there is none.
  var next: String? { groups.lazy.joined().first { results[$0] == nil } }

  /// Whether a file is still to be measured.
  func wants(_ uri: String) -> Bool { results[uri] == nil && groups.contains { $0.contains(uri) } }

  /// The time from which a measured file is silent to its end; nil if there is none.
  func silence(of uri: String) -> Duration? {
    if case .measured(let track)? = results[uri] { track.silence } else { nil }
  }

  /// Whether the result for a file is known.
  func knows(_ uri: String) -> Bool { results[uri] != nil }

  /// Records a result; returns the tracks whose albums it completes, with the new gains of the albums.
  mutating func note(_ outcome: Outcome, for uri: String) -> [String: TrackLoudness] {
    if results.updateValue(outcome, forKey: uri) == nil { order.append(uri) }
    while order.count > Self.limit { results[order.removeFirst()] = nil }
    guard mode == .album, let group = groups.first(where: { $0.contains(uri) }),
      group.allSatisfy({ results[$0] != nil })
    else { return [:] }
    var albums: [String?: [String: TrackLoudness]] = [:]
    for file in group {
      if case .measured(let track)? = results[file] { albums[track.album, default: [:]][file] = track }
    }
    var changed: [String: TrackLoudness] = [:]
    for album in albums.values {
      guard let gain = LoudnessGain(of: Array(album.values)) else { continue }
      for (file, var track) in album where track.albumGain != gain {
        track.albumGain = gain
        results[file] = .measured(track)
        changed[file] = track
      }
    }
    return changed
  }

  /// Decides the gain of an item that is opened, or opened as the successor of the one before; nil plays it
  /// unchanged.
  mutating func open(_ uri: String, asSuccessor: Bool = false) -> LoudnessGain? {
    let before = successor ?? last
    if asSuccessor {
      last = before
    } else if let last, last.uri == uri {
      // The item is still the one before its successor.
      successor = nil
      return last.gain
    }
    let gain: LoudnessGain? =
      if let before, before.uri == uri || mode == .album && continuesAlbum(of: before.uri, with: uri) {
        before.gain
      } else if case .measured(let track)? = results[uri] {
        mode == .album ? track.albumGain : track.gain
      } else {
        nil
      }
    if asSuccessor { successor = (uri, gain) } else { (last, successor) = ((uri, gain), nil) }
    return gain
  }

  /// Whether two files are in one group, and not known to be of different albums.
  private func continuesAlbum(of old: String, with new: String) -> Bool {
    guard groups.contains(where: { $0.contains(old) && $0.contains(new) }) else { return false }
    if case .measured(let before)? = results[old], case .measured(let after)? = results[new] {
      return before.album == after.album
    }
    return results[old] != Outcome.none && results[new] != Outcome.none
  }
}
