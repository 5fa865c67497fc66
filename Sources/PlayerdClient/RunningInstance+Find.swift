import DBus
import Logging
package import PlayerdInterfaces
package import PlayerdSystem
import TextCoding

/// Tracks of the queue by their words.
extension RunningInstance {
  /// Returns the tracks that have all words in their title, artist, album or file name, and the revision of the queue.
  ///
  /// - Throws: Exit status 66 if none has them; the reason has been logged.
  package func find(_ words: SearchWords) async throws -> (tracks: [QueuedTrack], revision: UInt64) {
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
  package func findOne(
    _ words: SearchWords, for command: String
  ) async throws -> (track: QueuedTrack, revision: UInt64) {
    let (found, revision) = try await find(words)
    return (try onlyOne(of: found, words, for: command), revision)
  }

  /// Returns the only track whose names have numbers that are beyond the queue, such as the title “1979”, and the revision of the
  /// queue.
  ///
  /// - Throws: Exit status 1 if none has them, with the message for `number`, or if several have.
  package func findOne(
    withNumbers words: SearchWords, for command: String, number: Int64
  ) async throws -> (track: QueuedTrack, revision: UInt64) {
    let queue = try await QueuePage.readAll(from: control)
    let found = queue.rows.filter { $0.matches(numbers: words) }
    if found.isEmpty { try check(number, isWithin: queue.total) }
    return (try onlyOne(of: found, words, for: command), queue.revision)
  }

  private func onlyOne(of found: [QueuedTrack], _ words: SearchWords, for command: String) throws -> QueuedTrack {
    if found.count == 1, let track = found.first { return track }
    guard let first = found.first else { throw failure("no track of the queue has “\(words.text)”") }
    log.error(
      "\(counted(found.count, "track")) have “\(words.text)”; give the number, such as “\(command) \(first.number)”:"
    )
    let width = "\(found.last?.number ?? 0)".count
    for track in found { _ = StandardError.write(track.line(width: width).withoutControls + "\n") }
    throw ExitStatus.failure
  }
}

extension QueuedTrack {
  /// Whether the title, the artist, the album or the file name have each of the words.
  package func matches(_ words: SearchWords) -> Bool { words.match([title, artist, album, fileName]) }

  /// Whether the title, the artist or the album have each of the numbers, or a track without a title has that file name.
  ///
  /// Many file names begin with the number of the track on its album, which is not meant.
  package func matches(numbers: SearchWords) -> Bool {
    if title == nil, let fileName, String(decoding: Array(fileName.utf8).stem, as: UTF8.self) == numbers.text {
      return true
    }
    return numbers.matchNumbers([title, artist, album])
  }

  private var fileName: String? { uri.map { FileURI.name(of: $0) } }
}
