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
  /// A started provider, its bus, and the handler of the messages.
  private typealias Connection = (provider: ObjectReference, bus: ObjectReference, handler: gulong)

  /// A sound server that hangs blocks only the thread of this queue.
  private let queue = DispatchQueue(label: "GstPlayer.AudioOutputWatch")
  private let connection = Mutex<Connection?>(nil)

  /// Starts to observe the devices.
  ///
  /// - Parameters:
  ///   - listed: Receives the IDs of all devices at the start, on the thread of the observer.
  ///   - removed: Receives the ID of each removed device, on GStreamer's threads.
  init(listed: @escaping @Sendable ([AudioOutput.ID]) -> Void, removed: @escaping @Sendable (AudioOutput.ID) -> Void) {
    queue.async { [weak self] in
      guard let connection = Self.start(listed, removed) else { return }
      guard let self else { return Self.stop(connection) }
      self.connection.withLock { $0 = connection }
    }
  }

  deinit {
    if let connection = connection.withLock({ $0 }) { queue.async { Self.stop(connection) } }
  }

  private static func start(
    _ listed: ([AudioOutput.ID]) -> Void, _ removed: @escaping @Sendable (AudioOutput.ID) -> Void
  ) -> Connection? {
    guard let provider = unsafe ObjectReference(taking: AudioOutputProbe.pulseProvider()),
      let bus = unsafe ObjectReference(taking: gst_device_provider_get_bus(provider.pointer()))
    else { return nil }
    // The provider and its bus are shared in the process. A signal handler is used because a bus has only one sync
    // handler.
    unsafe gst_bus_enable_sync_message_emission(bus.pointer())
    let handler = unsafe Signal.connect("sync-message::device-removed", of: bus.object) { values, _ in
      var device: UnsafeMutablePointer<GstDevice>?
      unsafe gst_message_parse_device_removed(Signal.pointer(values + 1, to: GstMessage.self), &device)
      if let device = unsafe device, let output = unsafe AudioOutput(taking: device) { removed(output.id) }
    }
    guard unsafe gst_device_provider_start(provider.pointer()) != 0 else {
      disconnect(handler, of: bus)
      return nil
    }
    listed(unsafe AudioOutputProbe.outputs(of: provider.pointer()).map(\.id))
    return (provider, bus, handler)
  }

  private static func stop(_ connection: Connection) {
    disconnect(connection.handler, of: connection.bus)
    unsafe gst_device_provider_stop(connection.provider.pointer())
  }

  private static func disconnect(_ handler: gulong, of bus: ObjectReference) {
    unsafe g_signal_handler_disconnect(bus.object, handler)
    unsafe gst_bus_disable_sync_message_emission(bus.pointer())
  }
}
