import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

/// Tracks of the queue by their words.
extension RunningInstance {
  /// Returns the tracks that have all words in their title, artist, album or file name, and the revision of the queue.
  ///
  /// - Throws: Exit status 66 if none has them; the reason has been logged.
  func find(_ words: SearchWords) async throws -> (tracks: [QueuedTrack], revision: UInt64) {
    let queue = try await QueuePage.readAll(from: control)
    guard !queue.rows.isEmpty else { throw emptyQueue() }
    let found = queue.rows.filter { $0.matches(words) }
    guard !found.isEmpty else {
      let name = words.text
      let isPlaylist = try await control.call(ControlInterface.getPlaylists).contains(name)
      let hint =
        isPlaylist ? "; “playlist play \(name)” plays the playlist, and “playlist delete \(name)” deletes it" : ""
      log.error("no track of the queue has “\(name)”\(hint)")
      throw ExitStatus.nothingPlayable
    }
    return (found, queue.revision)
  }

  /// Returns the only track that has all words, and the revision of the queue.
  ///
  /// - Throws: Exit status 66 if none has them, 1 if several have; the reason, and their list, have been logged.
  func findOne(
    _ words: SearchWords, for command: String
  ) async throws -> (track: QueuedTrack, revision: UInt64) {
    let (found, revision) = try await find(words)
    guard found.count > 1 else { return (found[0], revision) }
    log.error(
      "\(counted(found.count, "track")) have “\(words.text)”; give the number, such as “\(command) \(found[0].number)”:"
    )
    let width = "\(found.last?.number ?? 0)".count
    for track in found { _ = StandardError.write(track.line(width: width).withoutControls + "\n") }
    throw ExitStatus.failure
  }
}

extension QueuedTrack {
  /// Whether the title, the artist, the album or the file name have each of the words.
  func matches(_ words: SearchWords) -> Bool { words.match([title, artist, album, uri.map { FileURI.name(of: $0) }]) }
}
