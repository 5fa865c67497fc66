import CGst
import Dispatch
package import Playback

/// The formats that the installed GStreamer can play.
public enum MediaSupport {
  /// A media format that users expect to play.
  public struct Format: Hashable, Sendable {
    /// The name for users.
    public let name: String
    /// The caps of its streams in GStreamer, from the file to the samples; each needs an element.
    ///
    /// <https://gstreamer.freedesktop.org/documentation/plugin-development/advanced/media-types.html>
    let streams: [String]
    /// The URI schemes that must be readable.
    let schemes: [String]

    init(_ name: String, streams: [String] = [], schemes: [String] = []) {
      (self.name, self.streams, self.schemes) = (name, streams, schemes)
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
    Format("Ogg Vorbis", streams: ["application/ogg", "audio/x-vorbis"]),
    Format("WAV", streams: ["audio/x-wav"]),
    Format("Opus", streams: ["application/ogg", "audio/x-opus"]),
    Format("AAC and M4A", streams: ["audio/x-m4a", "audio/mpeg, mpegversion=(int)4"]),
    Format("HTTP", schemes: ["http", "https"]),
    Format("HLS", streams: ["application/x-hls"]),
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

  /// Returns the missing parts of a format: the streams without a decoder and the schemes without a source.
  public static func missingParts(of format: Format) -> [String] {
    guard (try? GStreamer.initialize()) != nil else { return format.streams + format.schemes }
    return format.streams.filter { !isDecoded($0) }
      + format.schemes.filter { unsafe gst_uri_protocol_is_supported(GST_URI_SRC, $0) == 0 }
  }

  /// Whether playbin finds an element for a stream: a decoder, demuxer or parser of at least marginal rank.
  private static func isDecoded(_ stream: String) -> Bool {
    guard let caps = unsafe gst_caps_from_string(stream) else { return false }
    defer { unsafe cgst_mini_object_unref(caps) }
    let elements = unsafe gst_element_factory_list_get_elements(cgst_decodable(), GST_RANK_MARGINAL)
    defer { unsafe gst_plugin_feature_list_free(elements) }
    let fitting = unsafe gst_element_factory_list_filter(elements, caps, GST_PAD_SINK, 0)
    defer { unsafe gst_plugin_feature_list_free(fitting) }
    return unsafe fitting != nil
  }
}
