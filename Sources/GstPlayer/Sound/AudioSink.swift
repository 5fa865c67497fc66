import CGst
import Dispatch
import Playback
import Synchronization

/// The output element: the one that was named, or the best of those that are installed and work.
enum AudioSink {
  /// An element with a floating reference, and whether it sounds.
  @safe struct Choice {
    let element: UnsafeMutablePointer<GstElement>
    var isSilent = false

    /// Whether it plays through a sound server, which is waited for when it ends, and not through a device of its own.
    var isServed: Bool { ["pulsesink", "pipewiresink", "jackaudiosink"].contains(factory) }

    /// The name of the element's factory.
    var factory: String { unsafe GLib.borrow(cgst_factory_name(element)) ?? "" }

    /// Why audio cannot be played through it; nil when it can.
    var unsuitability: String? {
      guard let pad = unsafe gst_element_get_static_pad(element, "sink") else { return "it has no input" }
      defer { unsafe gst_object_unref(pad) }
      guard unsafe cgst_contains_sink(element) != 0 else { return "it does not end in a sink" }
      guard let caps = unsafe gst_pad_query_caps(pad, nil), let audio = unsafe gst_caps_from_string("audio/x-raw")
      else {
        return nil
      }
      defer {
        unsafe cgst_mini_object_unref(caps)
        unsafe cgst_mini_object_unref(audio)
      }
      return unsafe gst_caps_can_intersect(caps, audio) == 0 ? "it accepts no raw audio" : nil
    }

    /// Whether it, or an element in it, has a volume that playbin sets.
    var hasVolume: Bool {
      guard let bin = unsafe cgst_bin(element) else { return unsafe cgst_has_stream_volume(element) != 0 }
      guard let found = unsafe gst_bin_get_by_interface(bin, gst_stream_volume_get_type()) else { return false }
      defer { unsafe gst_object_unref(found) }
      // A volume element has the interface too, but is no output.
      return unsafe cgst_is_sink(UnsafeMutableRawPointer(found).assumingMemoryBound(to: GstObject.self)) != 0
    }
  }

  /// Makes the output that a bin description names; it is not opened.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstparse.html#gst_parse_bin_from_description>
  static func make(_ description: String) throws(PlayerError) -> Choice {
    guard !description.utf8.contains(0) else { throw unusable("the output's description contains a NUL byte") }
    var error: UnsafeMutablePointer<GError>?
    let bin = unsafe gst_parse_bin_from_description(description, 1, &error)
    let text = unsafe GLib.take(error)
    guard let bin = unsafe bin else {
      throw unusable("the output “\(description)” cannot be made: \(text?.message ?? "unknown reason")")
    }
    let choice = unsafe Choice(element: UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self))
    if let reason = choice.unsuitability {
      discard(choice)
      throw unusable("“\(description)” is not an audio output: \(reason)")
    }
    return choice
  }

  private static func unusable(_ message: String) -> PlayerError {
    var error = PlayerError(.output, message)
    error.isUnusableOutput = true
    return error
  }

  /// Lets go of an output that nobody took.
  static func discard(_ choice: Choice) {
    unsafe gst_object_unref(gst_object_ref_sink(choice.element))
  }

  /// The kind of output that ``best(_:fades:)`` has settled on, for the pipelines that come after.
  final class Memory: Sendable {
    fileprivate let factory = Mutex<String?>(nil)
  }

  /// The output of highest rank that can be opened; when there is none, a silent one that keeps time.
  ///
  /// Asked again, it is the same kind, whether it can be opened now or not.
  static func best(_ memory: Memory, fades: Bool = false) throws(PlayerError) -> Choice {
    if let known = memory.factory.withLock({ $0 }), let element = unsafe gst_element_factory_make(known, nil) {
      unsafe tune(element, fades: fades)
      return unsafe Choice(element: element)
    }
    if let element = unsafe firstThatOpens(among: candidates(), fades: fades, memory) {
      return unsafe Choice(element: element)
    }
    guard let element = unsafe gst_element_factory_make("fakesink", nil) else {
      throw PlayerError(.output, "GStreamer's core elements are not installed")
    }
    unsafe GLib.set(element, "sync", to: true)
    return unsafe Choice(element: element, isSilent: true)
  }

  /// Whether an output opens by now, other than the one named; it is noted for ``best(_:fades:)``.
  ///
  /// Leaves out JACK, whose library writes to standard error at each attempt without a server.
  static func finds(_ memory: Memory, excluding failed: String? = nil) -> Bool {
    let candidates = candidates().filter { candidate in
      unsafe !isOfPlugin("jack", candidate.factory) && (failed == nil || name(of: candidate.factory) != failed)
    }
    guard let element = unsafe firstThatOpens(among: candidates, fades: false, memory) else { return false }
    discard(unsafe Choice(element: element))
    return true
  }

  /// Makes the first output that can be opened, and notes its kind; nil when there is none.
  private static func firstThatOpens(
    among candidates: [Candidate], fades: Bool, _ memory: Memory
  ) -> UnsafeMutablePointer<GstElement>? {
    for candidate in candidates {
      guard let element = unsafe gst_element_factory_create(candidate.factory, nil) else { continue }
      unsafe tune(element, fades: fades)
      guard unsafe opens(element) else {
        discard(unsafe Choice(element: element))
        continue
      }
      let name = unsafe GLib.borrow(cgst_factory_name(element))
      memory.factory.withLock { $0 = name }
      return unsafe element
    }
    return nil
  }

  /// How long an output may take to open before it counts as one that does not.
  private static let patience = DispatchTimeInterval.seconds(3)

  /// Whether an element with a floating reference can be opened; it is closed again.
  private static func opens(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
    // What hangs keeps a thread and a reference of its own.
    let address = UInt(bitPattern: unsafe gst_object_ref(element))
    let (opened, answer) = (Latch(), DispatchSemaphore(value: 0))
    DispatchQueue(label: "GstPlayer.AudioSink").async {
      guard let element = unsafe UnsafeMutablePointer<GstElement>(bitPattern: address) else { return }
      let result = unsafe gst_element_set_state(element, GST_STATE_READY)
      unsafe gst_element_set_state(element, GST_STATE_NULL)
      if result == GST_STATE_CHANGE_SUCCESS { opened.set() }
      unsafe gst_object_unref(element)
      answer.signal()
    }
    return answer.wait(timeout: .now() + patience) == .success && opened.isSet
  }

  /// Set once, from any thread.
  private final class Latch: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }

  /// A second of buffer in PulseAudio's sink, filled five times a second: a third of the wake-ups, and no control gets
  /// slower.
  ///
  /// But for a fade, which is heard after what the buffer holds.
  private static func tune(_ element: UnsafeMutablePointer<GstElement>, fades: Bool) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "pulsesink" else { return }
    unsafe GLib.set(element, "buffer-time", to: Int64(fades ? 100_000 : 1_000_000))
    unsafe GLib.set(element, "latency-time", to: Int64(fades ? 25_000 : 200_000))
  }

  /// An element factory, and a reference to it.
  @safe private final class Candidate {
    let factory: OpaquePointer
    init(retaining factory: UnsafeMutableRawPointer) { unsafe self.factory = OpaquePointer(gst_object_ref(factory)) }
    deinit { unsafe gst_object_unref(UnsafeMutableRawPointer(factory)) }
  }

  /// Installed audio outputs, the highest rank first, without OpenAL.
  ///
  /// OpenAL plays through PulseAudio, PipeWire and ALSA, which have elements of their own here. Where none of them opens,
  /// it fails as well, and it and ALSA below it write a dozen lines to standard error.
  private static func candidates() -> [Candidate] {
    guard let list = unsafe gst_element_factory_list_get_elements(cgst_audio_sinks(), GST_RANK_MARGINAL) else {
      return []
    }
    let sorted = unsafe g_list_sort(list, gst_plugin_feature_rank_compare_func)
    defer { unsafe gst_plugin_feature_list_free(sorted) }
    var result: [Candidate] = []
    var node = unsafe sorted
    while let current = unsafe node {
      if let data = unsafe current.pointee.data, unsafe !isOfPlugin("openal", OpaquePointer(data)) {
        unsafe result.append(Candidate(retaining: data))
      }
      unsafe node = current.pointee.next
    }
    return result
  }

  private static func name(of factory: OpaquePointer) -> String? {
    unsafe GLib.take(gst_object_get_name(UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self)))
  }

  private static func isOfPlugin(_ plugin: String, _ factory: OpaquePointer) -> Bool {
    unsafe GLib.borrow(gst_plugin_feature_get_plugin_name(factory)) == plugin
  }
}
