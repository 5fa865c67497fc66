import CEbur128
import EngineProcess

/// Measures interleaved samples with libebur128, which weights frequencies and channels.
///
/// GStreamer's `rganalysis` implements ReplayGain 1.0, without gates: for a signal of −23 LUFS of EBU Tech 3341, its gain corresponds to
/// −26.84 LUFS, and libebur128 measures −22.99.
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
  /// The number of frames so far, and of frames up to the last frame above −60 dBFS.
  private var frames = (all: 0, audible: 0)
  private static let audible = 0.001
  /// The state in the mode `SAMPLE_PEAK`, which includes `M`; the functions called here cannot fail in it.
  private let state: UnsafeMutablePointer<ebur128_state>
  private let format: Format
  private let channels: Int
  private let rate: Int
  /// The frames of a tenth of a second.
  private let period: Int
  /// The frames since the last complete period.
  private var pending = 0

  /// Creates a meter; nil for a number of channels or a rate that libebur128 does not support.
  init?(_ format: Format, channels: Int, rate: Int) {
    guard channels > 0, channels <= 64, rate >= 1_000, let limit = UInt(exactly: rate),
      let state = unsafe ebur128_init(UInt32(channels), limit, Int32(EBUR128_MODE_SAMPLE_PEAK.rawValue))
    else { return nil }
    // Both loudspeakers play a single channel.
    if channels == 1 { _ = unsafe ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
    unsafe self.state = state
    self.format = format
    self.channels = channels
    self.rate = rate
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

  /// The duration of the samples so far.
  var duration: Duration { .seconds(1) * frames.all / rate }

  /// The end of the last sound above −60 dBFS, up to a tenth of a second later; zero without one.
  var sound: Duration { .seconds(1) * frames.audible / rate }

  /// Measures samples; an incomplete frame at the end is ignored.
  func add(_ samples: UnsafeRawBufferPointer) {
    switch format {
    case .int16: unsafe add(samples.assumingMemoryBound(to: Int16.self), ebur128_add_frames_short)
    case .int32: unsafe add(samples.assumingMemoryBound(to: Int32.self), ebur128_add_frames_int)
    case .float: unsafe add(samples.assumingMemoryBound(to: Float.self), ebur128_add_frames_float)
    case .double: unsafe add(samples.assumingMemoryBound(to: Double.self), ebur128_add_frames_double)
    }
  }

  private func add<Sample>(
    _ samples: UnsafeBufferPointer<Sample>,
    _ addFrames: (UnsafeMutablePointer<ebur128_state>?, UnsafePointer<Sample>?, Int) -> Int32
  ) {
    var rest = unsafe samples[...]
    while unsafe rest.count >= channels, let start = unsafe UnsafeBufferPointer(rebasing: rest).baseAddress {
      let frames = unsafe min(rest.count / channels, period - pending)
      _ = unsafe addFrames(state, start, frames)
      unsafe rest = rest.dropFirst(frames * channels)
      pending += frames
      self.frames.all += frames
      if isAudible { self.frames.audible = self.frames.all }
      if pending == period { completePeriod() }
    }
  }

  /// Whether a sample of the last call is above −60 dBFS.
  private var isAudible: Bool {
    (0..<channels).contains { channel in
      var peak = 0.0
      _ = unsafe ebur128_prev_sample_peak(state, UInt32(channel), &peak)
      return peak > Self.audible
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
