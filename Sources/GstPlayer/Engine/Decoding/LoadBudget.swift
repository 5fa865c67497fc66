import CGst
import EngineProcess
import Playback
import PlayerClock
import Synchronization

/// Compares the resources that the media of one item use with ``MediaLimits``, on GStreamer's threads.
///
/// Data beyond a limit does not reach a demuxer, and no further element or track is added.
///
/// A demuxer pulls the data of a file, and may read all of it for a seek: a parser without an index counts every frame up
/// to the target. So the size of pulled data is limited before the first sample only. Reading by a seek that takes longer is
/// reported instead, and limited by time.
final class LoadBudget: Sendable {
  private struct Usage {
    /// The bytes that have arrived since the last sample.
    var bytes = 0
    var greatest = 0
    /// The parts of a file that were pulled before the first sample.
    ///
    /// Reading them again uses no further memory: `oggdemux` searches the last page from the end backwards.
    var pulled = RangeSet<Int64>()
    /// Whether a sample has passed.
    var hasSample = false
    /// The reading of a file since the start or the last flush; nil once a sample has passed.
    var reading: ReadingProgress? = ReadingProgress()
    var elements = 0
    var tags = 0
    var tracks = 0
    /// Whether there is a video track, whose data arrives without a sample.
    var hasVideo = false
    /// The report, until a limit is exceeded.
    var report: (@Sendable (PlayerError) -> Void)?

    /// Notes a part of a file that is pulled before the first sample; returns the number of its bytes that are new.
    mutating func pull(_ size: Int, at offset: Int64) -> Int {
      let (end, overflows) = offset.addingReportingOverflow(Int64(size))
      guard !overflows else { return size }
      let known = pulled.intersection(RangeSet(offset..<end)).ranges.reduce(0) { $0 + $1.count }
      pulled.insert(contentsOf: offset..<end)
      return size - known
    }
  }

  /// The bytes without a sample from which on memory is worth giving back to the system.
  private static let heavy = 4 << 20
  private static let key = "playerd-budget"

  private let usage: Mutex<Usage>
  private let readsOn: @Sendable () -> Void

  /// Makes a budget.
  ///
  /// - Parameters:
  ///   - report: Receives the first excess.
  ///   - readsOn: Called once a second while further data of a file is read without a sample.
  init(_ report: @escaping @Sendable (PlayerError) -> Void, readsOn: @escaping @Sendable () -> Void = {}) {
    usage = Mutex(Usage(report: report))
    self.readsOn = readsOn
  }

  /// Whether headers used so much memory that it should be given back.
  var isHeavy: Bool { usage.withLock { $0.greatest > Self.heavy || $0.report == nil } }

  // MARK: Decoders

  /// Makes this the budget of a `uridecodebin`, `parsebin` or `decodebin` that has not been started.
  func begin(_ decoder: UnsafeMutablePointer<GstElement>) {
    let object = unsafe UnsafeMutableRawPointer(decoder).assumingMemoryBound(to: GObject.self)
    unsafe g_object_set_data_full(object, Self.key, CallbackValue.data(self), releaseCallbackData)
  }

  private static func of(_ decoder: UnsafeMutablePointer<GstElement>) -> LoadBudget? {
    let object = unsafe UnsafeMutableRawPointer(decoder).assumingMemoryBound(to: GObject.self)
    return unsafe CallbackValue<LoadBudget>.value(in: g_object_get_data(object, key))
  }

  /// Applies the budgets of a decoder to its elements, for the lifetime of the decoder.
  static func watch(_ decoder: UnsafeMutablePointer<GstElement>) {
    let address = UInt(bitPattern: decoder)
    // The handlers do not outlive the decoder.
    let budget: @Sendable () -> LoadBudget? = {
      unsafe UnsafeMutablePointer<GstElement>(bitPattern: address).flatMap { unsafe of($0) }
    }
    unsafe Signal.deepElement("deep-element-added", of: decoder) { element, bin in
      unsafe budget()?.added(element, to: bin)
    }
    unsafe Signal.deepElement("deep-element-removed", of: decoder) { _, _ in budget()?.removed() }
    unsafe Signal.connect("autoplug-continue", of: decoder) { _, result in
      unsafe g_value_set_boolean(result, budget()?.isExceeded == true ? 0 : 1)
    }
    unsafe Signal.padAdded(to: decoder) { _, pad in
      guard let budget = budget(), unsafe !AudioOnlyDecoding.isHidden(pad) else { return }
      unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { _, info in
        if unsafe cgst_probe_buffer(info) != nil {
          budget.noteSample()
        } else if unsafe cgst_probe_event_of(info, GST_EVENT_FLUSH_STOP) != nil {
          budget.noteFlush()
        }
        return GST_PAD_PROBE_OK
      }
    }
  }

  private var isExceeded: Bool { usage.withLock { $0.report == nil } }

  /// Counts an element, and checks the data that it reads.
  private func added(_ element: UnsafeMutablePointer<GstElement>, to bin: UnsafeMutablePointer<GstBin>) {
    let name = unsafe GLib.borrow(cgst_factory_name(element)) ?? ""
    let (count, tags) = usage.withLock { usage in
      usage.elements += 1
      if ["id3demux", "apedemux"].contains(name) { usage.tags += 1 }
      return (usage.elements, usage.tags)
    }
    if count > MediaLimits.elements { exceed(.number(of: "elements", MediaLimits.elements)) }
    if tags > MediaLimits.tags { exceed(.number(of: "ID3 or APE tags in a row", MediaLimits.tags)) }
    unsafe HeaderProbe.install(on: element) { self.exceed($0) }
    let parent = unsafe cgst_element(bin).flatMap { unsafe GLib.borrow(cgst_factory_name($0)) }
    switch name {
    case "typefind":
      if let parent, ["decodebin", "parsebin"].contains(parent) { unsafe countData(at: "sink", of: element) }
    // The sources of an adaptive demuxer.
    case "souphttpsrc": if parent?.hasPrefix("uri") != true { unsafe countData(at: "src", of: element) }
    case "hlsdemux", "dashdemux", "mssdemux":
      unsafe limitPlaylist(of: element)
      PlaylistRequests.limitSizes()
    default: break
    }
    if unsafe cgst_adds_sources(element) != 0 {
      // decodebin connects its own handler later.
      unsafe Signal.padAdded(to: element) { element, pad in
        if unsafe !self.takes(pad) { unsafe g_signal_stop_emission_by_name(element, "pad-added") }
      }
    }
  }

  private func removed() { usage.withLock { $0.elements -= 1 } }

  /// Counts a pad that an element has added; returns whether it may be used.
  private func takes(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    let isVisual = unsafe AudioOnlyDecoding.isHidden(pad)
    let count = usage.withLock { usage in
      usage.tracks += 1
      usage.hasVideo = usage.hasVideo || isVisual
      return usage.tracks
    }
    guard count > MediaLimits.tracks else { return true }
    exceed(.number(of: "tracks", MediaLimits.tracks))
    return false
  }

  // MARK: Data

  private func noteSample() {
    usage.withLock { usage in
      (usage.bytes, usage.hasSample, usage.pulled) = (0, true, RangeSet())
      usage.reading = nil
    }
  }

  private func noteFlush() { usage.withLock { $0.reading = ReadingProgress() } }

  /// Counts the data that passes a pad, pushed or pulled.
  private func countData(at pad: String, of element: UnsafeMutablePointer<GstElement>) {
    let kinds = [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_PUSH, GST_PAD_PROBE_TYPE_PULL]
    unsafe PadProbe.add(to: pad, of: element, kinds) { _, info in
      guard let buffer = unsafe cgst_probe_buffer(info) else { return GST_PAD_PROBE_OK }
      let size = unsafe Int(clamping: gst_buffer_get_size(buffer))
      let isPulled = unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_PULL.rawValue != 0
      let offset = unsafe isPulled ? Int64(clamping: info.pointee.offset) : nil
      return self.receives(size, pulledFrom: offset) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
    }
  }

  private func receives(_ size: Int, pulledFrom offset: Int64?) -> Bool {
    let (bytes, isExceeded, isDue) = usage.withLock { usage in
      let isDue = offset.flatMap { usage.reading?.advances(to: $0 &+ Int64(size), at: .now) } ?? false
      if usage.hasVideo || offset != nil && usage.hasSample { usage.bytes = 0 }
      let new = usage.hasSample ? size : offset.map { usage.pull(size, at: $0) } ?? size
      usage.bytes = min(usage.bytes, MediaLimits.bytes) + new
      usage.greatest = max(usage.greatest, usage.bytes)
      return (usage.bytes, usage.report == nil, isDue)
    }
    if isDue { readsOn() }
    guard bytes > MediaLimits.bytes else { return !isExceeded }
    exceed(.size(of: "data without audio"))
    return false
  }

  /// Limits the playlist that an adaptive demuxer collects before it reads it.
  private func limitPlaylist(of demuxer: UnsafeMutablePointer<GstElement>) {
    let size = Mutex(0)
    unsafe PadProbe.add(to: "sink", of: demuxer, [GST_PAD_PROBE_TYPE_BUFFER]) { _, info in
      guard let buffer = unsafe cgst_probe_buffer(info) else { return GST_PAD_PROBE_OK }
      let added = unsafe Int(clamping: gst_buffer_get_size(buffer))
      let sum = size.withLock { size in
        size = min(size, MediaLimits.playlistBytes) + added
        return size
      }
      guard sum > MediaLimits.playlistBytes else { return GST_PAD_PROBE_OK }
      self.exceed(.size(of: "a playlist", MediaLimits.playlistBytes))
      return GST_PAD_PROBE_DROP
    }
  }

  private func exceed(_ error: PlayerError) { usage.withLock { $0.report.take() }?(error) }
}
