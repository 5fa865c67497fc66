import CGst
import Playback

/// A GStreamer message as a value: the data that the player's executor needs, and the stream of the message.
enum BusMessage: Sendable {
  /// A complete event, which needs no further query.
  case event(EngineEvent)
  case asyncDone(StreamToken)
  case playing(StreamToken)
  case endOfStream(StreamToken)
  case durationChanged(StreamToken)
  case clockLost
  case latencyChanged
  case volumeChanged
  /// A gapless successor's first sample has this running time, in nanoseconds; `previousEnd` is the media time at which
  /// the stream before it ended.
  case nextSegment(StreamToken, runningTime: UInt64, previousEnd: Duration?)
  /// The first sample of a fade-out is at the output; the fade-out ends at this running time, in nanoseconds.
  case fadeOutEnds(runningTime: UInt64)
}

extension PipelineContext {
  /// Delivers a `GstMessage` as a value, on the thread that posts it; all messages of the player are read here.
  func handle(_ message: UnsafeMutablePointer<GstMessage>) {
    if let value = unsafe BusMessage(message, self) { deliver(value) }
  }
}

extension BusMessage {
  fileprivate init?(_ message: UnsafeMutablePointer<GstMessage>, _ context: PipelineContext) {
    let source = unsafe cgst_message_source(message)
    switch unsafe cgst_message_type(message) {
    case GST_MESSAGE_ASYNC_DONE:
      self = .asyncDone(context.streamAtSink)
    case GST_MESSAGE_STATE_CHANGED:
      guard unsafe context.isPipeline(source) else { return nil }
      var state = GST_STATE_VOID_PENDING
      unsafe gst_message_parse_state_changed(message, nil, &state, nil)
      guard state == GST_STATE_PLAYING else { return nil }
      self = .playing(context.streamAtSink)
    case GST_MESSAGE_EOS:
      self = .endOfStream(context.streamAtSink)
    case GST_MESSAGE_ERROR:
      guard let failure = unsafe Failure(message), let stream = unsafe context.stream(of: source) else { return nil }
      context.noteFailure()
      let error = failure.playerError(missing: context.missing(for: stream))
      let undecodable = error.code == .corrupt ? context.uri(of: stream).flatMap(LocalFile.undecodableFLAC) : nil
      self = .event(.failed(stream, undecodable ?? error))
    case GST_MESSAGE_WARNING:
      var error: UnsafeMutablePointer<GError>?
      var debug: UnsafeMutablePointer<CChar>?
      unsafe gst_message_parse_warning(message, &error, &debug)
      let warning = unsafe Failure(error, debug, source)
      // The volume is set on the filter before the output if the output has none.
      guard !warning.debug.hasSuffix("Volume/mute is not available") else { return nil }
      // The message about the missing decoder was posted before.
      guard !warning.isDecoderMissing else { return nil }
      self = .event(.warning(warning.summary))
    case GST_MESSAGE_ELEMENT:
      if let time = unsafe StreamMeter.segmentTime(message) {
        unsafe context.stream(of: source).flatMap { context.meter(of: $0) }?.count(segmentIn: time)
        return nil
      }
      guard let plugin = unsafe MissingPlugin(message) else { return nil }
      if let stream = unsafe context.stream(of: source) { context.noteMissing(plugin.name, for: stream) }
      guard plugin.isDecoder else { return nil }
      self = .event(.warning("not installed: \(plugin.name)"))
    case GST_MESSAGE_TAG:
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_message_parse_tag(message, &list)
      guard let tags = unsafe list else { return nil }
      defer { unsafe cgst_mini_object_unref(tags) }
      guard let stream = unsafe context.stream(of: source) else { return nil }
      let scope: TagScope = unsafe gst_tag_list_get_scope(tags) == GST_TAG_SCOPE_GLOBAL ? .item : .stream
      let frames = unsafe TagList(tags).id3Frames(context.lastID3Frames)
      let chapters = unsafe frames.map { $0.isNew ? $0.value.chapters : [] } ?? TagList(tags).commentChapters
      if !chapters.isEmpty { context.deliver(.event(.chapters(stream, chapters))) }
      let metadata = unsafe MediaMetadata(TagList(tags), last: context.lastArtwork, frames: frames?.value)
      guard context.lastTags.replace(with: metadata, of: stream, about: scope) else { return nil }
      self = .event(.tags(stream, metadata, about: scope))
    case GST_MESSAGE_TOC:
      guard let stream = unsafe context.stream(of: source),
        let chapters = unsafe context.chapters(of: message, from: stream)
      else { return nil }
      self = .event(.chapters(stream, chapters))
    case GST_MESSAGE_DURATION_CHANGED:
      guard let stream = unsafe context.stream(of: source) else { return nil }
      self = .durationChanged(stream)
    case GST_MESSAGE_BUFFERING:
      guard let stream = unsafe context.stream(of: source) else { return nil }
      var percent: gint = 100
      unsafe gst_message_parse_buffering(message, &percent)
      self = .event(.buffering(stream, percent: Int(percent), context.progress(of: stream)))
    case GST_MESSAGE_CLOCK_LOST:
      self = .clockLost
    case GST_MESSAGE_LATENCY:
      self = .latencyChanged
    default:
      return nil
    }
  }
}

/// An error or a warning that GStreamer posted.
struct Failure {
  enum Domain: String { case core, library, resource, stream, other }

  var domain: Domain
  var code: Int
  var message: String
  var debug: String
  var element: String
  /// Whether the message was posted by the sink element.
  var isFromOutput: Bool

  init(domain: Domain, code: Int, message: String, debug: String = "", element: String = "", isFromOutput: Bool = false)
  {
    let texts = Self.texts(message, debug)
    self.domain = domain
    self.code = code
    self.message = texts.message
    self.debug = texts.debug
    self.element = element
    self.isFromOutput = isFromOutput
  }

  /// Returns the message and the debug text of an error.
  ///
  /// The demuxers of adaptive streams repeat an error of one of their sources. The repeated message is the message of
  /// the source and its debug text, which starts with the name of a C file.
  private static func texts(_ message: String, _ debug: String) -> (message: String, debug: String) {
    guard debug.hasPrefix("Error on stream "), let file = message.firstRange(of: ".c("),
      let end = message[..<file.lowerBound].ranges(of: ": ").last
    else { return (message, debug) }
    return (String(message[..<end.lowerBound]), String(message[end.upperBound...]) + debug)
  }

  /// Reads an error message without taking its reference; nil for a message of another type.
  init?(_ message: UnsafeMutablePointer<GstMessage>) {
    guard unsafe cgst_message_type(message) == GST_MESSAGE_ERROR else { return nil }
    var error: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<CChar>?
    unsafe gst_message_parse_error(message, &error, &debug)
    unsafe self.init(error, debug, cgst_message_source(message))
  }

  /// Reads an error that was returned, not posted, and frees it.
  init(taking error: UnsafeMutablePointer<GError>) { unsafe self.init(error, nil, nil) }

  fileprivate init(
    _ error: UnsafeMutablePointer<GError>?, _ debug: UnsafeMutablePointer<CChar>?,
    _ source: UnsafeMutablePointer<GstObject>?
  ) {
    let text = unsafe GLib.take(error)
    let domain: Domain =
      switch text?.domain {
      case cgst_core_error(): .core
      case cgst_library_error(): .library
      case cgst_resource_error(): .resource
      case cgst_stream_error(): .stream
      default: .other
      }
    self.init(
      domain: domain, code: text?.code ?? 0, message: text?.message ?? "unknown error",
      debug: unsafe GLib.take(debug) ?? "",
      element: unsafe source.flatMap { unsafe GLib.name(of: $0) } ?? "",
      isFromOutput: unsafe cgst_is_sink(source) != 0)
  }

  var summary: String { debug.isEmpty ? message : "\(message) (\(element): \(debug))" }
}
