import Joining
import Playback

/// A message of a program to a process that it has started.
enum EngineRequest: Codable {
  /// The first message to the output of a player: its configuration, the limits of the process, and the present settings.
  case startOutput(Player.Configuration, EngineSettings)
  /// The first message to the decks of a player: its configuration, and the limits of the process.
  case startDecks(Player.Configuration)
  /// The first message to a process without an engine: the bytes of memory that it may use in addition.
  case startInspection(memoryLimit: Int)
  /// The second message, and later changes.
  case settings(MediaSettings)
  case output(OutputCommand)
  /// Gives a part of the ring of a stream, whose packet has the descriptor; all parts precede the samples.
  case ring(RingPart, of: StreamToken)
  /// The samples of a stream are not needed any more.
  case detach(StreamToken)
  case deck(StreamToken, DeckCommand)
  /// Closes a stream that is to be opened again, and requests an ``EngineReport/withdrawn(_:)``.
  case withdraw(StreamToken)
  /// The answer to ``EngineReport/openFile(_:request:)``: the packet has the descriptor, or there is an error number.
  case file(error: Int?, request: Int)
  /// Requests an ``EngineReport/answer(ping:)``.
  case ping(Int)
  case media(MediaCall)
  /// Requests the orderly end of the process.
  case close
}

/// A descriptor that belongs to a ring of samples.
enum RingPart: String, CaseIterable, Codable {
  /// The memory.
  case memory
  /// The end of a pipe for reading, which wakes the process that it is given to.
  case own
  /// The end of a pipe for writing, which wakes the process at the other side of the ring.
  case other
}

/// A message of a process to the program that has started it.
enum EngineReport: Codable {
  /// The first message: the sandbox that is in force.
  case started(sandbox: SandboxState?)
  case output(OutputReport)
  /// A call of the output does not return.
  case outputHangs
  /// The ring of a stream has records that no deck writes, for this reason.
  case ringFault(StreamToken, String)
  /// A condition that is worth a line in the log.
  case warning(String)
  case deck(StreamToken, DeckReport)
  /// A stream is closed; what follows of it is of its next opening.
  case withdrawn(StreamToken)
  /// Requests a file that the player has named, or the lyrics beside it; the path is absolute.
  case openFile([UInt8], request: Int)
  case answer(ping: Int)
  /// A message of a library for the log; the library ends the process after a fatal one.
  case log(String, isFatal: Bool)
  /// A signal ends the process, in the thread with this name.
  case crashed(thread: String)
  case media(MediaReply)
}

/// The form of messages on the socket.
enum EngineProtocol {
  /// The version of the messages: a change of their types, or of the types of their contents, increases it.
  static let version: UInt8 = 1
  /// The largest text of a log message, in bytes.
  static let logLimit = 4_096
  /// The largest name of a thread, in bytes.
  ///
  /// <https://man7.org/linux/man-pages/man2/PR_SET_NAME.2const.html>
  static let threadNameLimit = 15
  /// The bytes before the value: the name of the protocol, and its version.
  private static let header: [UInt8] = Array("MPE".utf8) + [version]

  /// Returns the bytes of a message.
  ///
  /// - Throws: ``WireError`` if the message is too large.
  static func encode(_ message: some Encodable) throws -> [UInt8] {
    var bytes = header
    try WireEncoder.encode(message).write(to: &bytes)
    guard bytes.count <= EngineChannel.sizeLimit else { throw WireError("it is too large") }
    return bytes
  }

  /// Returns the message of received bytes.
  ///
  /// - Throws: ``WireError`` or `DecodingError` if the bytes are not a message of this type and version.
  static func decode<Message: Decodable>(_ type: Message.Type, from bytes: [UInt8]) throws -> Message {
    guard bytes.starts(with: header.dropLast()) else { throw WireError("it is not a message of the engine protocol") }
    guard bytes.count > header.count, bytes[header.count - 1] == version else {
      throw WireError("it has another version of the engine protocol")
    }
    return try WireDecoder.decode(type, from: WireValue(Array(bytes.dropFirst(header.count))))
  }

  /// Returns the reason why a message cannot be decoded.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let error as WireError: error.description
    case let error as PlayerError: error.message
    default: "an unknown or incomplete value"
    }
  }
}

// MARK: - Validation

extension EngineReport {
  /// The reason why the message has values that no engine reports; nil for a valid message.
  ///
  /// Types, sizes and magnitudes are checked when the message is decoded.
  var fault: String? {
    switch self {
    case .output(let report): report.fault
    case .deck(_, let report): report.fault
    case .log(let text, _): text.utf8.count > EngineProtocol.logLimit ? "a log message that is too long" : nil
    case .crashed(let thread):
      thread.utf8.count > EngineProtocol.threadNameLimit ? "a name of a thread that is too long" : nil
    // The answer to a request is checked together with that.
    case .media, .openFile, .started, .answer, .outputHangs, .ringFault, .warning, .withdrawn: nil
    }
  }
}

extension OutputReport {
  fileprivate var fault: String? {
    switch self {
    case .event(let event): event.fault
    case .began(let position), .ended(let position), .sampled(let position): position.fault
    case .resumed(let positions), .startMissed(let positions):
      positions.count > OutputCommand.partLimit ? "too many parts" : positions.lazy.compactMap(\.fault).first
    case .silent(_, let time): (time ?? .zero) < .zero ? "a negative time" : nil
    case .decoded(_, let time), .tail(_, let time), .owed(_, let time, _): time < .zero ? "a negative time" : nil
    case .playedOut, .dry, .supplied, .conversion, .warning: nil
    }
  }
}

extension OutputReport.Position {
  fileprivate var fault: String? { time < .zero ? "a negative time" : nil }
}

extension DeckReport {
  fileprivate var fault: String? {
    switch self {
    case .event(let event): event.fault
    case .ended(_, let time): time < .zero ? "a negative time" : nil
    case .measured(let progress): progress.fault
    case .loudness(let tags): tags.fault
    case .refused, .warning, .abandoned: nil
    }
  }
}

extension GainTags {
  fileprivate var fault: String? {
    let values = [trackGain, albumGain, trackPeak, albumPeak].compactMap(\.self)
    return values.allSatisfy { $0.magnitude <= 1_000 } ? nil : "a loudness beyond the limits"
  }
}

extension StreamEvent {
  fileprivate var fault: String? {
    switch self {
    case .settled(let facts): (facts.duration ?? .zero) < .zero ? "a negative duration" : facts.progress.fault
    case .durationChanged(let duration): (duration ?? .zero) < .zero ? "a negative duration" : nil
    case .ended(let time): (time ?? .zero) < .zero ? "a negative time" : nil
    case .sampled(_, let progress), .progressed(let progress), .ranOut(let progress): progress.fault
    case .buffering(let percent, let progress):
      (0...100).contains(percent) ? progress.fault : "a fill level beyond 0…100 percent"
    case .audioTracks(let tracks, let current):
      tracks.isEmpty || tracks.indices.contains(current) ? nil : "an audio track that does not exist"
    case .tags(let tags, _): tags.fault
    case .timedTag(let tag, _): tag.fields.fault
    case .chapters(let chapters): Chapter.fault(of: chapters)
    case .readingOn, .seekRefused, .read, .startMissed, .redirected, .failed, .titleStarts, .timedTagsFlushed,
      .songEnded, .leftOut:
      nil
    // The player observes the end of a process itself.
    case .interrupted: "the end of a process"
    }
  }
}

extension OutputEvent {
  fileprivate var fault: String? {
    guard case .volumeChanged(let volume, _) = self else { return nil }
    return Player.volumeRange.contains(volume) ? nil : "a volume beyond the range"
  }
}

extension Chapter {
  static func fault(of chapters: [Chapter]) -> String? {
    chapters.allSatisfy { $0.start >= .zero && ($0.duration ?? .zero) >= .zero } ? nil : "a negative time of a chapter"
  }
}

extension MediaMetadata {
  var fault: String? {
    guard let artwork else { return nil }
    if artwork.bytes.count > Artwork.sizeLimit { return "a picture beyond \(Artwork.sizeLimit >> 20) MiB" }
    return artwork.mimeType.utf8.count > EngineProtocol.logLimit ? "a media type that is too long" : nil
  }
}

extension StreamProgress {
  fileprivate var fault: String? {
    let sizes = [received, transferred, segments.map(Int64.init), bytesPerSecond, forwarded, size]
    if sizes.contains(where: { ($0 ?? 0) < 0 }) { return "a negative size" }
    return [kept, window].contains { ($0?.lowerBound ?? .zero) < .zero } ? "a negative time" : nil
  }
}
