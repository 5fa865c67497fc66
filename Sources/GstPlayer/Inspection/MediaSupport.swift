import CGst
import Dispatch
package import Playback

/// The formats that the installed GStreamer can play.
public enum MediaSupport {
  /// A media format that users expect to play.
  public struct Format: Hashable, Sendable {
    /// The name for users.
    public let name: String
    /// The caps of its containers in GStreamer; each needs a demuxer.
    ///
    /// <https://gstreamer.freedesktop.org/documentation/plugin-development/advanced/media-types.html>
    let containers: [String]
    /// The caps of its encoded audio; each needs a decoder.
    let streams: [String]
    /// The URI schemes that must be readable.
    let schemes: [String]

    init(_ name: String, containers: [String] = [], streams: [String] = [], schemes: [String] = []) {
      (self.name, self.containers, self.streams, self.schemes) = (name, containers, streams, schemes)
    }
  }

  /// Initializes GStreamer in the background, so that the first player starts faster.
  package static func prepare() {
    DispatchQueue(label: "GstPlayer.MediaSupport").async { if Shortage.failure == nil { try? GStreamer.initialize() } }
  }

  /// The installed GStreamer; nil if it does not start.
  package static var installed: FrameworkSupport? {
    version.map { version in
      FrameworkSupport(
        version: version, hasPlayback: hasPlayback,
        formats: formats.map { FrameworkSupport.Format(name: $0.name, missing: missingParts(of: $0)) })
    }
  }

  /// The common formats, in display order.
  public static let formats = [
    Format("MP3", streams: ["audio/mpeg, mpegversion=(int)1, layer=(int)3"]),
    Format("FLAC", streams: ["audio/x-flac"]),
    Format("Ogg Vorbis", containers: ["application/ogg"], streams: ["audio/x-vorbis"]),
    Format("WAV", containers: ["audio/x-wav"]),
    Format("Opus", containers: ["application/ogg"], streams: ["audio/x-opus, channel-mapping-family=(int)0"]),
    Format("AAC and M4A", containers: ["audio/x-m4a"], streams: ["audio/mpeg, mpegversion=(int)4"]),
    Format("HTTP", schemes: ["http", "https"]),
    Format("HLS", containers: ["application/x-hls", "video/mpegts, systemstream=(boolean)true"]),
  ]

  /// The version of the running GStreamer, such as `1.22.0`; nil if it does not start.
  public static var version: String? {
    guard (try? GStreamer.initialize()) != nil else { return nil }
    var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
    unsafe gst_version(&major, &minor, &micro, &nano)
    return "\(major).\(minor).\(micro)"
  }

  /// Whether `playbin`, which plays all media here, is installed.
  public static var hasPlayback: Bool {
    guard (try? GStreamer.initialize()) != nil, let factory = unsafe gst_element_factory_find("playbin") else {
      return false
    }
    unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }

  /// Returns the missing parts of a format: the containers without a demuxer, the streams without a decoder, and the schemes
  /// without a source.
  public static func missingParts(of format: Format) -> [String] {
    guard (try? GStreamer.initialize()) != nil else { return format.containers + format.streams + format.schemes }
    return format.containers.filter { !accepts($0, cgst_demuxers()) } + format.streams.filter { !isDecoded($0) }
      + format.schemes.filter { unsafe gst_uri_protocol_is_supported(GST_URI_SRC, $0) == 0 }
  }

  /// Whether a decoder takes a stream, either directly or from a parser.
  ///
  /// A parser alone decodes nothing. A decoder such as `flacdec` requires caps that only the parser adds.
  private static func isDecoded(_ stream: String) -> Bool {
    let decoders = cgst_audio_decoders()
    return accepts(stream, decoders, all: true)
      || accepts(stream, decoders) && accepts(stream, cgst_parsers(), all: true)
  }

  /// Whether an element of a type and of at least marginal rank, as playbin selects them, accepts a stream; with `all` without
  /// further fields in its caps.
  private static func accepts(_ stream: String, _ type: GstElementFactoryListType, all: Bool = false) -> Bool {
    guard let caps = unsafe gst_caps_from_string(stream) else { return false }
    defer { unsafe cgst_mini_object_unref(caps) }
    let elements = unsafe gst_element_factory_list_get_elements(type, GST_RANK_MARGINAL)
    defer { unsafe gst_plugin_feature_list_free(elements) }
    let fitting = unsafe gst_element_factory_list_filter(elements, caps, GST_PAD_SINK, all ? 1 : 0)
    defer { unsafe gst_plugin_feature_list_free(fitting) }
    return unsafe fitting != nil
  }
}
