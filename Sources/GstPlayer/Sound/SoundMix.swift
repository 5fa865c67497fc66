import CGst
import Playback
import Synchronization

/// The volume, the balance and the meters of a player's own, which other programs do not see.
///
/// The samples that enter the output are changed and measured, so a change is audible after the audio that the output has
/// buffered, about 0.1 s. It outlives the outputs of its player.
package final class SoundMix: Sendable {
  private struct State {
    var curve = FadeCurve.full
    /// From −1, the left channel alone, to 1, the right one.
    var balance = 0.0
    var isMetered = false
    /// The levels of the audio that the output has received, in order.
    var windows: [Window] = []
    /// The output.
    var output: WeakReference?
  }

  /// The levels of the audio from a running time on.
  private struct Window {
    var start: UInt64
    var end: UInt64
    var levels: [ChannelLevel]
  }

  /// The longest time for which one level is measured, and for which levels are kept.
  private static let longestWindow = 20_000_000
  private static let history = 5_000_000_000 as UInt64

  private let state = Mutex(State())

  package init() {}

  /// Changes the volume, linear, 0 to 1, over a time of the audio.
  package func setVolume(_ volume: Double, over time: Duration = .zero) {
    state.withLock { state in
      let change = (volume - state.curve.level).magnitude
      guard time > .zero, change > 0 else { return state.curve = FadeCurve(at: volume) }
      // The time of a fade over the whole range; this fade covers a part of the range.
      state.curve.turn(to: volume, over: time * (1 / max(change, 1e-6)))
    }
  }

  /// Sets the balance, from −1, the left channel alone, to 1, the right one; only `AVAudioPlayer.pan` uses it.
  package func setBalance(_ balance: Double) { state.withLock { $0.balance = balance } }

  /// Turns the measurement of levels on or off; only `AVAudioPlayer.isMeteringEnabled` uses it.
  package func setMetered(_ isMetered: Bool) {
    state.withLock { state in
      state.isMetered = isMetered
      if !isMetered { state.windows = [] }
    }
  }

  /// The levels of the channels that are audible now; empty while nothing plays, and without a measurement.
  package var levels: [ChannelLevel] {
    guard let output = state.withLock({ $0.output })?.object else { return [] }
    let now = withExtendedLifetime(output) { unsafe runningTime(of: output.pointer()) }
    guard let now else { return [] }
    return state.withLock { state in state.windows.last { $0.start <= now && now < $0.end }?.levels ?? [] }
  }

  /// Returns the running time of the audio that an output plays; nil unless it plays.
  private func runningTime(of output: UnsafeMutablePointer<GstElement>) -> UInt64? {
    guard unsafe output.pointee.current_state == GST_STATE_PLAYING, let clock = unsafe gst_element_get_clock(output)
    else { return nil }
    defer { unsafe gst_object_unref(clock) }
    let (now, base) = unsafe (gst_clock_get_time(clock), gst_element_get_base_time(output))
    return now >= base ? UInt64(now - base) : nil
  }

  // MARK: On the streaming thread

  /// Changes and measures the audio that enters a pad of an output.
  func attach(to pad: UnsafeMutablePointer<GstPad>) {
    if let output = unsafe gst_pad_get_parent_element(pad) {
      let reference = unsafe WeakReference(output)
      unsafe gst_object_unref(output)
      state.withLock { ($0.output, $0.windows) = (reference, []) }
    }
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { pad, info in
      guard let buffer = unsafe cgst_probe_buffer(info) else {
        if unsafe cgst_probe_event_of(info, GST_EVENT_FLUSH_STOP) != nil { self.state.withLock { $0.windows = [] } }
        return GST_PAD_PROBE_OK
      }
      guard let sound = unsafe AudioBuffer(buffer, at: pad) else { return GST_PAD_PROBE_OK }
      let (points, gains, isMetered) = self.changes(lasting: sound.duration, channels: unsafe Int(sound.info.channels))
      guard !points.isEmpty || isMetered else { return GST_PAD_PROBE_OK }
      if points.isEmpty {
        self.record(unsafe sound.levels(of: buffer, each: Self.longestWindow), from: sound)
      } else if let writable = unsafe cgst_writable_buffer(buffer) {
        unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
        unsafe sound.apply(points, gains: gains, to: writable)
        if isMetered { self.record(unsafe sound.levels(of: writable, each: Self.longestWindow), from: sound) }
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// Returns the levels for the next buffer, empty if it remains unchanged, and the gains of its channels.
  private func changes(lasting time: Duration, channels: Int) -> ([FadeCurve.Point], gains: [Double], Bool) {
    state.withLock { state in
      let isBalanced = state.balance == 0 || channels < 2
      guard !state.curve.isFull || !isBalanced else { return ([], [], state.isMetered) }
      let gains = isBalanced ? [] : [min(1, 1 - state.balance), min(1, 1 + state.balance)]
      return (state.curve.points(lasting: time), gains, state.isMetered)
    }
  }

  private func record(_ levels: [[ChannelLevel]], from sound: AudioBuffer) {
    guard !levels.isEmpty else { return }
    let step = UInt64(clamping: sound.duration.wholeNanoseconds) / UInt64(levels.count)
    state.withLock { state in
      for (index, levels) in levels.enumerated() {
        let start = sound.runningTime + UInt64(index) * step
        state.windows.append(Window(start: start, end: start + step, levels: levels))
      }
      let newest = state.windows.last?.end ?? 0
      state.windows.removeAll { $0.end + Self.history < newest }
    }
  }
}

/// The level of a channel for a short time, linear; 1 is full scale.
package struct ChannelLevel: Equatable, Sendable {
  /// The largest sample.
  package var peak = 0.0
  /// The root of the mean square of the samples.
  package var average = 0.0
}

extension AudioBuffer {
  /// Measures the channels in windows of at most some nanoseconds; returns a list of channels for each window.
  func levels(of buffer: UnsafeMutablePointer<GstBuffer>, each longest: Int) -> [[ChannelLevel]] {
    let (channels, rate) = unsafe (Int(info.channels), Int(info.rate))
    let length = max(1, rate * longest / 1_000_000_000)
    guard channels > 0, frames > 0, let samples = unsafe samples(of: buffer), samples.count == frames * channels else {
      return []
    }
    let isInterleaved = unsafe info.layout == GST_AUDIO_LAYOUT_INTERLEAVED
    return stride(from: 0, to: frames, by: length).map { start in
      let window = start..<min(frames, start + length)
      return (0..<channels).map { channel in
        var level = ChannelLevel()
        for frame in window {
          let sample = samples[isInterleaved ? frame * channels + channel : channel * frames + frame]
          level.peak = max(level.peak, sample.magnitude)
          level.average += sample * sample
        }
        level.average = (level.average / Double(window.count)).squareRoot()
        return level
      }
    }
  }

  /// Returns the samples of a buffer, from −1 to 1; nil if they cannot be read.
  private func samples(of buffer: UnsafeMutablePointer<GstBuffer>) -> [Double]? {
    guard let format = unsafe info.finfo, let unpack = unsafe format.pointee.unpack_func else { return nil }
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    let count = unsafe frames * Int(info.channels)
    guard let data = unsafe map.data else { return nil }
    switch unsafe format.pointee.unpack_format {
    case GST_AUDIO_FORMAT_S32:
      var samples = [Int32](repeating: 0, count: count)
      // Otherwise silence in 16 bits is unpacked to half a step.
      unsafe unpack(format, GST_AUDIO_PACK_FLAG_TRUNCATE_RANGE, &samples, data, gint(count))
      return samples.map { Double($0) / 2_147_483_648 }
    case GST_AUDIO_FORMAT_F64:
      var samples = [Double](repeating: 0, count: count)
      unsafe unpack(format, GST_AUDIO_PACK_FLAG_NONE, &samples, data, gint(count))
      return samples
    default: return nil
    }
  }
}
