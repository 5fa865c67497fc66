import PlayerdStorage
import PlayerdSystem
import TextCoding

/// Decides which tracks belong to a book; a pure value.
///
/// A book is a folder that was opened, and that continues as a whole when it is opened again. Its tracks say that they are no
/// music: by the configured folders, their genre or their extension, or all files of the folder are long. Albums of music are
/// never books, also with one long track.
struct BookRule: Sendable {
  enum Verdict: Hashable, Sendable {
    /// The tags or the lengths of the other files are not known yet.
    case undecided
    /// Music, in the opened folder with this path if there is one.
    case music([UInt8]?)
    /// A track of the book in the folder with this path.
    case book([UInt8])
  }

  /// The properties of a track that decide.
  struct Track: Equatable, Sendable {
    var path: [UInt8]
    /// Nil until the tags are known.
    var genres: [String]?
    var duration: Duration?
  }

  private static let openedLimit = 1_100

  /// The opened folders, the latest at the end.
  private var opened: [[UInt8]]
  /// Whether all files of an opened folder are long.
  private var areLong: [[UInt8]: Bool] = [:]

  /// Creates the rule with the folders of the saved places, the most recent first.
  init(_ places: [ResumePositions.Place]) {
    opened = places.reversed().compactMap { $0.folder.flatMap { FileURI.path(of: $0) } }
  }

  /// Records that the items of a folder are inserted into the queue.
  mutating func open(_ folder: [UInt8]) {
    areLong[folder] = nil
    opened.removeAll { $0 == folder }
    opened.append(folder)
    if opened.count > Self.openedLimit { areLong[opened.removeFirst()] = nil }
  }

  mutating func decide(areLong: Bool, in folder: [UInt8]) { self.areLong[folder] = areLong }

  /// Returns the verdict on a track; `configured` are the paths of folders whose files are books.
  func verdict(on track: Track, configured: [[UInt8]]) -> Verdict {
    let folder = opened.last { track.path.isInside($0) }
    if let root = configured.first(where: { track.path.isInside($0) }) {
      return .book(folder.flatMap { $0.isInside(root) ? $0 : nil } ?? track.path.folder)
    }
    guard let folder else { return .music(nil) }
    if track.path.fileExtension == "m4b" { return .book(folder) }
    guard let genres = track.genres, let duration = track.duration else { return .undecided }
    if genres.contains(where: Self.isSpoken) { return .book(folder) }
    guard duration >= ResumePositions.shortest else { return .music(folder) }
    return areLong[folder].map { $0 ? .book(folder) : .music(folder) } ?? .undecided
  }

  /// Returns the opened folder of an undecided track whose other files must be checked for their lengths.
  func unknownLengths(of track: Track) -> [UInt8]? {
    guard track.genres != nil, let duration = track.duration, duration >= ResumePositions.shortest,
      let folder = opened.last(where: { track.path.isInside($0) }), areLong[folder] == nil
    else { return nil }
    return folder
  }

  /// Whether a genre is one of spoken words.
  static func isSpoken(_ genre: String) -> Bool {
    spoken.contains(String(genre.lowercased().filter(\.isLetter)))
  }

  /// The genres of ID3v1 and iTunes, and of other languages, as letters in lower case.
  private static let spoken: Set = [
    "audiobook", "audiobooks", "audiotheatre", "audiodrama", "podcast", "podcasts", "radioplay", "speech", "spoken",
    "spokenword", "spokenampaudio", "spokenaudio", "hörbuch", "hörbücher", "hörspiel", "hörspiele", "livreaudio",
    "audiolivre", "livresaudio", "audiolibro", "audiolibri", "audiolibros", "luisterboek", "audioboek", "lydbok",
    "ljudbok", "äänikirja", "audiokniha", "audiobuch", "аудиокнига", "аудиокниги",
  ]
}
