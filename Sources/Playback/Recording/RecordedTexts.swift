/// Removes from the inputs the bytes that no rule of playback reads: equal values stay equal, and different ones
/// different.
extension String {
  /// The text, or a short stand-in for a long one.
  var recorded: String {
    utf8.count <= 120 ? self : "\(utf8.count) bytes, \(UInt(bitPattern: hashValue))"
  }
}

extension [String] {
  fileprivate var recorded: [String] {
    count <= 8 ? map(\.recorded) : prefix(7).map(\.recorded) + ["\(count - 7) more, \(UInt(bitPattern: hashValue))"]
  }
}

extension [UInt8] {
  /// A stand-in that depends on the size and the last bytes: hashing a picture of 16 MiB would block the player.
  fileprivate var standIn: String { "\(UInt(bitPattern: [count, suffix(4_096).hashValue].hashValue))" }
}

extension MediaMetadata {
  /// The tags with short texts, and with a stand-in for the picture.
  var recorded: MediaMetadata {
    var tags = self
    for path in Self.texts { tags[keyPath: path] = self[keyPath: path]?.recorded }
    for path in Self.lists { tags[keyPath: path] = self[keyPath: path].recorded }
    tags.artwork = artwork.map { picture in
      Artwork(mimeType: picture.mimeType.recorded, bytes: Array(picture.bytes.standIn.utf8))
    }
    return tags
  }

  /// An upper limit of the bytes of recorded tags, whose lists have at most eight short texts.
  var weight: Int { Self.lists.reduce(2_048) { $0 + self[keyPath: $1].count * 160 } }
}

extension Chapter {
  var recorded: Chapter { Chapter(start: start, duration: duration, title: title?.recorded) }
}

extension StreamTitle {
  var recorded: StreamTitle { StreamTitle(start: start, text: text.recorded) }
}

extension ID3Metadata {
  /// The content with short texts, and with a stand-in for the frames.
  fileprivate var recorded: ID3Metadata {
    let texts = frames.map { [$0.id, $0.name, $0.bytes.standIn] }
    let standIn = Frame(id: "", name: "\(UInt(bitPattern: texts.hashValue))", bytes: [])
    return ID3Metadata(fields: fields.recorded, frames: texts.isEmpty ? [] : [standIn])
  }

  fileprivate var weight: Int { 2_048 + fields.weight }
}

extension TimedTag {
  var recorded: TimedTag { TimedTag(start: start, content: content.recorded) }
  /// An upper limit of the bytes of a recorded tag.
  var weight: Int { MemoryLayout<Self>.stride + content.weight }
}

extension AudioTrack {
  var recorded: AudioTrack {
    var track = self
    (track.codec, track.language, track.title) = (codec?.recorded, language?.recorded, title?.recorded)
    return track
  }

  /// An upper limit of the bytes of a recorded track.
  static var weight: Int { MemoryLayout<Self>.stride + 480 }
}

extension PlayerError {
  /// The error without the details, which may be long.
  var recorded: PlayerError {
    var error = PlayerError(code: Code(rawValue: code.rawValue.recorded), message: message.recorded)
    (error.httpStatus, error.isFromSource, error.isUnusableOutput) = (httpStatus, isFromSource, isUnusableOutput)
    return error
  }
}

extension EngineEvent {
  fileprivate var recorded: EngineEvent {
    switch self {
    case .stream(let stream, let event): .stream(stream, event.recorded)
    case .output(.failed(let error)): .output(.failed(error.recorded))
    case .output(.unplugged(let port)): .output(.unplugged(port.recorded))
    case .warning(let text, let stream): .warning(text.recorded, of: stream)
    // The rules compare the IDs of outputs with the IDs in commands.
    case .output, .audible, .starting, .replaced: self
    }
  }

  /// An upper limit of the bytes beside the value itself; texts are short.
  fileprivate var weight: Int {
    switch self {
    case .stream(_, let event): event.weight
    case .output(.removed(let id)), .output(.added(let id)), .output(.inUse(let id)): id.utf8.count
    case .output(.failed): 320
    case .output(.unplugged), .warning: 160
    case .output, .audible, .starting, .replaced: 0
    }
  }
}

extension StreamEvent {
  fileprivate var recorded: StreamEvent {
    switch self {
    case .tags(let tags, let scope): .tags(tags.recorded, about: scope)
    case .titleStarts(let title, let time): .titleStarts(title.recorded, at: time)
    case .timedTag(let content, let time): .timedTag(content.recorded, at: time)
    case .redirected(let uri): .redirected(to: uri.recorded)
    case .chapters(let chapters): .chapters(chapters.map(\.recorded))
    case .audioTracks(let tracks, let current): .audioTracks(tracks.map(\.recorded), current: current)
    case .failed(let error): .failed(error.recorded)
    case .leftOut(let text): .leftOut(text.recorded)
    case .interrupted(let text): .interrupted(text.recorded)
    case .settled, .readingOn, .seekRefused, .read, .sampled, .progressed, .ranOut, .ended, .startMissed,
      .durationChanged, .timedTagsFlushed, .songEnded, .buffering:
      self
    }
  }

  /// An upper limit of the bytes beside the value itself; texts are short.
  fileprivate var weight: Int {
    switch self {
    case .tags(let tags, _): tags.weight
    case .timedTag(let content, _): content.weight
    case .titleStarts, .redirected, .leftOut, .interrupted: 160
    case .failed: 320
    case .chapters(let chapters): chapters.count * (MemoryLayout<Chapter>.stride + 160)
    case .audioTracks(let tracks, _): tracks.count * AudioTrack.weight
    case .settled, .readingOn, .seekRefused, .read, .sampled, .progressed, .ranOut, .ended, .startMissed,
      .durationChanged, .timedTagsFlushed, .songEnded, .buffering:
      0
    }
  }
}

extension PlaybackInput {
  /// The input as it is recorded: with numbers instead of items, and short texts.
  var recorded: PlaybackInput {
    switch self {
    case .replaceQueue(let list, let start, let order):
      .replaceQueue(list.recorded, startingAt: start, playOrder: order)
    case .rearrange(let list, let order, let keepsAlbums):
      .rearrange(list.recorded, playOrder: order, keepsAlbums: keepsAlbums)
    case .insert(let list, let id): .insert(list.recorded, after: id)
    case .insertAtStart(let list): .insertAtStart(list.recorded)
    case .event(let event): .event(event.recorded)
    case .loudness(.warning(let text)): .loudness(.warning(text.recorded))
    // Without texts, apart from languages and outputs, which the rules compare with the media's languages and the
    // engine's outputs.
    case .play, .playAt, .prepare, .stop, .advance, .pause, .playItem, .playImmediately, .seek,
      .cancelPendingSeeks,
      .setRate, .setDefaultRate, .setVolume, .setMaximumVolume, .setMuted, .setAudioOutput, .setLoop, .setShuffled,
      .setShuffleMode, .setActionAtItemEnd,
      .setAutomaticallyWaits, .setForwardBuffer, .setNetworkTimeout, .setAudioLanguages, .setLowPowerMode,
      .setTimePitch, .setCrossfade, .setFade, .suspendCrossfade,
      .selectAudioTrack, .setVolumeCurve, .remove, .move, .loudness, .wake, .sampleForReader, .progress:
      self
    }
  }

  /// An upper limit of the bytes of a recorded input beside the value itself.
  var weight: Int {
    switch self {
    case .replaceQueue(let list, _, let order), .rearrange(let list, let order, _):
      list.weight + (order?.count ?? 0) * MemoryLayout<Int>.stride
    case .insert(let list, _), .insertAtStart(let list): list.weight
    case .setShuffleMode(_, let names): names.count * 2 * MemoryLayout<(UInt64, AlbumGroups.Name)>.stride
    case .remove(let ids): ids.count * 2 * MemoryLayout<UInt64>.stride
    case .setAudioLanguages(let languages): languages.reduce(0) { $0 + 64 + $1.utf8.count }
    case .setAudioOutput(let output): output.map { 192 + $0.id.utf8.count + $0.name.utf8.count } ?? 0
    case .setVolumeCurve(let curve, _): (curve?.ramps.count ?? 0) * MemoryLayout<VolumeCurve.Ramp>.stride
    case .event(let event): event.weight
    case .loudness(.warning): 160
    case .play, .playAt, .prepare, .stop, .advance, .pause, .playItem, .playImmediately, .seek,
      .cancelPendingSeeks,
      .setRate, .setDefaultRate, .setVolume, .setMaximumVolume, .setMuted, .setLoop, .setShuffled, .setActionAtItemEnd,
      .setAutomaticallyWaits, .setForwardBuffer, .setNetworkTimeout, .setLowPowerMode, .setTimePitch, .setCrossfade,
      .setFade, .suspendCrossfade,
      .selectAudioTrack, .move, .loudness, .wake,
      .sampleForReader, .progress:
      0
    }
  }
}
