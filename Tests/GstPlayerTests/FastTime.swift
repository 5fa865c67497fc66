import CGst
import Dispatch
import EngineProcess
import PlayerClock
import Synchronization

@testable import GstPlayer
@testable import Playback

/// A time for a player and its output that passes faster than the real one.
///
/// Nothing else differs: GStreamer reads, prerolls and renders every sample at its instant of this time.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstclock.html>
enum FastTime {
  /// The seconds of this time in a real second.
  static let factor: Int64 = 4

  /// The description of an element that passes audio on, and provides the clock of its pipeline.
  static var element: String {
    _ = FastTypes.registered
    return "fasttime"
  }

  static var now: MonotonicTime { MonotonicTime(nanoseconds: MonotonicTime.now.nanoseconds * factor) }

  /// Returns the instant of `CLOCK_MONOTONIC` at which an instant of this time is reached.
  static func real(_ instant: MonotonicTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: instant.nanoseconds / factor + 1)
  }

  /// Makes an engine in this time.
  static func engine(_ configuration: Player.Configuration) -> DeckEngine {
    DeckEngine(configuration: configuration) { _ in FastPlaybackClock() }
  }

  /// Makes a player in this time.
  static func player(_ configuration: Player.Configuration) -> Player {
    var configuration = configuration
    configuration.audioSink = "\(element) ! \(configuration.audioSink ?? "fakesink sync=true")"
    return Player(
      configuration: configuration, engine: engine(configuration), clock: FastPlaybackClock(),
      observers: ObserverQueue())
  }
}

/// The clock of a player in ``FastTime``.
private final class FastPlaybackClock: PlaybackClock {
  private let timer = WakeTimer(queue: DispatchClock.queue)

  var now: MonotonicTime { FastTime.now }
  func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) {
    timer.set(instant.map(FastTime.real), body)
  }
  func run(_ body: @escaping @Sendable () -> Void) { DispatchClock.queue.async { body() } }
}

/// The waits of outputs for the clock, by the address of their entries.
private let waits = Mutex<[UInt: DispatchSemaphore]>([:])

/// The two types that are registered with GObject: the clock, and the element `fasttime`.
private enum FastTypes {
  /// The address of the clock, which all pipelines share; nil if GStreamer has no `identity`.
  static let registered: UInt? = {
    gst_init(nil, nil)
    // The plug-in registers the type of the element.
    guard let identity = unsafe gst_element_factory_make("identity", nil) else { return nil }
    unsafe gst_object_unref(gst_object_ref_sink(identity))
    let parent = unsafe g_type_from_name("GstIdentity")
    var size = unsafe GTypeQuery()
    unsafe g_type_query(parent, &size)
    let element = unsafe g_type_register_static_simple(
      parent, "PlayerdFastTime", size.class_size, initializeElementClass, size.instance_size, initializeElement,
      GTypeFlags(rawValue: 0))
    unsafe gst_element_register(nil, "fasttime", 0, element)
    let clock = unsafe g_type_register_static_simple(
      gst_clock_get_type(), "PlayerdFastClock", guint(MemoryLayout<GstClockClass>.size), initializeClock,
      guint(MemoryLayout<GstClock>.size), nil, GTypeFlags(rawValue: 0))
    guard let object = unsafe g_object_new_with_properties(clock, 0, nil, nil) else { return nil }
    return unsafe UInt(bitPattern: gst_object_ref_sink(object))
  }()
}

private func initializeClock(_ type: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
  guard let type = unsafe type?.assumingMemoryBound(to: GstClockClass.self) else { return }
  unsafe type.pointee.get_internal_time = { _ in GstClockTime(FastTime.now.nanoseconds) }
  unsafe type.pointee.wait = { _, entry, jitter in
    guard let entry = unsafe entry else { return GST_CLOCK_UNSCHEDULED }
    return unsafe wait(entry, jitter)
  }
  unsafe type.pointee.wait_async = { _, _ in GST_CLOCK_UNSUPPORTED }
  unsafe type.pointee.unschedule = { _, entry in
    guard let entry = unsafe entry else { return }
    waits.withLock { waits in
      unsafe entry.pointee.status = GST_CLOCK_UNSCHEDULED
      waits.removeValue(forKey: UInt(bitPattern: entry))?.signal()
    }
  }
}

private func wait(
  _ entry: UnsafeMutablePointer<GstClockEntry>, _ jitter: UnsafeMutablePointer<GstClockTimeDiff>?
) -> GstClockReturn {
  let instant = MonotonicTime(nanoseconds: Int64(clamping: unsafe entry.pointee.time))
  let early = instant.nanoseconds - FastTime.now.nanoseconds
  unsafe jitter?.pointee = GstClockTimeDiff(-early)
  let unscheduled = DispatchSemaphore(value: 0)
  let address = UInt(bitPattern: entry)
  let status = waits.withLock { waits in
    guard unsafe entry.pointee.status != GST_CLOCK_UNSCHEDULED else { return GST_CLOCK_UNSCHEDULED }
    unsafe entry.pointee.status = early > 0 ? GST_CLOCK_OK : GST_CLOCK_EARLY
    if early > 0 { waits[address] = unscheduled }
    return unsafe entry.pointee.status
  }
  guard status == GST_CLOCK_OK else { return status }
  _ = unscheduled.wait(timeout: DispatchTime(uptimeNanoseconds: UInt64(FastTime.real(instant).nanoseconds)))
  return waits.withLock { waits in
    waits[address] = nil
    return unsafe entry.pointee.status
  }
}

private func initializeElementClass(_ type: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
  guard let type = unsafe type?.assumingMemoryBound(to: GstElementClass.self) else { return }
  unsafe type.pointee.provide_clock = { _ in
    guard let clock = unsafe FastTypes.registered.flatMap({ unsafe UnsafeMutableRawPointer(bitPattern: $0) }) else {
      return nil
    }
    return unsafe gst_object_ref(clock).assumingMemoryBound(to: GstClock.self)
  }
}

private func initializeElement(_ instance: UnsafeMutablePointer<GTypeInstance>?, _ type: UnsafeMutableRawPointer?) {
  guard let object = unsafe UnsafeMutableRawPointer(instance)?.assumingMemoryBound(to: GstObject.self) else { return }
  unsafe object.pointee.flags |= GST_ELEMENT_FLAG_PROVIDE_CLOCK.rawValue
}
