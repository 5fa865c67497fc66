import CGst
import Playback

/// A buffer of sound on its way through a pad, in whatever format.
///
/// <https://gstreamer.freedesktop.org/documentation/audio/gstaudiopack.html>
@safe struct PassingSound {
  /// In nanoseconds.
  let runningTime: UInt64
  let duration: Duration
  private let info: GstAudioInfo
  private let frames: Int

  /// Reads what a buffer is; nil for one without a time, or without samples.
  init?(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
    guard let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return nil }
    defer { unsafe cgst_mini_object_unref(event) }
    var segment: UnsafePointer<GstSegment>?
    unsafe gst_event_parse_segment(event, &segment)
    guard let segment = unsafe segment, let caps = unsafe gst_pad_get_current_caps(pad) else { return nil }
    defer { unsafe cgst_mini_object_unref(caps) }
    let time = unsafe gst_segment_to_running_time(segment, GST_FORMAT_TIME, buffer.pointee.pts)
    var info = unsafe GstAudioInfo()
    guard time <= Int.max, unsafe gst_audio_info_from_caps(&info, caps) != 0 else { return nil }
    let (rate, size) = unsafe (Int(info.rate), Int(info.bpf))
    guard rate > 0, size > 0 else { return nil }
    runningTime = UInt64(time)
    unsafe self.info = info
    frames = unsafe Int(clamping: gst_buffer_get_size(buffer)) / size
    // From the count of samples: the buffer's own is rounded, and may be missing.
    duration = .seconds(1) * frames / rate
  }

  /// Makes the sound of a buffer that may be written as loud as it is to be: in a straight line from the first point to
  /// the second, and as there from then on.
  func apply(_ points: [FadeCurve.Point], to buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let first = points.first, let last = points.last, frames > 0, let format = unsafe info.finfo else { return }
    var map = unsafe GstMapInfo()
    let flags = GstMapFlags(GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe gst_buffer_map(buffer, &map, flags) != 0 else { return }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    let (channels, isInterleaved) = unsafe (Int(info.channels), info.layout == GST_AUDIO_LAYOUT_INTERLEAVED)
    let count = frames * channels
    let end = Double(frames) * (duration > .zero ? last.offset / duration : 0)
    /// How loud one of the samples is.
    func level(of sample: Int) -> Double {
      let frame = Double(isInterleaved ? sample / channels : sample % frames)
      return frame < end ? first.level + (last.level - first.level) * (frame / end) : last.level
    }
    guard let data = unsafe map.data, let unpack = unsafe format.pointee.unpack_func,
      let pack = unsafe format.pointee.pack_func
    else { return }
    switch unsafe format.pointee.unpack_format {
    case GST_AUDIO_FORMAT_S32:
      var samples = [Int32](repeating: 0, count: count)
      unsafe unpack(format, GST_AUDIO_PACK_FLAG_NONE, &samples, data, gint(count))
      for place in samples.indices { samples[place] = Int32((Double(samples[place]) * level(of: place)).rounded()) }
      unsafe pack(format, GST_AUDIO_PACK_FLAG_NONE, samples, data, gint(count))
    case GST_AUDIO_FORMAT_F64:
      var samples = [Double](repeating: 0, count: count)
      unsafe unpack(format, GST_AUDIO_PACK_FLAG_NONE, &samples, data, gint(count))
      for place in samples.indices { samples[place] *= level(of: place) }
      unsafe pack(format, GST_AUDIO_PACK_FLAG_NONE, samples, data, gint(count))
    default: break
    }
  }
}
