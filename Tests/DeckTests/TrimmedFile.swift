import CGst
import Glibc
import Playback

@testable import GstPlayer

/// The media of a file, decoded by GStreamer and trimmed as a deck does it.
struct TrimmedFile {
  /// The samples of the first channel.
  var samples: [Float] = []
  /// The media frame of the first sample; nil without samples.
  var first: Int64?
  var rate = 0
  /// The number of frames that were not at the number after the last one.
  var jumps = 0
  /// The duration of the media, from the stream's duration.
  var duration = Duration.zero
  /// The padding that the probe found.
  var padding: EncoderPadding?

  struct Failed: Error { var message: String }

  /// A copy of a sample of an `appsink`.
  ///
  /// The sample itself is released before a seek: after a flush, `appsink` (1.22) sets the caps of a sample without
  /// asking whether it is writable, and one that is still held is not.
  private struct Pulled {
    var rate, channels: Int
    var values: [Float]
    var stamp, duration: Int64?
    var segment: SampleTrim.Segment?

    /// Waits for the next sample; nil at the end.
    init?(from sink: UnsafeMutablePointer<GstElement>) throws {
      guard let sample = unsafe cgst_pull_sample(sink, 20_000_000_000) else { return nil }
      defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(sample)) }
      var info = unsafe GstAudioInfo()
      guard let buffer = unsafe gst_sample_get_buffer(sample), let caps = unsafe gst_sample_get_caps(sample),
        unsafe gst_audio_info_from_caps(&info, caps) != 0, let bytes = unsafe GLib.bytes(of: buffer),
        let segment = unsafe gst_sample_get_segment(sample)?.pointee
      else { throw Failed(message: "no audio") }
      (rate, channels) = unsafe (Int(info.rate), Int(info.channels))
      values = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
      (stamp, duration) = unsafe (Int64(exactly: buffer.pointee.pts), Int64(exactly: buffer.pointee.duration))
      self.segment = SampleTrim.Segment(segment)
    }
  }

  /// Decodes a file, or the answer of a server, to its end.
  ///
  /// - Parameters:
  ///   - path: The file, or the address of a server.
  ///   - start: The media time to seek to after the first sample; nil for no seek.
  ///   - elements: A parser or demuxer and a decoder; nil for those that playbin chooses.
  /// - Throws: ``Failed`` if it cannot be decoded.
  init(_ path: String, from start: Duration? = nil, elements: String? = nil) throws {
    try GStreamer.initialize()
    GStreamer.preferLightDecoders()
    let sink = "appsink name=sink sync=false max-buffers=8 caps=audio/x-raw,format=F32LE,layout=interleaved"
    let description =
      elements.map { "filesrc location=\(path) ! \($0) ! audioconvert ! \(sink)" }
      ?? "playbin name=player uri=\(path.hasPrefix("/") ? "file://" : "")\(path) flags=audio audio-sink=\"\(sink)\""
    guard let pipeline = unsafe ObjectReference(taking: gst_parse_launch(description, nil)),
      let bin = unsafe cgst_bin(pipeline.object)
    else { throw Failed(message: description) }
    defer { GStreamer.dismantle(pipeline) }
    let probe = PaddingProbe()
    if elements == nil {
      unsafe Signal.deepElement("deep-element-added", of: bin) { element, _ in unsafe probe.follow(element) }
    } else {
      for name in ["parser", "decoder"] {
        if let element = unsafe GLib.element(name, in: bin) { unsafe probe.follow(element) }
      }
    }
    unsafe gst_element_set_state(pipeline.pointer(), GST_STATE_PLAYING)
    // The sink of playbin3 is started later, and has nothing to pull before that.
    unsafe gst_element_get_state(pipeline.pointer(), nil, nil, 20_000_000_000)
    guard let end = try unsafe Self.sink(in: bin) else { throw Failed(message: "no sink") }
    var trim: SampleTrim?
    var hasSought = start == nil
    while let pulled = try unsafe Pulled(from: end) {
      rate = pulled.rate
      var current = trim ?? probe.trim(rate: rate)
      if !hasSought, let start {
        hasSought = true
        let flags = GstSeekFlags(GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        let time = Int(current.seekTime(start).wholeNanoseconds)
        guard
          unsafe gst_element_seek(
            pipeline.pointer(), 1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, time, GST_SEEK_TYPE_NONE, -1) != 0
        else { throw Failed(message: "not seekable") }
        current.restart()
        trim = current
        continue
      }
      let pieces = current.pieces(
        pulled.values.count / pulled.channels, stamp: pulled.stamp, duration: pulled.duration, in: pulled.segment)
      trim = current
      for piece in pieces {
        if let first, piece.first != first + Int64(samples.count) { jumps += 1 }
        first = first ?? piece.first
        for frame in piece.frames { samples.append(pulled.values[frame * pulled.channels]) }
      }
    }
    padding = probe.padding
    var reported: gint64 = -1
    if unsafe gst_element_query_duration(pipeline.pointer(), GST_FORMAT_TIME, &reported) != 0, let trim {
      duration = trim.mediaTime(.nanoseconds(reported))
    }
  }

  private static func sink(in bin: UnsafeMutablePointer<GstBin>) throws -> UnsafeMutablePointer<GstElement>? {
    if let sink = unsafe GLib.element("sink", in: bin) { return unsafe sink }
    guard let player = unsafe cgst_element(bin) else { return nil }
    guard let object = unsafe GLib.get(player, "audio-sink", { unsafe g_value_dup_object($0) }) else { return nil }
    return unsafe cgst_element(object)
  }

  /// Returns the correlation of the samples with the original, from −1 to 1, if the original is later by some frames.
  ///
  /// - Parameters:
  ///   - original: The samples of the original.
  ///   - place: The number of the first sample that is compared, of 2,000.
  ///   - offset: The number of frames.
  /// - Returns: 1 if they are equal.
  func likeness(_ original: ArraySlice<Int32>, at place: Int, offset: Int = 0) -> Double {
    let start = Int(first ?? 0)
    var (product, squares, others) = (0.0, 0.0, 0.0)
    for frame in place..<min(place + 2_000, original.count) {
      let index = frame + offset - start
      guard samples.indices.contains(index) else { continue }
      let (a, b) = (Double(samples[index]), Double(original[frame]))
      product += a * b
      squares += a * a
      others += b * b
    }
    return squares > 0 && others > 0 ? product / (squares * others).squareRoot() : 0
  }
}
