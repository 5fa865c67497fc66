import CGst
import Dispatch
import Synchronization

/// Tells which output devices there are when it begins, and each that goes away later; it sleeps in between.
///
/// A sound server that ends takes nothing away: its watch is of no use any more, and another one is to be made.
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstdevicemonitor.html>
final class AudioOutputWatch: Sendable {
  /// What is told; on threads of GStreamer's or the watch's own.
  struct Reports: Sendable {
    /// The ids of all devices, when the watch has begun.
    var listed: @Sendable ([AudioOutput.ID]) -> Void
    var removed: @Sendable (AudioOutput.ID) -> Void
  }

  /// A sound server that hangs keeps this queue's thread, and nobody else.
  private let queue = DispatchQueue(label: "GstPlayer.AudioOutputWatch")
  /// The address of the monitor, to which a reference is held.
  private let monitor = Mutex<UInt>(0)

  init(_ reports: Reports) {
    let receiver = Receiver(reports)
    queue.async { [weak self] in
      guard let monitor = Self.start(receiver) else { return }
      let isKept = self?.keep(monitor) != nil
      if !isKept { Self.stop(monitor) }
    }
  }

  deinit {
    let address = monitor.withLock { $0 }
    if address != 0 { queue.async { Self.stop(address) } }
  }

  private func keep(_ address: UInt) { monitor.withLock { $0 = address } }

  private static func start(_ receiver: Receiver) -> UInt? {
    guard let monitor = unsafe gst_device_monitor_new() else { return nil }
    unsafe gst_device_monitor_add_filter(monitor, "Audio/Sink", nil)
    if let bus = unsafe gst_device_monitor_get_bus(monitor) {
      unsafe gst_bus_set_sync_handler(
        bus, deviceChanged, Unmanaged.passRetained(receiver).toOpaque()
      ) { data in
        if let data = unsafe data { unsafe Unmanaged<Receiver>.fromOpaque(data).release() }
      }
      unsafe gst_object_unref(bus)
    }
    guard unsafe gst_device_monitor_start(monitor) != 0 else {
      unsafe gst_object_unref(monitor)
      return nil
    }
    receiver.reports.listed(unsafe AudioOutputProbe.devices(of: monitor).map(\.id))
    return UInt(bitPattern: monitor)
  }

  private static func stop(_ address: UInt) {
    guard let monitor = unsafe UnsafeMutablePointer<GstDeviceMonitor>(bitPattern: address) else { return }
    unsafe gst_device_monitor_stop(monitor)
    unsafe gst_object_unref(monitor)
  }

  fileprivate final class Receiver: Sendable {
    let reports: Reports
    init(_ reports: Reports) { self.reports = reports }
  }
}

/// A message of the monitor's, on the thread of whoever looks after the devices.
private func deviceChanged(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
  guard let message = unsafe message, let data = unsafe data else { return GST_BUS_PASS }
  defer { unsafe gst_message_unref(message) }
  guard unsafe cgst_message_type(message) == GST_MESSAGE_DEVICE_REMOVED else { return GST_BUS_DROP }
  var device: UnsafeMutablePointer<GstDevice>?
  unsafe gst_message_parse_device_removed(message, &device)
  if let device = unsafe device, let output = unsafe AudioOutput(taking: device) {
    unsafe Unmanaged<AudioOutputWatch.Receiver>.fromOpaque(data).takeUnretainedValue().reports.removed(output.id)
  }
  return GST_BUS_DROP
}
