import CGst
import Joining

extension GainTags {
  /// Reads a tag list.
  init(_ tags: TagList) {
    self.init()
    let correction = tags.double(GST_TAG_REFERENCE_LEVEL).map { 89 - $0 } ?? 0
    trackGain = tags.double(GST_TAG_TRACK_GAIN).map { $0 + correction }
    albumGain = tags.double(GST_TAG_ALBUM_GAIN).map { $0 + correction }
    (trackPeak, albumPeak) = (tags.double(GST_TAG_TRACK_PEAK), tags.double(GST_TAG_ALBUM_PEAK))
  }
}
