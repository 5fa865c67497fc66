import CGst
import Dispatch
import Playback
import Synchronization

/// The output element: the configured one, or the best of the installed ones that work.
enum AudioSink {
  /// An element with a floating reference, and whether it is silent.
  @safe struct Choice {
    let element: UnsafeMutablePointer<GstElement>
    var isSilent = false

    /// Whether it plays through a sound server rather than directly on a device.
    ///
    /// If a server ends, playback waits for it.
    var isServed: Bool { ["pulsesink", "pipewiresink", "jackaudiosink"].contains(factory) }

    /// The name of the element's factory.
    var factory: String { unsafe GLib.borrow(cgst_factory_name(element)) ?? "" }

    /// The reason that audio cannot be played through the element; nil if it can.
    var unsuitability: String? {
      guard let pad = unsafe gst_element_get_static_pad(element, "sink") else { return "without an input" }
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
      return unsafe gst_caps_can_intersect(caps, audio) == 0 ? "it does not accept raw audio" : nil
    }

    /// Whether the element, or an element in it, has a volume.
    var hasVolume: Bool { unsafe GLib.with(taking: volumeOwner(of: element)) { _ in true } ?? false }
  }

  /// Returns the sink with a volume that is an output, or that is in the bin of an output; the caller releases it.
  static func volumeOwner(of output: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstElement>? {
    guard let bin = unsafe cgst_bin(output) else {
      guard unsafe cgst_has_stream_volume(output) != 0 else { return nil }
      unsafe gst_object_ref(output)
      return unsafe output
    }
    guard let owner = unsafe gst_bin_get_by_interface(bin, gst_stream_volume_get_type()) else { return nil }
    // A volume element has the interface too, but is not an output.
    guard unsafe cgst_is_sink(owner) != 0 else {
      unsafe gst_object_unref(owner)
      return nil
    }
    return unsafe owner
  }

  /// Makes the output of a bin description without opening it.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstparse.html#gst_parse_bin_from_description>
  static func make(
    _ description: String, for application: Player.Configuration.Application? = nil
  ) throws(PlayerError) -> Choice {
    guard !description.utf8.contains(0) else { throw unusable("the output's description contains a NUL byte") }
    var error: UnsafeMutablePointer<GError>?
    let bin = unsafe gst_parse_bin_from_description(description, 1, &error)
    let text = unsafe GLib.take(error)
    guard let bin = unsafe bin else {
      throw unusable("cannot create the output “\(description)”: \(text?.message ?? "unknown reason")")
    }
    let choice = unsafe Choice(element: UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self))
    if let reason = choice.unsuitability {
      discard(choice)
      throw unusable("“\(description)” is not an audio output: \(reason)")
    }
    if let application { unsafe name(choice.element, as: application) }
    return choice
  }

  private static func unusable(_ message: String) -> PlayerError {
    var error = PlayerError(code: .output, message: message)
    error.isUnusableOutput = true
    return error
  }

  /// Closes and releases an output that is not used.
  static func discard(_ choice: Choice) {
    unsafe gst_element_set_state(choice.element, GST_STATE_NULL)
    unsafe release(choice.element)
  }

  private static func release(_ element: UnsafeMutablePointer<GstElement>) {
    unsafe gst_object_unref(gst_object_ref_sink(element))
  }

  /// The kind of output that ``best(_:isShort:for:)`` has chosen, for later outputs.
  final class Memory: Sendable {
    fileprivate let factory = Mutex<String?>(nil)
  }

  /// Makes the output of the highest rank that can be opened; if there is none, a silent one that is synchronized to
  /// the clock.
  ///
  /// Later calls return the same kind, even if it cannot be opened at that time. The connection to a sound server stays
  /// open for the first item.
  static func best(
    _ memory: Memory, isShort: Bool = false, for application: Player.Configuration.Application? = nil
  ) throws(PlayerError) -> Choice {
    func prepare(_ element: UnsafeMutablePointer<GstElement>) {
      unsafe tune(element, isShort: isShort)
      if let application { unsafe name(element, as: application) }
    }
    if let known = memory.factory.withLock({ $0 }), let element = unsafe gst_element_factory_make(known, nil) {
      unsafe prepare(element)
      return unsafe Choice(element: element)
    }
    if let element = unsafe firstThatOpens(memory, prepare) { return unsafe Choice(element: element) }
    guard let element = unsafe gst_element_factory_make("fakesink", nil) else {
      throw PlayerError(code: .output, message: "GStreamer's core elements are not installed")
    }
    unsafe GLib.set(element, "sync", to: true)
    return unsafe Choice(element: element, isSilent: true)
  }

  /// Whether an output other than `failed` can be opened now; its kind is stored for ``best(_:isShort:for:)``.
  ///
  /// JACK is left out, because its library writes to standard error at each attempt without a server.
  static func finds(_ memory: Memory, excluding failed: String? = nil) -> Bool {
    let element = unsafe firstThatOpens(memory, { unsafe tune($0, isShort: false) }) { factory in
      unsafe !isOfPlugin("jack", factory) && GLib.name(of: UnsafeMutableRawPointer(factory)) != failed
    }
    guard let element = unsafe element else { return false }
    discard(unsafe Choice(element: element))
    return true
  }

  /// Makes the first installed output that can be opened, the highest rank first, and stores its kind; nil if there is
  /// none.
  ///
  /// OpenAL is left out. It plays through PulseAudio, PipeWire and ALSA, which have their own elements here. If none of
  /// them can be opened, OpenAL fails as well, and then OpenAL and ALSA write a dozen lines to standard error.
  private static func firstThatOpens(
    _ memory: Memory, _ prepare: (UnsafeMutablePointer<GstElement>) -> Void,
    where isWanted: (OpaquePointer) -> Bool = { _ in true }
  ) -> UnsafeMutablePointer<GstElement>? {
    let list = unsafe gst_element_factory_list_get_elements(cgst_audio_sinks(), GST_RANK_MARGINAL)
    let sorted = unsafe g_list_sort(list, gst_plugin_feature_rank_compare_func)
    defer { unsafe gst_plugin_feature_list_free(sorted) }
    let factories = unsafe GLib.elements(of: sorted).map { OpaquePointer($0) }
    for index in unsafe factories.indices {
      let factory = unsafe factories[index]
      guard unsafe !isOfPlugin("openal", factory) && isWanted(factory),
        let element = unsafe gst_element_factory_create(factory, nil)
      else { continue }
      unsafe prepare(element)
      guard unsafe opens(element) else {
        unsafe release(element)
        continue
      }
      let name = unsafe GLib.borrow(cgst_factory_name(element))
      memory.factory.withLock { $0 = name }
      return unsafe element
    }
    return nil
  }

  /// The time limit for opening an output; a slower output counts as failed.
  private static let openTimeout = DispatchTimeInterval.seconds(3)

  /// Whether an element with a floating reference can be opened; a device is closed again, so that it is free until it is
  /// used.
  private static func opens(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
    // An element that hangs keeps its own thread and its own reference.
    let element = unsafe ObjectReference(element)
    let (opened, answer) = (Latch(), DispatchSemaphore(value: 0))
    DispatchQueue(label: "GstPlayer.AudioSink").async {
      let result = unsafe gst_element_set_state(element.pointer(), GST_STATE_READY)
      let isOpen = result == GST_STATE_CHANGE_SUCCESS
      if unsafe !isOpen || !Choice(element: element.pointer()).isServed {
        unsafe gst_element_set_state(element.pointer(), GST_STATE_NULL)
      }
      if isOpen { opened.set() }
      answer.signal()
    }
    return answer.wait(timeout: .now() + openTimeout) == .success && opened.isSet
  }

  /// Sets the buffer of PulseAudio's sink to 4 s, filled every 1.3 s, or to 0.1 s.
  ///
  /// Samples in it can be replaced until they are audible, so no command is slower with a large buffer. A ``SoundMix`` does not
  /// write the samples again that it changes, so its changes are audible only after the buffer.
  private static func tune(_ element: UnsafeMutablePointer<GstElement>, isShort: Bool) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "pulsesink" else { return }
    let times: (buffer: Int64, period: Int64) = isShort ? (100_000, 25_000) : (4_000_000, 1_300_000)
    unsafe GLib.set(element, "buffer-time", to: times.buffer)
    unsafe GLib.set(element, "latency-time", to: times.period)
  }

  /// Sets the properties of a sound server's stream, except those that the description of the output contains; call it
  /// before the output is opened.
  ///
  /// <https://freedesktop.org/software/pulseaudio/doxygen/proplist_8h.html>,
  /// <https://docs.pipewire.org/group__pw__keys.html>
  private static func name(_ output: UnsafeMutablePointer<GstElement>, as application: Player.Configuration.Application)
  {
    let known = [("application.name", application.name), ("application.id", application.id)]
    unsafe GLib.with(taking: cgst_element_of_factory(output, "pulsesink")) { sink in
      // Properties of the client take precedence over the same properties of its streams.
      unsafe GLib.set(sink, "client-name", to: application.name)
      for (key, value) in known + [("application.icon_name", application.iconName), ("media.role", "music")] {
        unsafe cgst_add_stream_property(sink, "stream-properties", key, value)
      }
    }
    unsafe GLib.with(taking: cgst_element_of_factory(output, "pipewiresink")) { sink in
      unsafe GLib.set(sink, "client-name", to: application.name)
      for (key, value) in known + [("application.icon-name", application.iconName)] {
        unsafe cgst_add_stream_property(sink, "client-properties", key, value)
        unsafe cgst_add_stream_property(sink, "stream-properties", key, value)
      }
      for (key, value) in [("media.type", "Audio"), ("media.category", "Playback"), ("media.role", "Music")] {
        unsafe cgst_add_stream_property(sink, "stream-properties", key, value)
      }
    }
  }

  /// Requests that PipeWire runs the device of the next stream at a rate, also at one that it may not select itself.
  ///
  /// Call it before the output is opened. PulseAudio and other outputs ignore it.
  /// <https://docs.pipewire.org/page_man_pipewire-props_7.html>
  static func requestRate(_ rate: Int, of output: UnsafeMutablePointer<GstElement>) {
    for factory in ["pulsesink", "pipewiresink"] {
      unsafe GLib.with(taking: cgst_element_of_factory(output, factory)) { sink in
        unsafe cgst_set_stream_property(sink, "stream-properties", "node.force-rate", String(rate))
      }
    }
  }

  /// Returns the device that an output of PulseAudio is to use; nil for the default one, and for another output.
  static func device(of output: UnsafeMutablePointer<GstElement>) -> String? {
    unsafe GLib.with(taking: cgst_element_of_factory(output, "pulsesink")) { unsafe GLib.text($0, "device") } ?? nil
  }

  /// Lets an output of PulseAudio use a device again, nil for the default one; call it before the output is opened.
  ///
  /// The sink replaces its choice by the device that its stream was connected to first, and would connect to no other one, also after
  /// that device was removed.
  /// <https://gitlab.freedesktop.org/gstreamer/gstreamer/-/blob/1.22.0/subprojects/gst-plugins-good/ext/pulse/pulsesink.c#L1003>
  static func setDevice(_ device: String?, of output: UnsafeMutablePointer<GstElement>) {
    unsafe GLib.with(taking: cgst_element_of_factory(output, "pulsesink")) { sink in
      unsafe GLib.set(sink, "device", type: cgst_type_string()) { unsafe g_value_set_string($0, device) }
    }
  }

  private static func isOfPlugin(_ plugin: String, _ factory: OpaquePointer) -> Bool {
    unsafe GLib.borrow(gst_plugin_feature_get_plugin_name(factory)) == plugin
  }
}
