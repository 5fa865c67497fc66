import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

/// Tracks of the queue by their words.
extension RunningInstance {
  /// Returns the tracks that have all words in their title, artist, album or file name.
  ///
  /// - Throws: Exit status 66 if none has them; the reason has been logged.
  func find(_ words: SearchWords) async throws -> [QueuedTrack] {
    let tracks = try await QueuePage.readAll(from: control)
    guard !tracks.isEmpty else { throw emptyQueue() }
    let found = tracks.filter { $0.matches(words) }
    guard !found.isEmpty else {
      let name = words.text
      let isPlaylist = try await control.call(ControlInterface.getPlaylists).contains(name)
      let hint =
        isPlaylist ? "; “playlist play \(name)” plays the playlist, and “playlist delete \(name)” deletes it" : ""
      log.error("no track of the queue has “\(name)”\(hint)")
      throw ExitStatus.nothingPlayable
    }
    return found
  }

  /// Returns the only track that has all words.
  ///
  /// - Throws: Exit status 66 if none has them, 1 if several have; the reason, and their list, have been logged.
  func findOne(_ words: SearchWords, for command: String) async throws -> QueuedTrack {
    let found = try await find(words)
    guard found.count > 1 else { return found[0] }
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
