import Glibc

/// The two volume scales: linear amplitude in the player, cubic on MPRIS and the command line.
///
/// On the cubic scale, half a slider sounds half as loud.
///
/// <https://gstreamer.freedesktop.org/documentation/audio/gststreamvolume.html#GstStreamVolumeFormat>
package enum VolumeScale {
  package static func linear(fromCubic value: Double) -> Double { value * value * value }

  /// Converts to the cubic scale, rounded to 1e-6 so that a value that was set is read back unchanged.
  package static func cubic(fromLinear value: Double) -> Double { (cbrt(max(0, value)) * 1e6).rounded() / 1e6 }
}
