import CGst
import Playback

extension MediaMetadata {
  /// Reads a tag list; the caller keeps its reference.
  ///
  /// The picture in the list is usually the `last` one again.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gsttaglist.html>
  init(_ list: UnsafeMutablePointer<GstTagList>, last: LastReading<MediaMetadata.Artwork?>? = nil) {
    unsafe self.init(TagList(list), last: last, frames: nil)
  }

  /// Reads a tag list and adds the values of ID3 frames, which are parsed separately.
  init(_ tags: TagList, last: LastReading<MediaMetadata.Artwork?>?, frames: ID3Frames?) {
    self.init()
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
    lyrics = tags.strings(GST_TAG_LYRICS, size: TagList.lyricsLimit).first
    organization = tags.string(GST_TAG_ORGANIZATION)
    audioCodec = tags.string(GST_TAG_AUDIO_CODEC)
    containerFormat = tags.string(GST_TAG_CONTAINER_FORMAT)
    bitRate = tags.number(GST_TAG_BITRATE) ?? tags.number(GST_TAG_NOMINAL_BITRATE)
    userRating = tags.number(GST_TAG_USER_RATING).flatMap { $0 <= 100 ? Double($0) / 100 : nil }
    artwork = tags.artwork(last)
    musicBrainzTrackID = tags.string("musicbrainz-trackid")
    musicBrainzAlbumID = tags.string("musicbrainz-albumid")
    musicBrainzArtistIDs = tags.strings("musicbrainz-artistid")
    musicBrainzAlbumArtistIDs = tags.strings("musicbrainz-albumartistid")
    ExtendedComments.add(tags.strings(GST_TAG_EXTENDED_COMMENT, size: TagList.lyricsLimit), to: &self)
    guard let frames else { return }
    lyrics = lyrics ?? frames.lyrics
    userRating = userRating ?? frames.rating
    useCount = useCount ?? frames.playCount
  }
}

/// A typed view of a borrowed tag list; all reads are bounded.
@safe struct TagList {
  /// The maximum number of values of one tag.
  static let valueLimit: UInt32 = 64
  /// The maximum size of a text, in bytes.
  static let textLimit = 64 << 10
  /// The maximum size of lyrics, in bytes.
  static let lyricsLimit = 1 << 20

  let list: UnsafeMutablePointer<GstTagList>

  init(_ list: UnsafeMutablePointer<GstTagList>) { unsafe self.list = list }

  /// Returns the values of a tag, each truncated to `size` bytes.
  func strings(_ tag: String, size: Int = textLimit, limit: UInt32 = valueLimit) -> [String] {
    let count = unsafe min(gst_tag_list_get_tag_size(list, tag), limit)
    return (0..<count).compactMap { index in
      var text: UnsafeMutablePointer<CChar>?
      guard unsafe gst_tag_list_get_string_index(list, tag, index, &text) != 0 else { return nil }
      return unsafe GLib.take(text, limit: size).flatMap { $0.isEmpty ? nil : $0 }
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
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(date)) }
    return unsafe GLib.take(gst_date_time_to_iso8601_string(date))
  }

  /// Returns the picture that is marked as the front cover, else the first picture, else a preview.
  func artwork(_ last: LastReading<MediaMetadata.Artwork?>?) -> MediaMetadata.Artwork? {
    var first: OpaquePointer?
    defer { if let first = unsafe first { unsafe Self.release(first) } }
    for tag in [GST_TAG_IMAGE, GST_TAG_PREVIEW_IMAGE] {
      for index in 0..<(unsafe min(gst_tag_list_get_tag_size(list, tag), Self.valueLimit)) {
        guard let sample = unsafe sample(index, of: tag) else { continue }
        guard unsafe type(of: sample) != nil else {
          unsafe Self.release(sample)
          continue
        }
        if unsafe isFrontCover(sample) {
          if let first = unsafe first { unsafe Self.release(first) }
          unsafe first = sample
          return unsafe artwork(of: sample, last)
        }
        if unsafe first == nil { unsafe first = sample } else { unsafe Self.release(sample) }
      }
    }
    return unsafe first.flatMap { unsafe artwork(of: $0, last) }
  }

  /// Returns a sample of a tag, which the caller releases.
  func sample(_ index: UInt32, of tag: String) -> OpaquePointer? {
    var sample: OpaquePointer?
    guard unsafe gst_tag_list_get_sample_index(list, tag, index, &sample) != 0 else { return nil }
    return unsafe sample
  }

  static func release(_ sample: OpaquePointer) {
    unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(sample))
  }

  private func artwork(of sample: OpaquePointer, _ last: LastReading<MediaMetadata.Artwork?>?) -> MediaMetadata.Artwork?
  {
    guard let last else { return unsafe copy(sample) }
    return unsafe last.value(of: sample) { unsafe copy(sample) }.value
  }

  /// Returns the media type of a usable picture; nil if it is empty, too large, or stored elsewhere.
  private func type(of sample: OpaquePointer) -> String? {
    guard let caps = unsafe gst_sample_get_caps(sample), let buffer = unsafe gst_sample_get_buffer(sample),
      case 1...gsize(MediaMetadata.Artwork.sizeLimit) = unsafe gst_buffer_get_size(buffer),
      let type = unsafe GLib.mediaType(of: caps), type.hasPrefix("image/")
    else { return nil }
    return type
  }

  private func copy(_ sample: OpaquePointer) -> MediaMetadata.Artwork? {
    guard let type = unsafe type(of: sample), let buffer = unsafe gst_sample_get_buffer(sample) else { return nil }
    return unsafe GLib.bytes(of: buffer).map { MediaMetadata.Artwork(mimeType: type, bytes: $0) }
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
