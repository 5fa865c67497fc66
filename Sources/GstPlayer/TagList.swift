import CGst

extension MediaMetadata {
  /// Reads a tag list; the list stays the caller's.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gsttaglist.html>
  init(_ list: UnsafeMutablePointer<GstTagList>) {
    self.init()
    let tags = unsafe TagList(list)
    title = tags.string(GST_TAG_TITLE)
    artists = tags.strings(GST_TAG_ARTIST)
    albumArtists = tags.strings(GST_TAG_ALBUM_ARTIST)
    album = tags.string(GST_TAG_ALBUM)
    genres = tags.strings(GST_TAG_GENRE)
    composers = tags.strings(GST_TAG_COMPOSER)
    comments = tags.strings(GST_TAG_COMMENT)
    trackNumber = tags.number(GST_TAG_TRACK_NUMBER)
    discNumber = tags.number(GST_TAG_ALBUM_VOLUME_NUMBER)
    date = tags.date()
    beatsPerMinute = tags.double(GST_TAG_BEATS_PER_MINUTE)
    lyrics = tags.string(GST_TAG_LYRICS)
    organization = tags.string(GST_TAG_ORGANIZATION)
    audioCodec = tags.string(GST_TAG_AUDIO_CODEC)
    artwork = tags.artwork()
    musicBrainzTrackID = tags.string("musicbrainz-trackid")
    musicBrainzAlbumID = tags.string("musicbrainz-albumid")
    musicBrainzArtistIDs = tags.strings("musicbrainz-artistid")
    musicBrainzAlbumArtistIDs = tags.strings("musicbrainz-albumartistid")
  }
}

/// Typed reading of a borrowed tag list; bounded, whatever the file says.
@safe struct TagList {
  /// More values of one tag than this are not read.
  private static let valueLimit: UInt32 = 64

  private let list: UnsafeMutablePointer<GstTagList>

  init(_ list: UnsafeMutablePointer<GstTagList>) { unsafe self.list = list }

  func strings(_ tag: String) -> [String] {
    let count = unsafe min(gst_tag_list_get_tag_size(list, tag), Self.valueLimit)
    return (0..<count).compactMap { index in
      var text: UnsafeMutablePointer<CChar>?
      guard unsafe gst_tag_list_get_string_index(list, tag, index, &text) != 0 else { return nil }
      return unsafe GLib.take(text).flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  func string(_ tag: String) -> String? { strings(tag).first }

  func number(_ tag: String) -> Int? {
    var value: guint = 0
    guard unsafe gst_tag_list_get_uint(list, tag, &value) != 0, value > 0, value <= guint(Int32.max) else { return nil }
    return Int(value)
  }

  func double(_ tag: String) -> Double? {
    var value = 0.0
    guard unsafe gst_tag_list_get_double(list, tag, &value) != 0, value.isFinite, value > 0 else { return nil }
    return value
  }

  func date() -> String? {
    var date: OpaquePointer?
    guard unsafe gst_tag_list_get_date_time(list, GST_TAG_DATE_TIME, &date) != 0, let date = unsafe date else {
      return nil
    }
    defer { unsafe gst_mini_object_unref(UnsafeMutableRawPointer(date).assumingMemoryBound(to: GstMiniObject.self)) }
    return unsafe GLib.take(gst_date_time_to_iso8601_string(date))
  }

  /// The picture that says it is the front cover, else the first; a preview when there is nothing else.
  func artwork() -> MediaMetadata.Artwork? {
    var first: MediaMetadata.Artwork?
    for tag in [GST_TAG_IMAGE, GST_TAG_PREVIEW_IMAGE] {
      for index in 0..<(unsafe min(gst_tag_list_get_tag_size(list, tag), Self.valueLimit)) {
        var sample: OpaquePointer?
        guard unsafe gst_tag_list_get_sample_index(list, tag, index, &sample) != 0, let sample = unsafe sample else {
          continue
        }
        defer {
          unsafe gst_mini_object_unref(UnsafeMutableRawPointer(sample).assumingMemoryBound(to: GstMiniObject.self))
        }
        guard let picture = unsafe artwork(of: sample) else { continue }
        if unsafe isFrontCover(sample) { return picture }
        first = first ?? picture
      }
    }
    return first
  }

  private func artwork(of sample: OpaquePointer) -> MediaMetadata.Artwork? {
    guard let caps = unsafe gst_sample_get_caps(sample), let buffer = unsafe gst_sample_get_buffer(sample),
      let structure = unsafe gst_caps_get_structure(caps, 0),
      let type = unsafe GLib.borrow(gst_structure_get_name(structure)),
      type.hasPrefix("image/")
    else { return nil }
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    guard unsafe map.size > 0 else { return nil }
    return unsafe MediaMetadata.Artwork(
      mimeType: type, bytes: Array(UnsafeBufferPointer(start: map.data, count: Int(map.size))))
  }

  private func isFrontCover(_ sample: OpaquePointer) -> Bool {
    guard let info = unsafe gst_sample_get_info(sample) else { return false }
    var type: gint = 0
    guard unsafe gst_structure_get_enum(info, "image-type", gst_tag_image_type_get_type(), &type) != 0 else {
      return false
    }
    return type == gint(GST_TAG_IMAGE_TYPE_FRONT_COVER.rawValue)
  }
}
