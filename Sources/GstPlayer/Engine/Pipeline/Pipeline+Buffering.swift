import CGst
import Playback

/// The buffer size of network streams.
extension Pipeline {
  /// The bit rate that is assumed for the buffer, 2 Mbit/s; the buffer is full at its time or its size limit.
  private static let bytesPerSecond = 250_000.0
  private static let sizes = 2_000_000.0...64_000_000

  /// Sets the buffer of the next item; without a setting, the pipeline's defaults apply.
  func setBufferSize(_ playbin: UnsafeMutablePointer<GstElement>) {
    let duration = configuration.preferredForwardBufferDuration
    let bytes = duration.map {
      min(max(Self.sizes.lowerBound, $0.seconds * Self.bytesPerSecond), Self.sizes.upperBound)
    }
    unsafe GLib.set(playbin, "buffer-duration", to: duration?.wholeNanoseconds ?? -1)
    unsafe GLib.set(playbin, "buffer-size", to: bytes.map { Int64($0) } ?? -1)
  }
}
