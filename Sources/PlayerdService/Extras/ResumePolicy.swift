import PlayerdStorage
import PlayerdSystem
import TextCoding

/// Decides when to save the places in long files and books, and when to resume there; a pure value.
struct ResumePolicy: Sendable {
  /// The state of the player that the decisions depend on.
  struct View: Sendable {
    /// The current track's number and URI; nil for none, and while stopped.
    var track: (number: UInt64, uri: String)?
    /// Whether the start position of the track was requested.
    var hasStart = false
    /// Whether the track is a whole local file, whose audio can be identified.
    var isFile = false
    var book = BookRule.Verdict.music(nil)
    var position = Duration.zero
    var duration: Duration?
    var isPlaying = false
    /// The time since 1970.
    var date = Duration.zero

    fileprivate var isLong: Bool { duration.map { $0 >= ResumePositions.shortest } ?? false }
    fileprivate var folder: String? {
      if case .book(let path) = book { FileURI.uri(ofPath: path) } else { nil }
    }
  }

  /// The actions to take.
  struct Outcome: Equatable, Sendable {
    /// The position to resume at.
    var target: Duration?
    /// Whether to write the positions soon.
    var isWritten = false
    /// Whether to read the identity of the track's audio, for ``identified(_:as:with:)``.
    var isIdentified = false
  }

  private(set) var positions: ResumePositions
  /// Whether a long file or a book is playing; its position is then read periodically.
  private(set) var isFollowing = false
  /// The URI of the folder of the book that plays or is paused; nil for none.
  private(set) var book: String?
  /// The last track that was checked; its position is restored only once.
  private var seen: (number: UInt64, uri: String)?
  /// Whether the identity of the track's audio was read or is being read.
  private var hasIdentity = false
  /// The track whose place the user has removed; it gets none as long as it is current.
  private var forgotten: UInt64?
  /// Whether a position was saved since the positions were last to be written.
  private var isUnwritten = false

  init(_ positions: ResumePositions) { self.positions = positions }

  /// Removes the position of a track that has played to its end; a book continues with the track `next` if it is in its folder.
  mutating func ended(_ uri: String, followedBy next: String? = nil, at date: Duration = .zero) -> Outcome {
    guard let place = positions.place(of: uri) else { return Outcome() }
    positions.forget(uri)
    if let next, let folder = place.folder, let path = FileURI.path(of: folder),
      FileURI.path(of: next)?.isInside(path) ?? false
    {
      positions.record(.zero, of: next, in: folder, at: date)
    }
    return Outcome(isWritten: true)
  }

  /// Applies the present state of the player, which an event or the time of the track has reported.
  mutating func update(with view: View, isTick: Bool = false) -> Outcome {
    // A track may end with a tick; its end, and the next track, are reported after it.
    if isTick, view.track?.number != seen?.number { return Outcome() }
    // A paused track that is left is written too.
    let isLeft = view.track.map { $0.number != seen?.number } ?? true
    var outcome = Outcome(isWritten: isUnwritten && (isLeft || isFollowing && !view.isPlaying))
    if outcome.isWritten { isUnwritten = false }
    book = view.track == nil ? nil : view.folder
    isFollowing = view.track != nil && view.isPlaying && (view.isLong || book != nil)
    guard let track = view.track else { return outcome }
    if seen?.number != track.number {
      (seen, hasIdentity, forgotten) = (track, false, nil)
      // A track that was started at another position on purpose is not moved.
      outcome.target = view.hasStart || view.position >= .seconds(1) ? nil : positions.position(of: track.uri)
      if outcome.target == .zero { outcome.target = nil }
      if outcome.target != nil { return outcome }
    }
    if positions.count > 0, case .music(let folder?) = view.book, positions.unmark(FileURI.uri(ofPath: folder)) {
      isUnwritten = !outcome.isWritten
    }
    guard let duration = view.duration, view.position < duration else { return outcome }
    if !hasIdentity, view.isFile, positions.place(of: track.uri) == nil,
      positions.mayContain(length: duration, unless: track.uri)
    {
      (hasIdentity, outcome.isIdentified) = (true, true)
    }
    if view.isLong || book != nil, forgotten != track.number {
      // The folder that was opened is not known after a crash otherwise.
      if book != nil, positions.place(of: track.uri)?.folder != book { outcome.isWritten = true }
      positions.record(view.position, of: track.uri, in: book, length: duration, at: view.date)
      isUnwritten = !outcome.isWritten
    }
    if !hasIdentity, view.isFile, let place = positions.place(of: track.uri), place.audio == nil {
      (hasIdentity, outcome.isIdentified) = (true, true)
    }
    return outcome
  }

  /// Records the identity of a file's audio; if another file had it, that one was renamed or copied, and its place is moved.
  mutating func identified(_ uri: String, as audio: AudioContent, with view: View) -> Outcome {
    var outcome = Outcome()
    let isAtStart =
      view.track?.uri == uri && forgotten != view.track?.number && !view.hasStart
      && view.position < ResumePositions.earliest
    if isAtStart, let place = positions.place(of: audio, unless: uri) {
      positions.move(place.uri, to: uri, in: view.folder)
      outcome.target = place.position > .zero ? place.position : nil
      outcome.isWritten = true
    }
    positions.identify(uri, as: audio)
    isUnwritten = isUnwritten || !outcome.isWritten && positions.place(of: uri) != nil
    return outcome
  }

  /// Removes the places in files or folders, or with these URIs; returns their number.
  ///
  /// The current track gets no other place until it is current again.
  mutating func forget(_ uris: [String]) -> Int {
    let isKnown = seen.map { positions.place(of: $0.uri) != nil } ?? false
    let count = positions.forget(in: uris)
    if isKnown, let seen, positions.place(of: seen.uri) == nil { forgotten = seen.number }
    return count
  }

  // MARK: Opening a book

  /// Returns the index of the file at which the book of some files was left; nil if they are not a book.
  ///
  /// All files are in `folder`, which is the book's folder, or inside it.
  func start(of uris: [String], in folder: [UInt8]) -> Int? {
    let indices = Dictionary(uris.enumerated().map { ($1, $0) }) { first, _ in first }
    return positions.places.lazy.filter { $0.folder.flatMap { FileURI.path(of: $0) }.map(folder.isInside) ?? false }
      .compactMap { indices[$0.uri] }.first
  }

  /// Whether a book has its place in a folder.
  func hasBook(in folder: [UInt8]) -> Bool {
    positions.places.contains { place in
      guard let path = place.folder.flatMap({ FileURI.path(of: $0) }), folder.isInside(path) else { return false }
      return FileURI.path(of: place.uri)?.isInside(folder) ?? false
    }
  }

  /// The places of books whose files can be found under other names.
  var identifiedBooks: [ResumePositions.Place] { positions.places.filter { $0.folder != nil && $0.audio != nil } }

  /// Moves the place of a book whose file was found under another name.
  ///
  /// - Returns: Whether the book continues there: the file is as deep in its folder as before.
  mutating func found(_ place: ResumePositions.Place, as uri: String, in folder: [UInt8]) -> Bool {
    let isSame =
      Self.depth(of: place.uri, in: place.folder.flatMap { FileURI.path(of: $0) }) == Self.depth(of: uri, in: folder)
    positions.move(place.uri, to: uri, in: isSame ? FileURI.uri(ofPath: folder) : nil)
    isUnwritten = true
    return isSame
  }

  private static func depth(of uri: String, in folder: [UInt8]?) -> Int? {
    guard let folder, let path = FileURI.path(of: uri), path.isInside(folder) else { return nil }
    return path.dropFirst(folder.count).count { $0 == UInt8(ascii: "/") }
  }
}
