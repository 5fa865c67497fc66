import Glibc

/// The two scales of volume: linear amplitude inside, cubic on MPRIS and the command line, where half a slider sounds
/// half as loud.
///
/// <https://gstreamer.freedesktop.org/documentation/audio/gststreamvolume.html#GstStreamVolumeFormat>
enum VolumeScale {
  static func linear(fromCubic value: Double) -> Double { value * value * value }

  /// Rounded to a millionth, so that what was set is read back.
  static func cubic(fromLinear value: Double) -> Double { (cbrt(max(0, value)) * 1e6).rounded() / 1e6 }
}
