import CGst
import Playback
import TextCoding

extension TagList {
  /// The tag with the ID3v2 frames that GStreamer does not parse.
  private static let frameTag = "private-id3v2-frame"
  /// The maximum number of frames that are read, and the maximum size of a frame in bytes: a chapter may have a picture.
  private static let (frameLimit, frameSize): (UInt32, gsize) = (20_000, gsize(MediaLimits.bytes))

  /// Returns the content of such frames, or nil if there are none; `isNew` is false if they are the `last` ones.
  func id3Frames(_ last: LastReading<ID3Frames>?) -> (value: ID3Frames, isNew: Bool)? {
    let count = unsafe min(gst_tag_list_get_tag_size(list, Self.frameTag), Self.frameLimit)
    guard count > 0, let first = unsafe TagSample(0, of: Self.frameTag, in: list) else { return nil }
    guard let last else { return (readFrames(), true) }
    return unsafe last.value(of: first.sample, number: UInt64(count)) { readFrames() }
  }

  private func readFrames() -> ID3Frames {
    var frames = ID3Frames(LegacyText.decoding)
    for sample in samples(of: Self.frameTag, limit: Self.frameLimit) {
      if let bytes = sample.bytes(limit: Self.frameSize) { frames.take(bytes, version: sample.id3Version) }
    }
    return frames
  }
}

extension TagSample {
  /// The version of the tag with this frame, 3 or 4; in the caps of the sample it is 0x300 or 0x400.
  fileprivate var id3Version: Int {
    guard let caps = unsafe gst_sample_get_caps(sample), let version = unsafe GLib.number("version", in: caps) else {
      return 4
    }
    return version >= 0x100 ? Int(version) >> 8 : Int(version)
  }
}

// MARK: Timed metadata

extension TagList {
  /// The owner of the frame with the time stamp of a segment of packed audio.
  private static let stampOwner = "com.apple.streaming.transportStreamTimestamp"

  /// The content of a tag in a stream, and the time stamp of its segment; the time stamp is not part of the content.
  var timedID3: (content: ID3Metadata, stamp: UInt64?) {
    var fields = MediaMetadata(self)
    // These describe the audio.
    (fields.bitRate, fields.audioCodec, fields.containerFormat) = (nil, nil, nil)
    let privateFrames = privateFrames
    let stamp = privateFrames.first { $0.name == Self.stampOwner && $0.bytes.count == 8 }
    let frames = commentFrames + privateFrames.filter { $0.name != Self.stampOwner } + otherFrames
    return (
      ID3Metadata(fields: fields, frames: frames), stamp?.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    )
  }

  /// The frames of the type `COMM` with a description; it precedes `=` and the text.
  private var commentFrames: [ID3Metadata.Frame] {
    strings(GST_TAG_EXTENDED_COMMENT).map { comment in
      let parts = comment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return ID3Metadata.Frame(
        id: "COMM", name: parts.count == 2 ? String(parts[0]) : "", bytes: Array((parts.last ?? "").utf8))
    }
  }

  /// The frames of the type `PRIV`.
  private var privateFrames: [ID3Metadata.Frame] {
    samples(of: GST_TAG_PRIVATE_DATA).compactMap { sample in
      guard let bytes = sample.bytes(limit: Self.frameSize) else { return nil }
      let owner = unsafe gst_sample_get_info(sample.sample).flatMap {
        unsafe GLib.borrow(gst_structure_get_string($0, "owner"))
      }
      return ID3Metadata.Frame(id: "PRIV", name: owner ?? "", bytes: bytes)
    }
  }

  /// The frames that GStreamer does not parse, without their headers; the text of a frame of the type `TXXX` is read.
  private var otherFrames: [ID3Metadata.Frame] {
    samples(of: Self.frameTag).compactMap { sample in
      guard let bytes = sample.bytes(limit: Self.frameSize) else { return nil }
      var reader = ID3Reader(bytes[...], version: sample.id3Version, LegacyText.decoding)
      guard let frame = reader.frame() else { return nil }
      var body = ID3Reader(frame.body[...], version: reader.version, LegacyText.decoding)
      guard frame.id == "TXXX", let encoding = body.byte(), let name = body.text(encoding),
        let text = body.text(encoding, limit: Self.textLimit)
      else { return ID3Metadata.Frame(id: frame.id, bytes: Array(frame.body)) }
      return ID3Metadata.Frame(id: frame.id, name: name, bytes: Array(text.utf8))
    }
  }
}
