import CGst
import Playback

/// How much of a network stream is held.
extension Pipeline {
  /// What a stream of two megabits a second needs; the shortest in time or bytes fills the buffer.
  private static let bytesPerSecond = 250_000.0
  private static let sizes = 2_000_000.0...64_000_000

  /// Sets the buffer of what is opened next; the pipeline has defaults of its own.
  func setBufferSize(_ playbin: UnsafeMutablePointer<GstElement>) {
    let bytes = forwardBuffer.map {
      min(max(Self.sizes.lowerBound, $0.inSeconds * Self.bytesPerSecond), Self.sizes.upperBound)
    }
    unsafe GLib.set(playbin, "buffer-duration", to: forwardBuffer?.wholeNanoseconds ?? -1)
    unsafe GLib.set(playbin, "buffer-size", to: bytes.map { Int64($0) } ?? -1)
  }
}
