import CGst
import Playback

extension MediaDescription {
  /// Reads the result of a discoverer; the caller keeps its reference to `info`.
  init(_ info: OpaquePointer) {
    self.init()
    isLive = unsafe gst_discoverer_info_get_live(info) != 0
    isSeekable = unsafe gst_discoverer_info_get_seekable(info) != 0
    let length = unsafe gst_discoverer_info_get_duration(info)
    duration = isLive || length == 0 ? nil : Duration(gst: length)
    let audio = unsafe DiscoveredStream.take(gst_discoverer_info_get_audio_streams(info))
    audioTracks = audio.map(AudioTrack.init)
    // The title of a single track is the title of the media.
    if audioTracks.count == 1 { audioTracks[0].title = nil }
    hasVideo = unsafe DiscoveredStream.take(gst_discoverer_info_get_video_streams(info)).contains { !$0.isImage }
    // Tags of the container take precedence over the tags of its first track.
    if let tags = audio.first?.tags { metadata.merge(tags) }
    for container in unsafe DiscoveredStream.take(gst_discoverer_info_get_container_streams(info)) {
      if let tags = container.containerTags { metadata.merge(tags) }
    }
    if let toc = unsafe gst_discoverer_info_get_toc(info) {
      chapters = Chapter.ordered(unsafe Chapter.list(of: toc), end: duration)
    } else if let marks = audio.first?.marks, !marks.isEmpty {
      chapters = Chapter.ordered(marks, end: duration)
    }
  }
}

extension AudioTrack {
  fileprivate init(_ stream: DiscoveredStream) {
    self.init()
    codec = stream.tags?.audioCodec ?? stream.codec
    language = unsafe GLib.borrow(gst_discoverer_audio_info_get_language(stream.info))
    title = stream.tags?.title
    channels = Self.known(unsafe gst_discoverer_audio_info_get_channels(stream.info))
    sampleRate = Self.known(unsafe gst_discoverer_audio_info_get_sample_rate(stream.info))
    bitRate = Self.known(unsafe gst_discoverer_audio_info_get_bitrate(stream.info))
  }

  private static func known(_ number: guint) -> Int? { number == 0 ? nil : Int(number) }
}

/// The information about one stream in a discoverer's result, with a reference to it.
@safe private final class DiscoveredStream {
  let info: OpaquePointer

  private init(retaining info: UnsafeMutableRawPointer) { unsafe self.info = OpaquePointer(g_object_ref(info)) }
  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(info)) }

  /// Returns the streams of a list, and frees the list.
  static func take(_ list: UnsafeMutablePointer<GList>?) -> [DiscoveredStream] {
    defer { unsafe gst_discoverer_stream_info_list_free(list) }
    return unsafe GLib.elements(of: list).map { unsafe DiscoveredStream(retaining: $0) }
  }

  var tags: MediaMetadata? { unsafe metadata(gst_discoverer_stream_info_get_tags(info)) }
  /// The chapters in the tags of the stream.
  var marks: [Chapter] {
    guard let tags = unsafe gst_discoverer_stream_info_get_tags(info) else { return [] }
    return unsafe TagList(UnsafeMutablePointer(mutating: tags)).chapters
  }

  /// The tags of the container; valid only if the stream is a container.
  var containerTags: MediaMetadata? { unsafe metadata(gst_discoverer_container_info_get_tags(info)) }
  /// Whether the video is a still image; valid only if the stream is video.
  var isImage: Bool { unsafe gst_discoverer_video_info_is_image(info) != 0 }

  /// The name of the format; for PCM, the name of the file format.
  var codec: String? {
    guard let caps = unsafe gst_discoverer_stream_info_get_caps(info) else { return nil }
    defer { unsafe cgst_mini_object_unref(caps) }
    guard unsafe gst_caps_is_fixed(caps) != 0 else { return nil }
    return unsafe GLib.take(gst_pb_utils_get_codec_description(caps))
  }

  private func metadata(_ tags: UnsafePointer<GstTagList>?) -> MediaMetadata? {
    guard let list = unsafe tags.map({ unsafe TagList(UnsafeMutablePointer(mutating: $0)) }) else { return nil }
    return MediaMetadata(list, last: nil, frames: list.id3Frames(nil)?.value)
  }
}
