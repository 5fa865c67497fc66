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
    let audio = unsafe read(gst_discoverer_info_get_audio_streams(info)) { stream in
      let tags = unsafe DiscoveredTags(gst_discoverer_stream_info_get_tags(stream))
      return unsafe (track: AudioTrack(stream, tags?.metadata), tags: tags)
    }
    audioTracks = audio.map(\.track)
    // The title of a single track is the title of the media.
    if audioTracks.count == 1 { audioTracks[0].title = nil }
    let areVideos = unsafe read(gst_discoverer_info_get_video_streams(info)) { stream in
      unsafe gst_discoverer_video_info_is_image(stream) == 0
    }
    hasVideo = areVideos.contains(true)
    // Tags of a container take precedence over the tags of its first track, and over the tags of a container around it.
    let tags = [audio.first?.tags].compactMap(\.self) + (unsafe containerTags(info))
    for tags in tags { metadata.merge(tags.metadata) }
    let toc = unsafe gst_discoverer_info_get_toc(info)
    let marks = unsafe toc.map { unsafe Chapter.list(of: $0) } ?? tags.map(\.chapters).first { !$0.isEmpty } ?? []
    chapters = Chapter.ordered(marks, end: duration)
  }
}

/// Returns the tags of the containers, the outermost first.
///
/// The list of containers has only containers inside another one. The outermost container is the first stream, or
/// follows a tag before it, such as ID3.
///
/// <https://gstreamer.freedesktop.org/documentation/pbutils/gstdiscoverer.html#gst_discoverer_info_get_stream_info>
private func containerTags(_ info: OpaquePointer) -> [DiscoveredTags] {
  var tags: [DiscoveredTags] = []
  var next = unsafe gst_discoverer_info_get_stream_info(info)
  while let stream = unsafe next {
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(stream)) }
    if unsafe cgst_is_container_info(UnsafeMutableRawPointer(stream)) != 0,
      let found = unsafe DiscoveredTags(gst_discoverer_container_info_get_tags(stream))
    {
      tags.append(found)
    }
    unsafe next = gst_discoverer_stream_info_get_next(stream)
  }
  let inner = unsafe read(gst_discoverer_info_get_container_streams(info)) { container in
    unsafe DiscoveredTags(gst_discoverer_container_info_get_tags(container))
  }
  return tags + inner.compactMap(\.self)
}

extension AudioTrack {
  /// Reads the information about a stream, and its tags.
  fileprivate init(_ info: OpaquePointer, _ tags: MediaMetadata?) {
    self.init()
    codec = unsafe tags?.audioCodec ?? Self.codec(of: info)
    language = unsafe GLib.borrow(gst_discoverer_audio_info_get_language(info))
    title = tags?.title
    channels = Self.known(unsafe gst_discoverer_audio_info_get_channels(info))
    sampleRate = Self.known(unsafe gst_discoverer_audio_info_get_sample_rate(info))
    bitRate = Self.known(unsafe gst_discoverer_audio_info_get_bitrate(info))
  }

  private static func known(_ number: guint) -> Int? { number == 0 ? nil : Int(number) }

  /// Returns the name of the format; for PCM, the name of the file format.
  private static func codec(of info: OpaquePointer) -> String? {
    guard let caps = unsafe gst_discoverer_stream_info_get_caps(info) else { return nil }
    defer { unsafe cgst_mini_object_unref(caps) }
    guard unsafe gst_caps_is_fixed(caps) != 0 else { return nil }
    return unsafe GLib.take(gst_pb_utils_get_codec_description(caps))
  }
}

/// The content of the tags of a stream or of a container.
private struct DiscoveredTags {
  let metadata: MediaMetadata
  let chapters: [Chapter]

  /// Reads tags, which the discoverer's result keeps; nil if there are none.
  init?(_ list: UnsafePointer<GstTagList>?) {
    guard let list = unsafe list.map({ unsafe TagList(UnsafeMutablePointer(mutating: $0)) }) else { return nil }
    let frames = list.id3Frames(nil)?.value
    metadata = MediaMetadata(list, frames: frames)
    chapters = frames?.chapters ?? list.commentChapters
  }
}

/// Returns the results of `body` for the streams of a list, and frees the list.
private func read<Result>(_ list: UnsafeMutablePointer<GList>?, _ body: (OpaquePointer) -> Result) -> [Result] {
  defer { unsafe gst_discoverer_stream_info_list_free(list) }
  return unsafe GLib.elements(of: list).map { unsafe body(OpaquePointer($0)) }
}
