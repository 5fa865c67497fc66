import CGst
import Dispatch
import Playback
import Synchronization

/// An observer of the PulseAudio server's devices: it reports all devices at its start, and each removal after that.
///
/// It sleeps between events. Only `pulsesink` reports the device that it plays on, so other providers are not observed;
/// PipeWire 1.4's provider crashes when its server ends. When the server ends, no removal is reported; the owner then
/// makes another observer.
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstdeviceprovider.html>
final class AudioOutputWatch: Sendable {
  typealias Removal = @Sendable (AudioOutput.ID) -> Void
  /// The address of a started provider, with one reference, and the handler of its messages.
  private typealias Connection = (provider: UInt, handler: gulong)

  /// A sound server that hangs blocks only the thread of this queue.
  private let queue = DispatchQueue(label: "GstPlayer.AudioOutputWatch")
  private let connection = Mutex<Connection?>(nil)

  /// Starts to observe the devices.
  ///
  /// - Parameters:
  ///   - listed: Receives the IDs of all devices at the start, on the thread of the observer.
  ///   - removed: Receives the ID of each removed device, on GStreamer's threads.
  init(listed: @escaping @Sendable ([AudioOutput.ID]) -> Void, removed: @escaping Removal) {
    queue.async { [weak self] in
      guard let connection = Self.start(listed, removed) else { return }
      guard let self else { return Self.stop(connection) }
      self.connection.withLock { $0 = connection }
    }
  }

  deinit {
    if let connection = connection.withLock({ $0 }) { queue.async { Self.stop(connection) } }
  }

  private static func start(_ listed: ([AudioOutput.ID]) -> Void, _ removed: @escaping Removal) -> Connection? {
    guard let provider = unsafe AudioOutputProbe.pulseProvider() else { return nil }
    guard let bus = unsafe gst_device_provider_get_bus(provider) else {
      unsafe gst_object_unref(provider)
      return nil
    }
    defer { unsafe gst_object_unref(bus) }
    // The provider and its bus are shared in the process. A signal handler is used because a bus has only one sync
    // handler.
    unsafe gst_bus_enable_sync_message_emission(bus)
    let handler = unsafe cgst_connect_message(
      bus, "sync-message::device-removed", deviceRemoved, CallbackValue<Removal>.data(removed), releaseClosureData)
    guard unsafe gst_device_provider_start(provider) != 0 else {
      unsafe disconnect(handler, of: bus)
      unsafe gst_object_unref(provider)
      return nil
    }
    listed(unsafe AudioOutputProbe.outputs(of: provider).map(\.id))
    return (UInt(bitPattern: provider), handler)
  }

  private static func stop(_ connection: Connection) {
    guard let provider = unsafe UnsafeMutablePointer<GstDeviceProvider>(bitPattern: connection.provider) else { return }
    if let bus = unsafe gst_device_provider_get_bus(provider) {
      unsafe disconnect(connection.handler, of: bus)
      unsafe gst_object_unref(bus)
    }
    unsafe gst_device_provider_stop(provider)
    unsafe gst_object_unref(provider)
  }

  private static func disconnect(_ handler: gulong, of bus: UnsafeMutablePointer<GstBus>) {
    unsafe g_signal_handler_disconnect(bus, handler)
    unsafe gst_bus_disable_sync_message_emission(bus)
  }
}

/// Reports a removal, on the thread of the provider.
private func deviceRemoved(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) {
  guard let message = unsafe message else { return }
  var device: UnsafeMutablePointer<GstDevice>?
  unsafe gst_message_parse_device_removed(message, &device)
  if let device = unsafe device, let output = unsafe AudioOutput(taking: device) {
    unsafe CallbackValue<AudioOutputWatch.Removal>.value(in: data)?(output.id)
  }
}
