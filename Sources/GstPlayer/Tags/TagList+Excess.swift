import CGst
import Glibc
import Playback

extension TagList {
  /// The tags that are read as texts.
  private static let texts = [
    GST_TAG_TITLE, GST_TAG_ARTIST, GST_TAG_ALBUM_ARTIST, GST_TAG_ALBUM, GST_TAG_GENRE, GST_TAG_COMPOSER,
    GST_TAG_COMMENT,
    GST_TAG_ORGANIZATION,
  ]

  /// The parts of the tags that exceed a limit and are left out, for the log.
  var excess: [String] {
    var excess = Self.texts.filter { exceeds($0, count: Self.valueLimit, size: Self.textLimit) }.map {
      "only the first \(Self.textLimit >> 10) KiB and \(Self.valueLimit) values of the tag “\($0)” are kept"
    }
    if exceeds(GST_TAG_LYRICS, count: .max, size: Self.lyricsLimit) {
      excess.append("only the first MiB of the lyrics is kept")
    }
    if commentCount > MediaLimits.comments {
      excess.append("only the first \(MediaLimits.comments) comments are read")
    }
    let limit = MediaMetadata.Artwork.sizeLimit
    let pictures = samples(of: GST_TAG_IMAGE) + samples(of: GST_TAG_PREVIEW_IMAGE)
    if pictures.contains(where: { $0.size > limit }) {
      excess.append("a picture of more than \(limit >> 20) MiB is left out")
    }
    return excess
  }

  /// Whether a tag has more values, or more bytes in all, than are kept.
  private func exceeds(_ tag: String, count limit: guint, size: Int) -> Bool {
    let count = unsafe gst_tag_list_get_tag_size(list, tag)
    guard count <= limit else { return true }
    var rest = size
    for index in 0..<count {
      var text: UnsafePointer<CChar>?
      guard unsafe gst_tag_list_peek_string_index(list, tag, index, &text) != 0, let text = unsafe text else {
        continue
      }
      rest -= unsafe strnlen(text, size + 1)
      if rest < 0 { return true }
    }
    return false
  }
}
