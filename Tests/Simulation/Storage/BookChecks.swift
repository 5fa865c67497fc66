import Playback

@testable import PlayerdStorage

/// The record of the folders that are books: all of `/music` if the run has books.
struct BookRecord {
  /// The file of a folder that played last.
  struct Place {
    var uri: String
    var position: Duration
    var duration: Duration
    var seen: Int64
    /// Whether it may have played to its end; the book then continues with the next file, or starts over.
    var mayHaveEnded = false

    mutating func pass(to now: Int64) {
      // The highest rate of the scripts is 2.
      let reached = position + .nanoseconds((now - seen) * 2)
      if reached + .seconds(1) >= duration { mayHaveEnded = true }
    }
  }

  /// The folders that were opened, with their files.
  var sources: [(uri: String, items: [String])] = []
  /// The places in this life, by the URI of the folder.
  var places: [String: Place] = [:]
  /// The folders that the daemon knows: those that were opened in this life, and those on the disk.
  var known: Set<String> = []
  /// The folder that is being opened again, and the last item and the edits before.
  var pending: (source: Int, lastItem: UInt64, edits: Int)?
  /// The folder of each file.
  var folders: [String: Int] = [:]
}

extension StorageChecks {
  func opened(_ uri: String, _ items: [String]) {
    for item in items { books.folders[item] = books.sources.count }
    books.sources.append((uri, items))
  }

  func reopened(_ life: DaemonLife, _ source: Int) {
    let isKnown = books.known.contains(books.sources[source].uri)
    books.pending = isKnown ? (source, life.player.items.map(\.id.number).max() ?? 0, requests.edits) : nil
  }

  func startBooks(_ life: DaemonLife) {
    books.pending = nil
    let path = "\(DaemonLife.folder)/positions.json"
    let kept = life.disk.content(path).flatMap { try? ResumePositions($0) } ?? ResumePositions()
    books.known = Set(kept.places.compactMap(\.folder))
    // A crash may lose the last places.
    books.places = books.places.filter { folder, place in kept.place(of: place.uri)?.folder == folder }
  }

  func checkBooks(_ life: DaemonLife, _ snapshot: Player.Snapshot) {
    guard life.hasBooks else { return }
    let now = life.world.now
    checkReopened(life, snapshot, now)
    guard snapshot.transport != .stopped, snapshot.itemStatus == .readyToPlay, let uri = snapshot.currentItem?.uri,
      let duration = snapshot.duration, snapshot.position < duration, let folder = books.folders[uri]
    else {
      for folder in books.places.keys { books.places[folder]?.pass(to: now) }
      noteSeekToEnd(snapshot)
      return
    }
    for (other, place) in books.places where place.uri != uri { books.places[other]?.pass(to: now) }
    guard books.known.contains(books.sources[folder].uri) else { return }
    books.places[books.sources[folder].uri] = BookRecord.Place(
      uri: uri, position: snapshot.position, duration: duration, seen: now)
  }

  /// Notes a seek to the end of a file, which ends it before the time has passed.
  private func noteSeekToEnd(_ snapshot: Player.Snapshot) {
    guard let uri = snapshot.currentItem?.uri, let duration = snapshot.duration, snapshot.position >= duration,
      let folder = books.folders[uri], books.places[books.sources[folder].uri]?.uri == uri
    else { return }
    books.places[books.sources[folder].uri]?.mayHaveEnded = true
  }

  private func checkReopened(_ life: DaemonLife, _ snapshot: Player.Snapshot, _ now: Int64) {
    guard let pending = books.pending, let first = life.player.items.first, first.id.number > pending.lastItem else {
      return
    }
    let (uri, items) = books.sources[pending.source]
    books.pending = nil
    // Another request has replaced it.
    guard items.contains(first.uri), pending.edits == requests.edits, var place = books.places[uri] else { return }
    place.pass(to: now)
    let index = items.firstIndex(of: place.uri) ?? 0
    var expected = [place.uri]
    if place.mayHaveEnded {
      expected += items.dropFirst(index + 1).prefix(1)
      // Without a place, a shuffled queue begins anywhere.
      if snapshot.isShuffled { return }
      expected.append(first.uri)
    }
    let current = snapshot.currentItem?.uri ?? "nothing"
    require(
      .bookContinues, expected.contains(current),
      "\(uri) was left at \(place.uri), and continues at \(current)")
  }
}
