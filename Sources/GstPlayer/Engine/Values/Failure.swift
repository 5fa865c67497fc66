import CGst
import TextCoding

/// An error or a warning that GStreamer posted.
struct Failure {
  enum Domain: String { case core, library, resource, stream, refusal, other }

  /// The domain of the errors that ``StreamSources`` posts.
  static let refusal = unsafe g_quark_from_string("mpris-playerd-refusal")

  var domain: Domain
  var code: Int
  var message: String
  var debug = ""
  var element = ""
  /// Whether the message was posted by the sink element.
  var isFromOutput = false
}

extension Failure {
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
    guard unsafe message.pointee.type == GST_MESSAGE_ERROR else { return nil }
    var error: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<CChar>?
    unsafe gst_message_parse_error(message, &error, &debug)
    unsafe self.init(taking: error, debug, message.pointee.src)
  }

  /// Reads an error that was posted or returned, and frees it and its debug text.
  init(
    taking error: UnsafeMutablePointer<GError>?, _ debug: UnsafeMutablePointer<CChar>? = nil,
    _ source: UnsafeMutablePointer<GstObject>? = nil
  ) {
    let text = unsafe GLib.take(error)
    let domain: Domain =
      switch text?.domain {
      case gst_core_error_quark(): .core
      case gst_library_error_quark(): .library
      case gst_resource_error_quark(): .resource
      case gst_stream_error_quark(): .stream
      case Self.refusal: .refusal
      default: .other
      }
    // The texts of network sources contain the URL.
    let texts = Self.texts(
      (text?.message ?? "unknown error").withoutURISecrets, unsafe (GLib.take(debug) ?? "").withoutURISecrets)
    self.init(
      domain: domain, code: text?.code ?? 0, message: texts.message, debug: texts.debug,
      element: unsafe source.flatMap { unsafe GLib.name(of: $0) } ?? "",
      isFromOutput: unsafe cgst_is_sink(source) != 0)
  }

  var summary: String { debug.isEmpty ? message : "\(message) (\(element): \(debug))" }
}
