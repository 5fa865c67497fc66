import CGst
import Playback

extension TagList {
  /// The tag with the ID3v2 frames that GStreamer does not parse.
  private static let frameTag = "private-id3v2-frame"
  /// The maximum number of frames that are read, and the maximum size of a frame in bytes.
  private static let (frameLimit, frameSize): (UInt32, gsize) = (20_000, 2 << 20)

  /// Returns the content of such frames, or nil if there are none; `isNew` is false if they are the `last` ones.
  func id3Frames(_ last: LastReading<ID3Frames>?) -> (value: ID3Frames, isNew: Bool)? {
    let count = unsafe min(gst_tag_list_get_tag_size(list, Self.frameTag), Self.frameLimit)
    guard count > 0, let first = unsafe sample(0, of: Self.frameTag) else { return nil }
    defer { unsafe Self.release(first) }
    guard let last else { return (read(count), true) }
    return unsafe last.value(of: first, number: UInt64(count)) { read(count) }
  }

  private func read(_ count: UInt32) -> ID3Frames {
    var frames = ID3Frames()
    for index in 0..<count {
      guard let sample = unsafe sample(index, of: Self.frameTag) else { continue }
      defer { unsafe Self.release(sample) }
      guard let bytes = unsafe Self.bytes(of: sample) else { continue }
      unsafe frames.take(bytes, version: Self.version(of: sample))
    }
    return frames
  }

  private static func bytes(of sample: OpaquePointer) -> [UInt8]? {
    guard let buffer = unsafe gst_sample_get_buffer(sample), unsafe gst_buffer_get_size(buffer) <= frameSize else {
      return nil
    }
    return unsafe GLib.bytes(of: buffer)
  }

  /// Returns the version of the tag, 3 or 4; in the caps of the sample it is 0x300 or 0x400.
  private static func version(of sample: OpaquePointer) -> Int {
    var version: gint = 0
    guard let caps = unsafe gst_sample_get_caps(sample), unsafe gst_caps_get_size(caps) > 0,
      let structure = unsafe gst_caps_get_structure(caps, 0),
      unsafe gst_structure_get_int(structure, "version", &version) != 0
    else { return 4 }
    return version >= 0x100 ? Int(version) >> 8 : Int(version)
  }
}

// MARK: Timed metadata

extension TagList {
  /// The owner of the frame with the time stamp of a segment of packed audio.
  private static let stampOwner = "com.apple.streaming.transportStreamTimestamp"

  /// The content of a tag in a stream, and the time stamp of its segment; the time stamp is not part of the content.
  var timedID3: (content: ID3Metadata, stamp: UInt64?) {
    var fields = unsafe MediaMetadata(list)
    // These describe the audio.
    (fields.bitRate, fields.audioCodec, fields.containerFormat) = (nil, nil, nil)
    let privateFrames = privateFrames
    let stamp = privateFrames.first { $0.name == Self.stampOwner && $0.bytes.count == 8 }
    let frames = commentFrames + privateFrames.filter { $0.name != Self.stampOwner } + otherFrames
    return (
      ID3Metadata(fields: fields, frames: frames), stamp?.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    )
  }

  /// The frames of the type `COMM` with a description, which precedes `=` and the text.
  private var commentFrames: [ID3Metadata.Frame] {
    strings(GST_TAG_EXTENDED_COMMENT).map { comment in
      let parts = comment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return ID3Metadata.Frame(
        id: "COMM", name: parts.count == 2 ? String(parts[0]) : "", bytes: Array((parts.last ?? "").utf8))
    }
  }

  /// The frames of the type `PRIV`.
  private var privateFrames: [ID3Metadata.Frame] {
    unsafe samples(of: GST_TAG_PRIVATE_DATA) { sample, bytes in
      let owner = unsafe gst_sample_get_info(sample).flatMap {
        unsafe GLib.borrow(gst_structure_get_string($0, "owner"))
      }
      return ID3Metadata.Frame(id: "PRIV", name: owner ?? "", bytes: bytes)
    }
  }

  /// The frames that GStreamer does not parse, without their headers; the text of a frame of the type `TXXX` is read.
  private var otherFrames: [ID3Metadata.Frame] {
    unsafe samples(of: Self.frameTag) { sample, bytes in
      var reader = unsafe ID3Reader(bytes[...], version: Self.version(of: sample))
      guard let frame = reader.frame() else { return nil }
      var body = ID3Reader(frame.body[...], version: reader.version)
      guard frame.id == "TXXX", let encoding = body.byte(), let name = body.text(encoding),
        let text = body.text(encoding, limit: Self.textLimit)
      else { return ID3Metadata.Frame(id: frame.id, bytes: Array(frame.body)) }
      return ID3Metadata.Frame(id: frame.id, name: name, bytes: Array(text.utf8))
    }
  }

  private func samples(
    of tag: String, _ read: (OpaquePointer, [UInt8]) -> ID3Metadata.Frame?
  ) -> [ID3Metadata.Frame] {
    let count = unsafe min(gst_tag_list_get_tag_size(list, tag), Self.valueLimit)
    return (0..<count).compactMap { index in
      guard let sample = unsafe sample(index, of: tag) else { return nil }
      defer { unsafe Self.release(sample) }
      return unsafe Self.bytes(of: sample).flatMap { unsafe read(sample, $0) }
    }
  }
}
