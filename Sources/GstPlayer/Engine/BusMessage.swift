import CGst
import Playback

/// A GStreamer message as a value: what the player's executor needs of it, and the stream it belongs to.
enum BusMessage: Sendable {
  /// Nothing is left to find out.
  case event(EngineEvent)
  case asyncDone(StreamToken)
  case playing(StreamToken)
  case endOfStream(StreamToken)
  case durationChanged(StreamToken)
  case clockLost
  case latencyChanged
  case volumeChanged
  /// A gapless successor's first sample has this running time, in nanoseconds; the stream before it ended at a time of
  /// its media.
  case nextSegment(StreamToken, runningTime: UInt64, previousEnd: Duration?)
  /// The first sample of a fall into silence that ends at this running time, in nanoseconds, is at the output.
  case fallEnds(runningTime: UInt64)
}

/// The one place where the player reads a `GstMessage`.
///
/// Called on whatever thread posts; turns the message into a value and leaves.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbus.html#GstBusSyncHandler>
func handleSynchronously(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
  guard let message = unsafe message, let context = unsafe PipelineContext.borrow(data) else { return GST_BUS_PASS }
  unsafe handleMessage(message, context)
  return GST_BUS_DROP
}

/// Delivers a message as a value; takes over the reference to it.
func handleMessage(_ message: UnsafeMutablePointer<GstMessage>, _ context: PipelineContext) {
  defer { unsafe gst_message_unref(message) }
  if let value = unsafe BusMessage(message, context) { context.deliver(value) }
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
      // playbin's output has no volume where the filter before it has.
      guard !warning.debug.hasSuffix("Volume/mute is not available") else { return nil }
      // The message of the missing decoder came before.
      guard !warning.isDecoderMissing else { return nil }
      self = .event(.warning(warning.summary))
    case GST_MESSAGE_ELEMENT:
      guard let plugin = unsafe MissingPlugin(message) else { return nil }
      if let stream = unsafe context.stream(of: source) { context.noteMissing(plugin.name, for: stream) }
      guard plugin.isDecoder else { return nil }
      self = .event(.warning("not installed: \(plugin.name)"))
    case GST_MESSAGE_TAG:
      var list: OpaquePointer?
      unsafe withUnsafeMutablePointer(to: &list) { pointer in
        unsafe pointer.withMemoryRebound(to: UnsafeMutablePointer<GstTagList>?.self, capacity: 1) {
          unsafe gst_message_parse_tag(message, $0)
        }
      }
      guard let list = unsafe list else { return nil }
      let tags = unsafe UnsafeMutablePointer<GstTagList>(list)
      defer { unsafe cgst_mini_object_unref(tags) }
      guard let stream = unsafe context.stream(of: source) else { return nil }
      let isAboutItem = unsafe gst_tag_list_get_scope(tags) == GST_TAG_SCOPE_GLOBAL
      let frames = unsafe TagList(tags).id3Frames(context.lastID3Frames)
      let chapters = unsafe frames.map { $0.isNew ? $0.frames.chapters : [] } ?? TagList(tags).commentChapters
      if !chapters.isEmpty { context.deliver(.event(.chapters(stream, chapters))) }
      self = unsafe .event(
        .tags(
          stream, MediaMetadata(TagList(tags), last: context.lastArtwork, frames: frames?.frames),
          about: isAboutItem ? .item : .stream))
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

/// An error or warning as GStreamer posts it.
struct Failure {
  enum Domain: String { case core, library, resource, stream, other }

  var domain: Domain
  var code: Int
  var message: String
  var debug: String
  var element: String
  /// Posted by the element that renders.
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

  /// The message and the debug text of an error.
  ///
  /// The demuxers of adaptive streams repeat an error of one of their sources: the message is the source's, followed by
  /// the source's debug text, which starts with the name of a C file.
  private static func texts(_ message: String, _ debug: String) -> (message: String, debug: String) {
    guard debug.hasPrefix("Error on stream "), let file = message.firstRange(of: ".c("),
      let end = message[..<file.lowerBound].ranges(of: ": ").last
    else { return (message, debug) }
    return (String(message[..<end.lowerBound]), String(message[end.upperBound...]) + debug)
  }

  /// What an error message says, nil for a message of another kind; the message stays the caller's.
  init?(_ message: UnsafeMutablePointer<GstMessage>) {
    guard unsafe cgst_message_type(message) == GST_MESSAGE_ERROR else { return nil }
    var error: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<CChar>?
    unsafe gst_message_parse_error(message, &error, &debug)
    unsafe self.init(error, debug, cgst_message_source(message))
  }

  /// What an error that nobody posted says; frees it.
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
      element: unsafe source.flatMap { unsafe GLib.take(gst_object_get_name($0)) } ?? "",
      isFromOutput: unsafe cgst_is_sink(source) != 0)
  }

  var summary: String { debug.isEmpty ? message : "\(message) (\(element): \(debug))" }
}
