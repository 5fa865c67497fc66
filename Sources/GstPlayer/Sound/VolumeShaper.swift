import CGst
import Playback
import Synchronization

/// Changes the volume of streams over the time of their media, at the outputs of all pipelines of a player.
///
/// The samples of a stream without a curve are not touched.
final class VolumeShaper: Sendable {
  /// The maximum number of curves, more than the streams that are open at once.
  private static let limit = 256

  private let curves = Mutex<[StreamToken: VolumeCurve]>([:])

  /// Sets the curve of a stream; nil for a constant volume.
  func set(_ curve: VolumeCurve?, of stream: StreamToken) {
    curves.withLock { curves in
      curves[stream] = curve
      if curves.count > Self.limit, let oldest = curves.keys.min(by: { $0.number < $1.number }) { curves[oldest] = nil }
    }
  }

  /// Changes the audio that enters a pad of an output; `stream` returns the stream that it belongs to.
  func attach(to pad: UnsafeMutablePointer<GstPad>, _ stream: @escaping @Sendable () -> StreamToken) {
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER]) { pad, info in
      guard let curve = self.curves.withLock({ $0.isEmpty ? nil : $0[stream()] }),
        let buffer = unsafe cgst_probe_buffer(info), let sound = unsafe AudioBuffer(buffer, at: pad), sound.frames > 0,
        let times = unsafe mediaTimes(of: buffer, lasting: sound.duration, at: pad),
        !curve.isFull(from: times.lowerBound, to: times.upperBound), let writable = unsafe cgst_writable_buffer(buffer)
      else { return GST_PAD_PROBE_OK }
      unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
      // The time of a buffer is rounded down to nanoseconds, and a jump applies from the sample at its time on.
      let start = times.lowerBound + .nanoseconds(1)
      let step = (times.upperBound - times.lowerBound) / Double(sound.frames)
      unsafe sound.scale(writable) { curve.level(at: start + step * Double($0)) }
      return GST_PAD_PROBE_OK
    }
  }
}

/// Returns the times of the media at the start and the end of a buffer, which differ by more than its duration at a higher
/// speed; nil if it has none.
private func mediaTimes(
  of buffer: UnsafeMutablePointer<GstBuffer>, lasting duration: Duration, at pad: UnsafeMutablePointer<GstPad>
) -> Range<Duration>? {
  guard var segment = unsafe GstSegment.present(at: pad),
    let start = Duration(gst: unsafe gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, buffer.pointee.pts))
  else { return nil }
  let speed = (segment.applied_rate * segment.rate).magnitude
  return start..<start + max(.nanoseconds(1), duration * speed)
}
