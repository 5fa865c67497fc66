import CGst
import Playback

extension Failure {
  /// Returns the player's error for an error that GStreamer posted.
  ///
  /// The domain and the code determine the result. Where GStreamer reports several causes under one code, the texts
  /// determine it. `missing` contains the names of the missing plug-ins for the audio of the item.
  func playerError(missing: [String]) -> PlayerError {
    let playerCode = playerCode
    let detail = "\(domain.rawValue) \(code) \(element): \(message) \(debug)"
    var error =
      playerCode == .codecMissing && !missing.isEmpty
      ? PlayerError(missing: missing, detail: detail)
      : PlayerError(code: playerCode, message: sentence(for: playerCode), detail: detail)
    if playerCode == .httpError { error.httpStatus = httpStatus }
    error.isFromSource = isFromHTTP || debug.contains("GstSoupHTTPSrc:") || isLostPlaylist
    return error
  }

  /// The player's error if no missing plug-in is known.
  var playerError: PlayerError { playerError(missing: []) }

  /// Returns the message for users; for an unknown cause, the message from GStreamer.
  private func sentence(for code: PlayerError.Code) -> String {
    switch code {
    case .notFound: "not found"
    case .permissionDenied: domain == .refusal ? message : "permission denied"
    case .notMedia: "not media"
    case .empty: "the file is empty"
    case .readError: systemError.map { "reading failed: \($0)" } ?? message
    case .corrupt: "damaged, or not in the declared format"
    case .networkRefused: "the server refuses the connection"
    case .networkUnresolved: "the server's name cannot be resolved"
    case .networkTimeout: "the server does not respond"
    case .networkCut: "the connection was closed before the end of the media"
    case .httpError: "the server responds with status \(httpStatus ?? 0)"
    case .tooManyRedirects: "too many redirects"
    case .tls: "cannot establish a secure connection"
    default: message
    }
  }

  private var playerCode: PlayerError.Code {
    if isFromOutput, domain != .stream { return .output }
    return switch domain {
    case .resource: resourceCode
    case .stream: streamCode
    case .core: coreCode
    case .refusal: .permissionDenied
    case .library, .other: .unknown
    }
  }

  /// Whether this is the warning with which `uridecodebin` repeats the message of a missing decoder.
  var isDecoderMissing: Bool { domain == .stream && code == Int(GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue) }

  /// Whether a phrase is part of GStreamer's own text, not of a file name or a server's text.
  private func mentions(_ words: String...) -> Bool { words.contains { spoken.contains($0) } }

  /// The debug text up to the first external name; for sources other than HTTP, the message.
  private var spoken: Substring {
    guard isFromHTTP else { return message[...] }
    return debug.firstRange(of: ", URL: ").map { debug[..<$0.lowerBound] } ?? debug[...]
  }

  /// Whether the server of a live stream does not send its playlist any more; hlsdemux posts a failure of the stream then.
  private var isLostPlaylist: Bool { debug.hasSuffix("Could not update playlist") }

  /// Whether the HTTP source posted the error: the debug text starts with the name of its source file.
  private var isFromHTTP: Bool { debug.prefix { $0 != "(" }.contains("gstsouphttpsrc.c") }

  private var resourceCode: PlayerError.Code {
    if isFromHTTP { return networkCode }
    switch GstResourceError(UInt32(truncatingIfNeeded: code)) {
    case GST_RESOURCE_ERROR_NOT_FOUND: return .notFound
    case GST_RESOURCE_ERROR_NOT_AUTHORIZED: return .permissionDenied
    case GST_RESOURCE_ERROR_OPEN_READ, GST_RESOURCE_ERROR_READ:
      if message.hasSuffix("is a directory.") { return .notMedia }
      if debug.hasSuffix("Permission denied") { return .permissionDenied }
      return .readError
    default: return .unknown
    }
  }

  private var networkCode: PlayerError.Code {
    if let httpStatus, (300...399).contains(httpStatus), isRedirectToHTTP { return .tooManyRedirects }
    if let httpStatus, (300...599).contains(httpStatus) { return .httpError }
    if mentions("Could not resolve", "Error resolving", "Name or service not known", "Cannot resolve") {
      return .networkUnresolved
    }
    if mentions("Connection refused", "Could not connect", "Cannot connect") { return .networkRefused }
    if mentions("timed out", "timeout") { return .networkTimeout }
    if mentions("Too many redirects") { return .tooManyRedirects }
    if mentions("TLS", "SSL", "certificate") { return .tls }
    // After a lost connection souphttpsrc requests the rest, which a server without byte ranges cannot send.
    let hasNoRanges = code == Int(GST_RESOURCE_ERROR_SEEK.rawValue)
    return hasNoRanges || mentions("terminated", "reset by peer") ? .networkCut : .unknown
  }

  /// Whether the response redirected to an HTTP URI; before GStreamer 1.28, the debug text does not have other URIs.
  ///
  /// 20 redirects are followed. After that, or in a loop, souphttpsrc posts “Found (302)” with the last target. A
  /// redirect to another scheme is this error without a target.
  ///
  /// Since 1.28 it has the header of the response, which may be relative.
  private var isRedirectToHTTP: Bool {
    guard let start = debug.ranges(of: ", Redirect to: ").last?.upperBound, debug[start...] != "(NULL)" else {
      return false
    }
    return MediaURI.scheme(of: String(debug[start...])).map { $0 == "http" || $0 == "https" } ?? true
  }

  /// The error text of the operating system, at the end of the debug text.
  private var systemError: Substring? {
    debug.firstRange(of: "system error: ").map { debug[$0.upperBound...] }
  }

  /// The status in souphttpsrc's debug text, as in `Not Found (404), URL: http://…`; small numbers are libsoup errors.
  private var httpStatus: Int? {
    guard let end = debug.firstRange(of: "), URL: "), let start = debug[..<end.lowerBound].lastIndex(of: "(") else {
      return nil
    }
    return Int(debug[debug.index(after: start)..<end.lowerBound])
  }

  private var streamCode: PlayerError.Code {
    if mentions("contains no data") { return .empty }
    if debug.hasSuffix("reason not-linked (-1)") { return .notMedia }
    // souphttpsrc posts no specific error when a connection ends, or when it stops following redirects.
    if debug.contains("GstSoupHTTPSrc:") || isLostPlaylist { return .networkCut }
    switch GstStreamError(UInt32(truncatingIfNeeded: code)) {
    case GST_STREAM_ERROR_TYPE_NOT_FOUND, GST_STREAM_ERROR_WRONG_TYPE: return .notMedia
    case GST_STREAM_ERROR_CODEC_NOT_FOUND: return .codecMissing
    case GST_STREAM_ERROR_DECODE, GST_STREAM_ERROR_DEMUX, GST_STREAM_ERROR_FORMAT, GST_STREAM_ERROR_FAILED:
      return .corrupt
    default: return .unknown
    }
  }

  private var coreCode: PlayerError.Code {
    guard code == Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue) else { return .unknown }
    return mentions("URI handler", "protocol") ? .unsupportedScheme : .codecMissing
  }
}
