import CGst
import Playback

/// Queries the sound systems for their devices through GStreamer, and blocks until they answer.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstdevicemonitor.html>
enum AudioOutputProbe {
  static func outputs() -> [AudioOutput] {
    // Without GStreamer nothing can be played; the player reports that with its first item.
    guard (try? GStreamer.initialize()) != nil else { return [] }
    if let outputs = pulseOutputs() { return outputs }
    guard let monitor = unsafe gst_device_monitor_new() else { return [] }
    defer { unsafe gst_object_unref(monitor) }
    unsafe gst_device_monitor_add_filter(monitor, "Audio/Sink", nil)
    // Only a started monitor knows the default device, and removes duplicates of a device that two sound systems offer.
    guard unsafe gst_device_monitor_start(monitor) != 0 else { return [] }
    defer { unsafe gst_device_monitor_stop(monitor) }
    return unsafe outputs(of: gst_device_monitor_get_devices(monitor))
  }

  /// Returns the devices of the PulseAudio server, which may be PipeWire's; nil if none is running.
  ///
  /// PipeWire's own provider is not used beside it: version 0.3.65 crashes when it is stopped soon after its start (13 of
  /// 48 processes on a busy machine) and does not know the default device; 1.4 crashes when its server ends while it is
  /// watched. Up to 1.6, `pipewiresink` has no volume, is silent after a restart of the server, and has no buffer to
  /// bridge a high CPU load. In `gst-launch-1.0` (1.26 and 1.28) it drops the first buffer and the last 256 frames.
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstdeviceprovider.html>
  private static func pulseOutputs() -> [AudioOutput]? {
    guard let provider = unsafe pulseProvider() else { return nil }
    defer { unsafe gst_object_unref(provider) }
    // Only a started provider knows the default device.
    guard unsafe gst_device_provider_start(provider) != 0 else { return nil }
    defer { unsafe gst_device_provider_stop(provider) }
    return unsafe outputs(of: provider)
  }

  /// Returns the provider of PulseAudio devices, one object per process, with a reference for the caller.
  private static func pulseProvider() -> UnsafeMutablePointer<GstDeviceProvider>? {
    unsafe gst_device_provider_factory_get_by_name("pulsedeviceprovider")
  }

  /// Returns the devices of a provider without duplicates.
  private static func outputs(of provider: UnsafeMutablePointer<GstDeviceProvider>) -> [AudioOutput] {
    unsafe outputs(of: gst_device_provider_get_devices(provider))
  }

  /// Reads a list of devices without the inputs, and frees it.
  private static func outputs(of list: UnsafeMutablePointer<GList>?) -> [AudioOutput] {
    defer { unsafe g_list_free(list) }
    var result: [AudioOutput] = []
    unsafe GLib.elements(of: list).forEach { data in
      let output = unsafe AudioOutput(taking: data.assumingMemoryBound(to: GstDevice.self))
      // If two providers still list the same device, both use the same ID for it.
      if let output, !result.contains(where: { $0.id == output.id }) { result.append(output) }
    }
    return result
  }
}

extension AudioOutput {
  /// Reads a device and releases it; nil if it is not an output or if no element plays on it.
  init?(taking device: UnsafeMutablePointer<GstDevice>) {
    defer { unsafe gst_object_unref(device) }
    guard unsafe gst_device_has_classes(device, "Audio/Sink") != 0 else { return nil }
    guard let made = unsafe gst_device_create_element(device, nil) else { return nil }
    let element = unsafe gst_object_ref_sink(made).assumingMemoryBound(to: GstElement.self)
    defer { unsafe gst_object_unref(element) }
    guard let factory = unsafe GLib.borrow(cgst_factory_name(element)), !factory.isEmpty else { return nil }
    var nodeName: String?
    var isDefault: gboolean = 0
    if let properties = unsafe gst_device_get_properties(device) {
      defer { unsafe gst_structure_free(properties) }
      unsafe gst_structure_get_boolean(properties, "is-default", &isDefault)
      nodeName = unsafe GLib.borrow(gst_structure_get_string(properties, "node.name"))
    }
    let name = unsafe GLib.take(gst_device_get_display_name(device)) ?? factory
    // PipeWire's element refers to the device by a number that changes at the next start. The node name stays the same.
    let target: (property: String, value: String)? =
      if unsafe cgst_has_property(element, "target-object") != 0, let nodeName {
        ("target-object", nodeName)
      } else if unsafe cgst_has_property(element, "device") != 0, let device = unsafe GLib.text(element, "device") {
        ("device", device)
      } else {
        nil
      }
    self.init(
      id: target?.value ?? factory, name: name, isDefault: isDefault != 0,
      sinkDescription: target.map { "\(factory) \($0.property)=\(Self.quoted($0.value))" } ?? factory)
  }

  /// Quotes and escapes a value for a bin description where necessary; requires that GStreamer was started.
  static func quoted(_ text: String) -> String {
    var value = GValue()
    unsafe g_value_init(&value, cgst_type_string())
    defer { unsafe g_value_unset(&value) }
    unsafe g_value_set_string(&value, text)
    return unsafe GLib.take(gst_value_serialize(&value)) ?? text
  }
}
