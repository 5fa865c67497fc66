import CGst
import Glibc
import Playback

extension MediaMetadata {
  /// Reads a tag list and adds the values of ID3 frames, which are parsed separately.
  ///
  /// The picture in the list is usually the `last` one again.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gsttaglist.html>
  init(_ tags: TagList, last: LastReading<MediaMetadata.Artwork?>? = nil, frames: ID3Frames? = nil) {
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
    beatsPerMinute = tags.double(GST_TAG_BEATS_PER_MINUTE).flatMap { $0 > 0 ? $0 : nil }
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
    var choice = LyricsChoice()
    for text in tags.strings(GST_TAG_LYRICS, size: TagList.lyricsLimit) { choice.add(text) }
    ExtendedComments.add(tags.comments(where: ExtendedComments.isRead), to: &self, &choice)
    choice.add(frames?.lyrics)
    lyrics = choice.lyrics
    guard let frames else { return }
    userRating = userRating ?? frames.rating
    useCount = useCount ?? frames.playCount
  }
}

/// A typed view of a borrowed tag list; all reads are bounded.
@safe struct TagList {
  /// The maximum number of values of one tag.
  static let valueLimit: UInt32 = 64
  /// The maximum size of the texts of one tag, in bytes.
  static let textLimit = 64 << 10
  /// The maximum size of lyrics, in bytes.
  static let lyricsLimit = 1 << 20
  /// The maximum size of the key of a comment, in bytes.
  private static let keyLimit = 64

  let list: UnsafeMutablePointer<GstTagList>

  init(_ list: UnsafeMutablePointer<GstTagList>) { unsafe self.list = list }

  /// Reads the list of a TAG event; nil for an event without a list.
  init?(_ event: UnsafeMutablePointer<GstEvent>) {
    var list: UnsafeMutablePointer<GstTagList>?
    unsafe gst_event_parse_tag(event, &list)
    guard let list = unsafe list else { return nil }
    unsafe self.list = list
  }

  /// Returns the values of a tag, each truncated to `size` bytes, as long as all have less than `total` bytes.
  func strings(
    _ tag: String, size: Int = textLimit, limit: UInt32 = valueLimit, total: Int = textLimit
  ) -> [String] {
    let count = unsafe min(gst_tag_list_get_tag_size(list, tag), limit)
    var rest = max(size, total)
    return (0..<count).compactMap { index in
      var text: UnsafePointer<CChar>?
      guard rest > 0, unsafe gst_tag_list_peek_string_index(list, tag, index, &text) != 0,
        let text = unsafe text, case let value = unsafe GLib.borrow(text, limit: min(size, rest)), !value.isEmpty
      else { return nil }
      rest -= value.utf8.count
      return value
    }
  }

  func string(_ tag: String) -> String? { strings(tag).first }

  /// The number of the comments `KEY=value` for which GStreamer defines no tag.
  var commentCount: Int { unsafe Int(gst_tag_list_get_tag_size(list, GST_TAG_EXTENDED_COMMENT)) }

  /// Returns the comments with a key for which `isWanted` returns true, each value truncated to `size` bytes, as long as all
  /// have less than `total` bytes.
  func comments(
    size: Int = lyricsLimit, total: Int = lyricsLimit, where isWanted: (String) -> Bool
  ) -> [(key: String, value: String)] {
    var rest = total
    var comments: [(key: String, value: String)] = []
    for index in 0..<guint(min(commentCount, MediaLimits.comments)) where rest > 0 {
      var text: UnsafePointer<CChar>?
      guard unsafe gst_tag_list_peek_string_index(list, GST_TAG_EXTENDED_COMMENT, index, &text) != 0,
        let text = unsafe text, let equals = unsafe strchr(text, CInt(UInt8(ascii: "="))),
        case let length = unsafe UnsafePointer(equals) - text, length <= Self.keyLimit,
        case let key = unsafe GLib.borrow(text, limit: length), isWanted(key),
        case let value = unsafe GLib.borrow(equals + 1, limit: min(size, rest)), !value.isEmpty
      else { continue }
      rest -= value.utf8.count
      comments.append((key, value))
    }
    return comments
  }

  func number(_ tag: String) -> Int? {
    var value: guint = 0
    guard unsafe gst_tag_list_get_uint(list, tag, &value) != 0, value > 0, value <= guint(Int32.max) else { return nil }
    return Int(value)
  }

  func double(_ tag: String) -> Double? {
    var value = 0.0
    return unsafe gst_tag_list_get_double(list, tag, &value) != 0 && value.isFinite ? value : nil
  }

  /// Returns the date; some containers, such as Matroska and 3GP, have only a calendar day.
  func date() -> String? {
    var date: OpaquePointer?
    guard unsafe gst_tag_list_get_date_time(list, GST_TAG_DATE_TIME, &date) != 0, let date = unsafe date else {
      return calendarDay()
    }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(date)) }
    return unsafe GLib.take(gst_date_time_to_iso8601_string(date))
  }

  /// Returns the day; the year alone for 1 January, which GStreamer sets if the tag is a year.
  private func calendarDay() -> String? {
    var day: UnsafeMutablePointer<GDate>?
    guard unsafe gst_tag_list_get_date(list, GST_TAG_DATE, &day) != 0, let day = unsafe day else { return nil }
    defer { unsafe g_date_free(day) }
    guard unsafe g_date_valid(day) != 0 else { return nil }
    let isYear = unsafe g_date_get_day_of_year(day) == 1
    var text = [CChar](repeating: 0, count: 32)
    return unsafe g_date_strftime(&text, gsize(text.count), isYear ? "%Y" : "%Y-%m-%d", day) > 0
      ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// Returns the picture that is marked as the front cover, else the first picture, else a preview.
  func artwork(_ last: LastReading<MediaMetadata.Artwork?>?) -> MediaMetadata.Artwork? {
    let pictures = samples(of: GST_TAG_IMAGE) + samples(of: GST_TAG_PREVIEW_IMAGE)
    let usable = pictures.filter { $0.pictureType != nil }
    guard let best = usable.first(where: \.isFrontCover) ?? usable.first else { return nil }
    guard let last else { return best.picture }
    return unsafe last.value(of: best.sample) { best.picture }.value
  }

  /// Returns the samples of a tag.
  func samples(of tag: String, limit: UInt32 = valueLimit) -> [TagSample] {
    let count = unsafe min(gst_tag_list_get_tag_size(list, tag), limit)
    return (0..<count).compactMap { unsafe TagSample($0, of: tag, in: list) }
  }
}

/// A sample in a tag list, such as a picture, with a reference to it.
@safe final class TagSample {
  let sample: OpaquePointer

  init?(_ index: UInt32, of tag: String, in list: UnsafeMutablePointer<GstTagList>) {
    var sample: OpaquePointer?
    guard unsafe gst_tag_list_get_sample_index(list, tag, index, &sample) != 0, let sample = unsafe sample else {
      return nil
    }
    unsafe self.sample = sample
  }

  deinit { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(sample)) }

  /// Returns a copy of the bytes; nil if there are more than `limit`.
  func bytes(limit: gsize) -> [UInt8]? {
    guard let buffer = unsafe gst_sample_get_buffer(sample), unsafe gst_buffer_get_size(buffer) <= limit else {
      return nil
    }
    return unsafe GLib.bytes(of: buffer)
  }

  /// The size in bytes.
  var size: Int { unsafe gst_sample_get_buffer(sample).map { unsafe Int(clamping: gst_buffer_get_size($0)) } ?? 0 }

  /// The media type of a usable picture; nil if it is empty, too large, or stored elsewhere.
  var pictureType: String? {
    guard let caps = unsafe gst_sample_get_caps(sample), let buffer = unsafe gst_sample_get_buffer(sample),
      case 1...gsize(MediaMetadata.Artwork.sizeLimit) = unsafe gst_buffer_get_size(buffer),
      let type = unsafe GLib.mediaType(of: caps), type.hasPrefix("image/")
    else { return nil }
    return type
  }

  /// A copy of a usable picture.
  var picture: MediaMetadata.Artwork? {
    guard let type = pictureType, let bytes = bytes(limit: gsize(MediaMetadata.Artwork.sizeLimit)) else { return nil }
    return MediaMetadata.Artwork(mimeType: type, bytes: bytes)
  }

  var isFrontCover: Bool {
    guard let info = unsafe gst_sample_get_info(sample) else { return false }
    var type: gint = 0
    return unsafe gst_structure_get_enum(info, "image-type", gst_tag_image_type_get_type(), &type) != 0
      && type == gint(GST_TAG_IMAGE_TYPE_FRONT_COVER.rawValue)
  }
}
