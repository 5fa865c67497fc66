import CEbur128

/// A measurement of interleaved samples by libebur128, which weights frequencies and channels.
@safe final class LoudnessMeter {
  /// The formats of samples that libebur128 reads.
  enum Format: String {
    case int16 = "S16LE"
    case int32 = "S32LE"
    case float = "F32LE"
    case double = "F64LE"
  }

  /// The mean energy of each tenth of a second.
  private(set) var energies: [Double] = []
  private let state: UnsafeMutablePointer<ebur128_state>
  private let format: Format
  private let channels: Int
  /// The frames of a tenth of a second.
  private let period: Int
  /// The frames since the last complete period.
  private var pending = 0

  /// Creates a meter; nil for a number of channels or a rate that libebur128 does not support.
  init?(_ format: Format, channels: Int, rate: Int) {
    guard channels > 0, channels <= 64, rate >= 1_000, let limit = UInt(exactly: rate),
      let state = unsafe cebur128_new(UInt32(channels), limit)
    else { return nil }
    // Both loudspeakers play a single channel.
    if channels == 1 { _ = unsafe cebur128_set_dual_mono(state) }
    unsafe self.state = state
    self.format = format
    self.channels = channels
    period = rate / 10
  }

  deinit {
    var state: UnsafeMutablePointer<ebur128_state>? = unsafe state
    unsafe ebur128_destroy(&state)
  }

  /// The largest absolute sample value so far.
  var peak: Double {
    (0..<channels).reduce(0) { largest, channel in
      var peak = 0.0
      _ = unsafe ebur128_sample_peak(state, UInt32(channel), &peak)
      return max(largest, peak)
    }
  }

  /// Measures samples; an incomplete frame at the end is ignored.
  func add(_ samples: UnsafeRawBufferPointer) {
    let size = format.size * channels
    var rest = unsafe samples[...]
    while unsafe rest.count >= size, let start = unsafe UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      let frames = unsafe min(rest.count / size, period - pending)
      unsafe add(start, frames)
      unsafe rest = rest.dropFirst(frames * size)
      pending += frames
      if pending == period { completePeriod() }
    }
  }

  private func add(_ start: UnsafeRawPointer, _ frames: Int) {
    switch format {
    case .int16: _ = unsafe ebur128_add_frames_short(state, start.assumingMemoryBound(to: Int16.self), frames)
    case .int32: _ = unsafe ebur128_add_frames_int(state, start.assumingMemoryBound(to: Int32.self), frames)
    case .float: _ = unsafe ebur128_add_frames_float(state, start.assumingMemoryBound(to: Float.self), frames)
    case .double: _ = unsafe ebur128_add_frames_double(state, start.assumingMemoryBound(to: Double.self), frames)
    }
  }

  /// Reads the energy of the last tenth of a second.
  ///
  /// With its mode for the integrated loudness, libebur128 would add up each sample four times, once for each block
  /// that it belongs to; that takes 0.03 s more for four minutes.
  private func completePeriod() {
    pending = 0
    var loudness = 0.0
    _ = unsafe ebur128_loudness_window(state, 100, &loudness)
    energies.append(loudness.isFinite ? LoudnessGate.energy(loudness) : 0)
  }
}

extension LoudnessMeter.Format {
  /// The size of a sample in bytes.
  var size: Int {
    switch self {
    case .int16: 2
    case .int32, .float: 4
    case .double: 8
    }
  }
}
