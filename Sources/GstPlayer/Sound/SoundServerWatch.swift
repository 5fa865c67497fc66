import CPulse
import Dispatch
import Glibc
import Playback
import PlayerClock
import Synchronization

/// Observes the PulseAudio server, which may be PipeWire's: its devices, and the streams of this process.
///
/// It sleeps between events. `pulsesink` notices a change of its volume only when it writes the next samples, so never
/// while paused, and up to 1.3 s late while playing. The observer has a separate connection, which ends with the
/// server; the owner then makes another observer.
/// <https://freedesktop.org/software/pulseaudio/doxygen/subscribe.html>
final class SoundServerWatch: Sendable {
  enum Event: Sendable {
    /// The devices at the start of the observation, and whether they are PipeWire's.
    case listed([AudioOutput.ID], isPipeWire: Bool)
    /// A device was added.
    case added(AudioOutput.ID)
    /// Another device may be the default.
    case defaultChanged
    /// A device was removed.
    case removed(AudioOutput.ID)
    /// The port through which a device has played was unplugged; the name of the port is for users.
    case unplugged(AudioOutput.ID, port: String)
    /// A device was suspended, for example because another session has become active, so its streams stand.
    case suspended(AudioOutput.ID)
    /// A device is no longer suspended.
    case resumed(AudioOutput.ID)
    /// The connection to the server was lost.
    case ended
    /// A stream of this process has begun, or its volume or mute setting may have changed.
    case streamChanged
    /// The server has connected a stream of this process to a device, or has disconnected it: for a moment while it moves it, and as
    /// long as a stream lasts that is more important.
    case streamConnected(Bool)
  }

  /// A server that hangs blocks only the thread of this queue.
  private let queue = DispatchQueue(label: "GstPlayer.SoundServerWatch")
  private let connection = Mutex<ServerConnection?>(nil)

  /// Starts to observe the server that libpulse finds; without libpulse in the process, nothing is reported.
  ///
  /// The closures are called on the thread of the connection, and must not block.
  ///
  /// - Parameters:
  ///   - volume: Called with the volume of each device and after each change; nil to request none.
  ///   - report: Called with each event.
  init(
    volume: (@Sendable (AudioOutput.ID, Double) -> Void)? = nil, report: @escaping @Sendable (Event) -> Void
  ) {
    queue.async { [weak self] in
      guard let connection = ServerConnection(volume: volume, report: report) else { return }
      guard let self else { return connection.close() }
      self.connection.withLock { $0 = connection }
    }
  }

  deinit {
    if let connection = connection.withLock({ $0 }) { queue.async { connection.close() } }
  }
}

/// A connection to the server with its own thread.
private final class ServerConnection: Sendable {
  private struct Known {
    /// The devices, by their numbers.
    var devices: [UInt32: (name: AudioOutput.ID, isSuspended: Bool)] = [:]
    /// Their ports.
    var ports: [UInt32: DevicePorts] = [:]
    var areDevicesListed = false
    var isPipeWire = false
    /// The numbers of this process's streams, and whether each is connected to a device.
    var streams: [UInt32: Bool] = [:]
  }

  private let known = Mutex(Known())
  private let volume: (@Sendable (AudioOutput.ID, Double) -> Void)?
  private let report: @Sendable (SoundServerWatch.Event) -> Void
  /// The addresses of the event loop and of the context; only the loop's thread uses the context while the loop runs.
  private let loop: UInt
  private let context: UInt

  init?(
    volume: (@Sendable (AudioOutput.ID, Double) -> Void)?, report: @escaping @Sendable (SoundServerWatch.Event) -> Void
  ) {
    guard let loop = unsafe cpulse_threaded_mainloop_new() else { return nil }
    guard let context = unsafe cpulse_context_new(cpulse_threaded_mainloop_get_api(loop), "mixer events") else {
      unsafe cpulse_threaded_mainloop_free(loop)
      return nil
    }
    self.volume = volume
    self.report = report
    self.loop = UInt(bitPattern: loop)
    self.context = UInt(bitPattern: context)
    // Each callback is called by the loop, which is stopped before `close()` returns.
    let data = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe cpulse_context_set_state_callback(context, stateChanged, data)
    unsafe cpulse_context_set_subscribe_callback(context, changed, data)
    guard unsafe cpulse_context_connect(context) >= 0, unsafe cpulse_threaded_mainloop_start(loop) >= 0 else {
      close()
      return nil
    }
  }

  /// Ends the connection and its thread.
  func close() {
    guard let loop = unsafe OpaquePointer(bitPattern: loop), let context = unsafe OpaquePointer(bitPattern: context)
    else { return }
    unsafe cpulse_threaded_mainloop_stop(loop)
    unsafe cpulse_context_disconnect(context)
    unsafe cpulse_context_unref(context)
    unsafe cpulse_threaded_mainloop_free(loop)
  }

  // MARK: On the thread of the loop

  fileprivate func subscribe(_ context: OpaquePointer) {
    let data = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe cpulse_context_subscribe(
      context,
      pa_subscription_mask_t(
        PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
          | PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_CARD.rawValue))
    unsafe cpulse_context_get_sink_info_list(context, deviceFound, data)
    unsafe cpulse_context_get_sink_input_info_list(context, streamFound, data)
  }

  fileprivate func deviceChanged(_ change: UInt32, _ index: UInt32, _ context: OpaquePointer) {
    switch change {
    case PA_SUBSCRIPTION_EVENT_REMOVE.rawValue:
      let device = known.withLock { known in
        known.ports[index] = nil
        return known.devices.removeValue(forKey: index)
      }
      if let device { report(.removed(device.name)) }
    default:
      let data = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe cpulse_context_get_sink_info_by_index(context, index, deviceFound, data)
    }
  }

  /// Reads the devices again: a change of a port is reported for its card alone.
  fileprivate func cardChanged(_ context: OpaquePointer) {
    unsafe cpulse_context_get_sink_info_list(context, deviceFound, Unmanaged.passUnretained(self).toOpaque())
  }

  fileprivate func streamChanged(_ change: UInt32, _ index: UInt32, _ context: OpaquePointer) {
    switch change {
    case PA_SUBSCRIPTION_EVENT_REMOVE.rawValue: _ = known.withLock { $0.streams.removeValue(forKey: index) }
    default:
      guard change == PA_SUBSCRIPTION_EVENT_NEW.rawValue || known.withLock({ $0.streams[index] != nil }) else { return }
      let data = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe cpulse_context_get_sink_input_info(context, index, streamFound, data)
    }
  }

  /// Reads the streams that are not connected to a device: PipeWire does not report that a paused stream is connected again, only the
  /// changes of devices and other streams around that.
  fileprivate func readDisconnectedStreams(_ context: OpaquePointer) {
    let data = unsafe Unmanaged.passUnretained(self).toOpaque()
    for (index, isConnected) in known.withLock({ $0.streams }) where !isConnected {
      unsafe cpulse_context_get_sink_input_info(context, index, streamFound, data)
    }
  }

  fileprivate func found(device name: String, _ index: UInt32, driver: String?, volume: Double, isSuspended: Bool) {
    let event = known.withLock { known -> SoundServerWatch.Event? in
      if driver == "PipeWire" { known.isPipeWire = true }
      let old = known.devices.updateValue((name, isSuspended), forKey: index)
      if let old, old.isSuspended == isSuspended { return nil }
      if old != nil { return isSuspended ? .suspended(name) : .resumed(name) }
      return known.areDevicesListed ? .added(name) : nil
    }
    if let event { report(event) }
    self.volume?(name, volume)
  }

  fileprivate func found(ports: [DevicePorts.Port], selected: String?, of index: UInt32) {
    let event = known.withLock { known -> SoundServerWatch.Event? in
      guard let device = known.devices[index]?.name,
        let port = known.ports[index, default: DevicePorts()].update(ports, selected: selected, now: .now)
      else { return nil }
      return .unplugged(device, port: port.title)
    }
    if let event { report(event) }
  }

  fileprivate func defaultChanged() { report(.defaultChanged) }

  fileprivate func ended() { report(.ended) }

  /// Reports the devices at the end of the first list.
  fileprivate func devicesEnd() {
    let listed = known.withLock { known -> SoundServerWatch.Event? in
      defer { known.areDevicesListed = true }
      return known.areDevicesListed ? nil : .listed(known.devices.values.map(\.name), isPipeWire: known.isPipeWire)
    }
    if let listed { report(listed) }
  }

  fileprivate func found(stream index: UInt32, ofProcess process: String, isConnected: Bool) {
    guard process == String(getpid()) else { return }
    let old = known.withLock { $0.streams.updateValue(isConnected, forKey: index) }
    report(.streamChanged)
    if let old, old != isConnected { report(.streamConnected(isConnected)) }
  }

  fileprivate static func of(_ data: UnsafeMutableRawPointer?) -> ServerConnection? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<ServerConnection>.fromOpaque(data).takeUnretainedValue()
  }
}

// MARK: Callbacks

private func stateChanged(_ context: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  guard let context = unsafe context, let connection = unsafe ServerConnection.of(data) else { return }
  switch unsafe cpulse_context_get_state(context) {
  case PA_CONTEXT_READY: unsafe connection.subscribe(context)
  case PA_CONTEXT_FAILED: connection.ended()
  default: break
  }
}

private func changed(
  _ context: OpaquePointer?, _ type: pa_subscription_event_type_t, _ index: UInt32, _ data: UnsafeMutableRawPointer?
) {
  guard let context = unsafe context, let connection = unsafe ServerConnection.of(data) else { return }
  let change = type.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
  switch type.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue {
  case PA_SUBSCRIPTION_EVENT_SINK.rawValue: unsafe connection.deviceChanged(change, index, context)
  case PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue: unsafe connection.streamChanged(change, index, context)
  case PA_SUBSCRIPTION_EVENT_SERVER.rawValue: connection.defaultChanged()
  case PA_SUBSCRIPTION_EVENT_CARD.rawValue: unsafe connection.cardChanged(context)
  default: break
  }
  unsafe connection.readDisconnectedStreams(context)
}

private func deviceFound(
  _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?
) {
  guard let connection = unsafe ServerConnection.of(data) else { return }
  guard end == 0, let info = unsafe info else { return connection.devicesEnd() }
  guard let name = unsafe info.pointee.name.map({ unsafe String(cString: $0) }) else { return }
  connection.found(
    device: name, unsafe info.pointee.index, driver: unsafe info.pointee.driver.map { unsafe String(cString: $0) },
    volume: unsafe cpulse_sink_volume(info),
    isSuspended: unsafe info.pointee.state == PA_SINK_SUSPENDED)
  let ports = unsafe UnsafeBufferPointer(start: info.pointee.ports, count: Int(info.pointee.n_ports))
  connection.found(
    ports: unsafe ports.compactMap { unsafe $0.flatMap { unsafe DevicePorts.Port($0.pointee) } },
    selected: unsafe info.pointee.active_port.flatMap { unsafe $0.pointee.name }.map { unsafe String(cString: $0) },
    of: unsafe info.pointee.index)
}

extension DevicePorts.Port {
  fileprivate init?(_ port: pa_sink_port_info) {
    guard let name = unsafe port.name.map({ unsafe String(cString: $0) }) else { return nil }
    self.name = name
    title = unsafe port.description.map { unsafe String(cString: $0) } ?? name
    kind =
      switch unsafe pa_device_port_type_t(port.type) {
      case PA_DEVICE_PORT_TYPE_HEADPHONES, PA_DEVICE_PORT_TYPE_HEADSET: .headphones
      case PA_DEVICE_PORT_TYPE_SPEAKER: .speaker
      default: .other
      }
    availability =
      switch unsafe pa_port_available_t(UInt32(bitPattern: port.available)) {
      case PA_PORT_AVAILABLE_YES: .plugged
      case PA_PORT_AVAILABLE_NO: .unplugged
      default: .unknown
      }
  }
}

private func streamFound(
  _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_input_info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?
) {
  guard end == 0, let info = unsafe info, let connection = unsafe ServerConnection.of(data),
    let process = unsafe cpulse_proplist_gets(info.pointee.proplist, PA_PROP_APPLICATION_PROCESS_ID)
  else { return }
  connection.found(
    stream: unsafe info.pointee.index, ofProcess: unsafe String(cString: process),
    isConnected: unsafe info.pointee.sink != UInt32.max)
}
