import CGst
import Playback

/// The buffer size of network streams.
enum ForwardBuffer {
  /// The bit rate that is assumed for the buffer, 2 Mbit/s; the buffer is full at its time or its size limit.
  private static let bytesPerSecond = 250_000.0
  private static let sizes = 2_000_000.0...64_000_000

  /// Sets the buffer of the next item of a playbin; nil for the defaults of GStreamer.
  static func set(_ duration: Duration?, of playbin: UnsafeMutablePointer<GstElement>) {
    let bytes = duration.map { min(max(sizes.lowerBound, $0.seconds * bytesPerSecond), sizes.upperBound) }
    unsafe GLib.set(playbin, "buffer-duration", to: duration?.wholeNanoseconds ?? -1)
    unsafe GLib.set(playbin, "buffer-size", to: bytes.map { Int64($0) } ?? -1)
  }
}
