import CGst
import Playback

extension Failure {
  /// The player's error for what GStreamer posted: its code tells a missing file from a text file from a dead server.
  ///
  /// Domain and code decide; GStreamer reports several causes under one code, and there the texts decide. `missing` are the
  /// names of the plug-ins that are missing for the audio of the item.
  func playerError(missing: [String]) -> PlayerError {
    let playerCode = playerCode
    let detail = "\(domain.rawValue) \(code) \(element): \(message) \(debug)"
    var error =
      playerCode == .codecMissing && !missing.isEmpty
      ? PlayerError(missing: missing, detail: detail)
      : PlayerError(playerCode, sentence(for: playerCode), detail: detail)
    error.isFromSource = isFromHTTP || debug.contains("GstSoupHTTPSrc:")
    return error
  }

  /// The player's error where no plug-in is known to be missing.
  var playerError: PlayerError { playerError(missing: []) }

  /// What a person is told; where we know no better, GStreamer's own words.
  private func sentence(for code: PlayerError.Code) -> String {
    switch code {
    case .notFound: "not found"
    case .permissionDenied: "permission denied"
    case .notMedia: "not media"
    case .empty: "the file is empty"
    case .readError: systemError.map { "reading failed: \($0)" } ?? message
    case .corrupt: "damaged, or not what it claims to be"
    case .networkRefused: "the server refuses the connection"
    case .networkUnresolved: "the server's name cannot be resolved"
    case .networkTimeout: "the server does not answer"
    case .networkCut: "the connection ended before the media did"
    case .httpError: "the server answers with status \(httpStatus ?? 0)"
    case .tooManyRedirects: "redirected too often"
    case .tls: "no secure connection can be made"
    default: message
    }
  }

  private var playerCode: PlayerError.Code {
    if isFromOutput, domain != .stream { return .output }
    return switch domain {
    case .resource: resourceCode
    case .stream: streamCode
    case .core: coreCode
    case .library, .other: .unknown
    }
  }

  /// The warning with which `uridecodebin` repeats the message of a missing decoder.
  var isDecoderMissing: Bool { domain == .stream && code == stream(GST_STREAM_ERROR_CODEC_NOT_FOUND) }

  /// Whether GStreamer's own words, not the name of a file or a server's, say so.
  private func says(_ words: String...) -> Bool { words.contains { spoken.contains($0) } }

  /// The debug text up to where names from outside begin, or for other sources than HTTP, the message.
  private var spoken: Substring {
    guard isFromHTTP else { return message[...] }
    return debug.firstRange(of: ", URL: ").map { debug[..<$0.lowerBound] } ?? debug[...]
  }

  /// The debug text starts with the source file that posted.
  private var isFromHTTP: Bool { debug.prefix { $0 != "(" }.contains("gstsouphttpsrc.c") }

  private var resourceCode: PlayerError.Code {
    if isFromHTTP { return networkCode }
    switch code {
    case resource(GST_RESOURCE_ERROR_NOT_FOUND): return .notFound
    case resource(GST_RESOURCE_ERROR_NOT_AUTHORIZED): return .permissionDenied
    case resource(GST_RESOURCE_ERROR_OPEN_READ), resource(GST_RESOURCE_ERROR_READ):
      if message.hasSuffix("is a directory.") { return .notMedia }
      if debug.hasSuffix("Permission denied") { return .permissionDenied }
      return .readError
    default: return .unknown
    }
  }

  private var networkCode: PlayerError.Code {
    if let httpStatus, (400...599).contains(httpStatus) { return .httpError }
    if says("Could not resolve", "Error resolving", "Name or service not known", "Cannot resolve") {
      return .networkUnresolved
    }
    if says("Connection refused", "Could not connect", "Cannot connect") { return .networkRefused }
    if says("timed out", "timeout") { return .networkTimeout }
    if says("Too many redirects") { return .tooManyRedirects }
    if says("TLS", "SSL", "certificate") { return .tls }
    // After a cut souphttpsrc asks for the rest, which a server without ranges cannot give.
    if says("terminated", "reset by peer") || code == resource(GST_RESOURCE_ERROR_SEEK) { return .networkCut }
    return .unknown
  }

  /// The reason that the system gave, at the end of the debug text.
  private var systemError: Substring? {
    debug.firstRange(of: "system error: ").map { debug[$0.upperBound...] }
  }

  /// The status in what souphttpsrc says: `Not Found (404), URL: http://…`; a small number is libsoup's own.
  private var httpStatus: Int? {
    guard let end = debug.firstRange(of: "), URL: "), let start = debug[..<end.lowerBound].lastIndex(of: "(") else {
      return nil
    }
    return Int(debug[debug.index(after: start)..<end.lowerBound])
  }

  private var streamCode: PlayerError.Code {
    if says("contains no data") { return .empty }
    if debug.hasSuffix("reason not-linked (-1)") { return .notMedia }
    // souphttpsrc tells nothing of its own when a connection ends, nor when it gives up following redirects.
    if debug.contains("GstSoupHTTPSrc:") { return .networkCut }
    switch code {
    case stream(GST_STREAM_ERROR_TYPE_NOT_FOUND), stream(GST_STREAM_ERROR_WRONG_TYPE): return .notMedia
    case stream(GST_STREAM_ERROR_CODEC_NOT_FOUND): return .codecMissing
    case stream(GST_STREAM_ERROR_DECODE), stream(GST_STREAM_ERROR_DEMUX), stream(GST_STREAM_ERROR_FORMAT),
      stream(GST_STREAM_ERROR_FAILED):
      return .corrupt
    default: return .unknown
    }
  }

  private var coreCode: PlayerError.Code {
    guard code == Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue) else { return .unknown }
    return says("URI handler", "protocol") ? .unsupportedScheme : .codecMissing
  }

  private func resource(_ code: GstResourceError) -> Int { Int(code.rawValue) }
  private func stream(_ code: GstStreamError) -> Int { Int(code.rawValue) }
}
