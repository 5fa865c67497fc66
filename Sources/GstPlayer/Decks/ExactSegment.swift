import CGst

/// Makes audio decoders cut the samples before a segment exactly.
///
/// A decoder cuts its output at the start of the segment, and rounds the number of samples down. Times in nanoseconds are
/// rounded down as well: of an edit list that skips 1,024 samples, 1,023 are cut. The start is therefore moved to a tenth of a
/// frame behind the nearest frame.
enum ExactSegment {
  /// The part of a frame.
  private static let part = 10

  /// Returns the time in nanoseconds that is shortly behind a frame.
  static func time(behind frame: Int64, rate: Int64) -> Int64 {
    let (seconds, rest) = frame.quotientAndRemainder(dividingBy: rate)
    return seconds * 1_000_000_000 + (rest * 1_000_000_000 + rate - 1) / rate + 1_000_000_000 / rate / Int64(part)
  }

  /// Corrects the segments that reach an element, if it is an audio decoder.
  static func correct(in element: UnsafeMutablePointer<GstElement>) {
    guard let factory = unsafe gst_element_get_factory(element),
      unsafe gst_element_factory_list_is_type(factory, cgst_audio_decoders()) != 0
    else { return }
    unsafe PadProbe.add(to: "sink", of: element, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { pad, info in
      guard var segment = unsafe GstSegment.passing(info), segment.format == GST_FORMAT_TIME, segment.rate == 1,
        1...guint64(Int64.max / 4) ~= segment.start, segment.time <= guint64(Int64.max / 4),
        let rate = unsafe GLib.with(takingMini: gst_pad_get_current_caps(pad), { unsafe GLib.number("rate", in: $0) })
          ?? nil
      else { return GST_PAD_PROBE_OK }
      let start = Int64(segment.start)
      let shift = time(behind: frame(atNanoseconds: start, Int64(rate)), rate: Int64(rate)) - start
      guard Int64(segment.time) + shift >= 0 else { return GST_PAD_PROBE_OK }
      segment.start = guint64(start + shift)
      segment.time = guint64(Int64(segment.time) + shift)
      segment.position = max(segment.position, segment.start)
      unsafe PadProbe.replace(in: info, with: segment)
      return GST_PAD_PROBE_OK
    }
  }
}

/// Returns the number of the frame that is nearest to a time.
func frame(atNanoseconds time: Int64, _ rate: Int64) -> Int64 {
  let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
  let half: Int64 = rest < 0 ? -500_000_000 : 500_000_000
  return seconds * rate + (rest * rate + half) / 1_000_000_000
}
