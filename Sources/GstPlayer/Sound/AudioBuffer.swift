import CGst

/// An audio buffer that passes a pad, in any format.
///
/// <https://gstreamer.freedesktop.org/documentation/audio/gstaudiopack.html>
@safe struct AudioBuffer {
  /// The running time, in nanoseconds.
  let runningTime: UInt64
  let duration: Duration
  /// The number of samples of each channel.
  let frames: Int
  let info: GstAudioInfo

  /// Reads the format and time of a buffer; nil if its time is missing or it is empty.
  init?(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
    guard var segment = unsafe GstSegment.present(at: pad), let caps = unsafe gst_pad_get_current_caps(pad) else {
      return nil
    }
    defer { unsafe cgst_mini_object_unref(caps) }
    let time = unsafe gst_segment_to_running_time(&segment, GST_FORMAT_TIME, buffer.pointee.pts)
    var info = unsafe GstAudioInfo()
    guard time <= Int.max, unsafe gst_audio_info_from_caps(&info, caps) != 0 else { return nil }
    let (rate, size) = unsafe (Int(info.rate), Int(info.bpf))
    guard rate > 0, size > 0 else { return nil }
    runningTime = UInt64(time)
    unsafe self.info = info
    frames = unsafe Int(clamping: gst_buffer_get_size(buffer)) / size
    // Computed from the number of samples, because the duration of the buffer is rounded and may be missing.
    duration = .seconds(1) * frames / rate
  }

  /// Scales the samples of a writable buffer: linearly from the first level to the second, then constant; and each channel by its
  /// gain, if given.
  func apply(_ points: [FadeCurve.Point], gains: [Double], to buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let first = points.first, let last = points.last, frames > 0, let format = unsafe info.finfo else { return }
    let end = Double(frames) * (duration > .zero ? last.offset / duration : 0)
    var map = unsafe GstMapInfo()
    let flags = GstMapFlags(GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe gst_buffer_map(buffer, &map, flags) != 0 else { return }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    let (channels, isInterleaved) = unsafe (Int(info.channels), info.layout == GST_AUDIO_LAYOUT_INTERLEAVED)
    let count = frames * channels
    let levels = (0..<frames).map { frame in
      let frame = Double(frame)
      return frame < end ? first.level + (last.level - first.level) * (frame / end) : last.level
    }
    /// Returns the level of a sample.
    func level(of sample: Int) -> Double {
      let level = levels[isInterleaved ? sample / channels : sample % frames]
      let channel = isInterleaved ? sample % channels : sample / frames
      return channel < gains.count ? level * gains[channel] : level
    }
    guard let data = unsafe map.data, let unpack = unsafe format.pointee.unpack_func,
      let pack = unsafe format.pointee.pack_func
    else { return }
    switch unsafe format.pointee.unpack_format {
    case GST_AUDIO_FORMAT_S32:
      var samples = [Int32](repeating: 0, count: count)
      unsafe unpack(format, GST_AUDIO_PACK_FLAG_NONE, &samples, data, gint(count))
      for index in samples.indices { samples[index] = Int32((Double(samples[index]) * level(of: index)).rounded()) }
      unsafe pack(format, GST_AUDIO_PACK_FLAG_NONE, samples, data, gint(count))
    case GST_AUDIO_FORMAT_F64:
      var samples = [Double](repeating: 0, count: count)
      unsafe unpack(format, GST_AUDIO_PACK_FLAG_NONE, &samples, data, gint(count))
      for index in samples.indices { samples[index] *= level(of: index) }
      unsafe pack(format, GST_AUDIO_PACK_FLAG_NONE, samples, data, gint(count))
    default: break
    }
  }
}
