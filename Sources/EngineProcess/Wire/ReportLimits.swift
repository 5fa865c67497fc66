import Joining
import Playback

/// The sizes of texts and lists that a player keeps of the reports of a process, which may be hostile.
///
/// Longer ones are cut: their lengths depend on media, and the process is not at fault.
private enum ReportLimit {
  /// The bytes of a text.
  static let text = 64 << 10
  static let lyrics = 1 << 20
  static let chapterTitle = 1 << 10
  /// The texts of a list, and their bytes.
  static let list = (count: 256, bytes: 64 << 10)
  static let tracks = 512
  static let frames = (count: 256, bytes: 512 << 10)
}

extension OutputReport {
  /// The report with texts of the sizes that a player keeps.
  var limited: OutputReport {
    switch self {
    case .event(let event): .event(event.limited)
    case .warning(let text): .warning(text.limited(to: EngineProtocol.logLimit))
    default: self
    }
  }
}

extension DeckReport {
  /// The report with texts and lists of the sizes that a player keeps.
  var limited: DeckReport {
    switch self {
    case .event(let event): .event(event.limited)
    case .warning(let text): .warning(text.limited(to: EngineProtocol.logLimit))
    case .abandoned(let text): .abandoned(text.limited(to: EngineProtocol.logLimit))
    default: self
    }
  }
}

extension StreamEvent {
  fileprivate var limited: StreamEvent {
    switch self {
    case .failed(let error): .failed(error.limited)
    case .tags(let tags, let scope): .tags(tags.limited, about: scope)
    case .titleStarts(let title, let time): .titleStarts(title.limited(), at: time)
    case .timedTag(let tag, let time): .timedTag(tag.limited, at: time)
    case .chapters(let chapters): .chapters(chapters.limited)
    case .audioTracks(let tracks, let current):
      .audioTracks(tracks.limited, current: min(current, ReportLimit.tracks - 1))
    case .redirected(let uri): .redirected(to: uri.limited())
    case .leftOut(let text): .leftOut(text.limited(to: EngineProtocol.logLimit))
    case .settled, .readingOn, .seekRefused, .read, .sampled, .progressed, .ranOut, .ended, .startMissed,
      .durationChanged, .timedTagsFlushed, .songEnded, .buffering, .interrupted:
      self
    }
  }
}

extension OutputEvent {
  fileprivate var limited: OutputEvent {
    switch self {
    case .failed(let error): .failed(error.limited)
    case .inUse(let id): .inUse(id.limited(to: EngineProtocol.logLimit))
    case .removed(let id): .removed(id.limited(to: EngineProtocol.logLimit))
    case .added(let id): .added(id.limited(to: EngineProtocol.logLimit))
    case .unplugged(let port): .unplugged(port.limited(to: EngineProtocol.logLimit))
    case .opened, .found, .suspended, .volumeChanged, .fadeOutEnds, .pauseRequested, .resumeRequested: self
    }
  }
}

extension MediaAnswer {
  /// The answer with texts and lists of the sizes that a player keeps.
  var limited: MediaAnswer {
    switch self {
    case .description(var description):
      description.metadata = description.metadata.limited
      description.audioTracks = description.audioTracks.limited
      description.chapters = description.chapters.limited
      return .description(description)
    case .failed(let error): return .failed(error.limited)
    case .content, .loudness, .audioOutputs, .checked, .comparison, .support: return self
    }
  }
}

extension PlayerError {
  fileprivate var limited: PlayerError {
    var error = PlayerError(
      code: Code(rawValue: code.rawValue.limited(to: EngineProtocol.logLimit)),
      message: message.limited(to: EngineProtocol.logLimit), detail: detail.limited(to: EngineProtocol.logLimit))
    (error.httpStatus, error.isFromSource, error.isUnusableOutput) = (httpStatus, isFromSource, isUnusableOutput)
    return error
  }
}

extension MediaMetadata {
  fileprivate var limited: MediaMetadata {
    var tags = self
    for path in Self.texts { tags[keyPath: path] = self[keyPath: path]?.limited() }
    tags.lyrics = lyrics?.limited(to: ReportLimit.lyrics)
    for path in Self.lists { tags[keyPath: path] = self[keyPath: path].limited }
    return tags
  }
}

extension [String] {
  fileprivate var limited: [String] {
    var rest = ReportLimit.list.bytes
    return prefix(ReportLimit.list.count).compactMap { text in
      let text = text.limited(to: rest)
      rest -= text.utf8.count
      return text.isEmpty ? nil : text
    }
  }
}

extension ID3Metadata {
  fileprivate var limited: ID3Metadata {
    var rest = ReportLimit.frames.bytes
    let frames = frames.prefix(ReportLimit.frames.count).filter { frame in
      rest -= frame.id.utf8.count + frame.name.utf8.count + frame.bytes.count
      return rest > 0
    }
    return ID3Metadata(fields: fields.limited, frames: frames)
  }
}

extension [Chapter] {
  fileprivate var limited: [Chapter] {
    prefix(Chapter.readLimit).map { chapter in
      var chapter = chapter
      chapter.title = chapter.title?.limited(to: ReportLimit.chapterTitle)
      return chapter
    }
  }
}

extension [AudioTrack] {
  fileprivate var limited: [AudioTrack] {
    prefix(ReportLimit.tracks).map { track in
      var track = track
      track.codec = track.codec?.limited(to: EngineProtocol.logLimit)
      track.language = track.language?.limited(to: EngineProtocol.logLimit)
      track.title = track.title?.limited(to: EngineProtocol.logLimit)
      return track
    }
  }
}

extension String {
  /// Returns the text, or its beginning if it has more bytes.
  func limited(to bytes: Int = ReportLimit.text) -> String {
    guard utf8.count > bytes else { return self }
    // A character that is cut off becomes a replacement character of three bytes.
    return String(decoding: utf8.prefix(Swift.max(0, bytes - 3)), as: UTF8.self)
  }
}
