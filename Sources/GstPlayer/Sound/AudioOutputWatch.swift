import CGst
import Dispatch
import Playback
import Synchronization

/// Reports the devices of the PulseAudio protocol's server at its start, and each device that is removed later.
///
/// It sleeps in between. Only `pulsesink` names the device that it plays on, so no other provider is watched: that of
/// PipeWire 1.4 crashes when its server ends. When the server ends, no device is removed; the owner
/// then makes another watch.
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstdeviceprovider.html>
final class AudioOutputWatch: Sendable {
  /// What is told; on threads of GStreamer's or the watch's own.
  struct Reports: Sendable {
    /// The ids of all devices, when the watch has begun.
    var listed: @Sendable ([AudioOutput.ID]) -> Void
    var removed: @Sendable (AudioOutput.ID) -> Void
  }

  /// A sound server that hangs keeps this queue's thread, and nobody else.
  private let queue = DispatchQueue(label: "GstPlayer.AudioOutputWatch")
  /// A provider that was started, and the handler of its messages.
  private struct Connection: Sendable {
    /// The address of the provider, to which a reference is held.
    let provider: UInt
    let handler: gulong
  }

  private let connection = Mutex<Connection?>(nil)

  init(_ reports: Reports) {
    let receiver = Receiver(reports)
    queue.async { [weak self] in
      guard let connection = Self.start(receiver) else { return }
      let isKept = self?.keep(connection) != nil
      if !isKept { Self.stop(connection) }
    }
  }

  deinit {
    if let connection = connection.withLock({ $0 }) { queue.async { Self.stop(connection) } }
  }

  private func keep(_ started: Connection) { connection.withLock { $0 = started } }

  private static func start(_ receiver: Receiver) -> Connection? {
    guard let provider = unsafe AudioOutputProbe.pulseProvider() else { return nil }
    guard let bus = unsafe gst_device_provider_get_bus(provider) else {
      unsafe gst_object_unref(provider)
      return nil
    }
    defer { unsafe gst_object_unref(bus) }
    // Others use the provider and its bus, too, so a signal takes the messages and no handler of the bus's own.
    unsafe gst_bus_enable_sync_message_emission(bus)
    let handler = unsafe cgst_connect_message(
      bus, "sync-message::device-removed", deviceRemoved, receiver.callbackData, releaseClosureData)
    guard unsafe gst_device_provider_start(provider) != 0 else {
      unsafe disconnect(handler, of: bus)
      unsafe gst_object_unref(provider)
      return nil
    }
    receiver.reports.listed(unsafe AudioOutputProbe.outputs(of: provider).map(\.id))
    return Connection(provider: UInt(bitPattern: provider), handler: handler)
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

  fileprivate final class Receiver: CallbackContext, Sendable {
    let reports: Reports
    init(_ reports: Reports) { self.reports = reports }
  }
}

/// Reports a removal, on the thread of the provider.
private func deviceRemoved(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) {
  guard let message = unsafe message, let receiver = unsafe AudioOutputWatch.Receiver.borrow(data) else { return }
  var device: UnsafeMutablePointer<GstDevice>?
  unsafe gst_message_parse_device_removed(message, &device)
  if let device = unsafe device, let output = unsafe AudioOutput(taking: device) {
    receiver.reports.removed(output.id)
  }
}
