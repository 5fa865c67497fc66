import CGst
import Dispatch
import Synchronization

/// A clock for a real pipeline, whose time a test advances, and a sink that provides it.
///
/// The output waits at each buffer until the test releases it, so the work of the pipeline takes no time: the machine's
/// load does not change when something happens.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstclock.html>
final class LogicalClock: Sendable {
  private struct Wait {
    var time: UInt64
    let released: DispatchSemaphore
  }

  private struct State {
    /// The waits of the output, by the address of their entries.
    var waits: [UInt: Wait] = [:]
    /// The `GstClock`; nil until a pipeline requests it.
    var clock: UInt?
    /// The open sink, with a reference.
    var sink: UInt?
    /// The instant until which the sink cannot be opened, in nanoseconds.
    var downUntil: Int64 = 0
  }

  private let state = Mutex(State())
  private let time: @Sendable () -> Int64
  private let name: String

  /// Makes a clock with the time of `time` in nanoseconds.
  init(time: @escaping @Sendable () -> Int64) {
    self.time = time
    name = Self.all.withLock { all in
      all.count += 1
      return "logical-\(all.count)"
    }
    Self.all.withLock { all in all.byName[name] = self }
  }

  /// The description of a sink that provides the clock.
  var sink: String {
    LogicalTypes.register()
    return "logicalsink sync=true name=\(name)"
  }

  /// Releases every wait, now and later, so that the pipeline can be closed.
  func close() {
    let clock = Self.all.withLock { all in
      all.byName[name] = nil
      let clock = state.withLock { $0.clock }
      if let clock { all.byClock[clock] = nil }
      return clock
    }
    release(until: .max)
    let sink = state.withLock { state in
      defer { state.sink = nil }
      return state.sink
    }
    for address in [clock, sink] {
      if let address { unsafe gst_object_unref(UnsafeMutableRawPointer(bitPattern: address)) }
    }
  }

  // MARK: For the test

  /// Lets the output fail if it is open, and each attempt to open it up to an instant.
  func fail(until instant: Int64) {
    let sink = state.withLock { state in
      state.downUntil = max(state.downUntil, instant)
      return state.sink
    }
    guard let sink, let element = unsafe UnsafeMutablePointer<GstElement>(bitPattern: sink) else { return }
    unsafe Self.postFailure(of: element)
  }

  /// The time of the first wait, in nanoseconds; nil if the output does not wait.
  var firstWait: Int64? { state.withLock { $0.waits.values.map(\.time).min().map { Int64(clamping: $0) } } }

  /// Ends the waits up to a time.
  func release(until time: UInt64) {
    state.withLock { state in
      for (entry, wait) in state.waits where wait.time <= time {
        state.waits[entry] = nil
        wait.released.signal()
      }
    }
  }

  /// Whether the output can be opened.
  private var isDown: Bool { state.withLock { $0.downUntil } > time() }

  private static func postFailure(of sink: UnsafeMutablePointer<GstElement>) {
    unsafe gst_element_message_full(
      sink, GST_MESSAGE_ERROR, gst_resource_error_quark(), Int32(GST_RESOURCE_ERROR_OPEN_WRITE.rawValue),
      g_strdup("the output is gone"), nil, "LogicalClock.swift", "fail", 0)
  }

  /// Handles that a sink is to be opened: stores it; returns false if it cannot be opened, after an error.
  fileprivate static func opens(_ sink: UnsafeMutablePointer<GstElement>) -> Bool {
    guard let owner = unsafe owner(ofSink: sink) else { return true }
    if owner.isDown {
      unsafe postFailure(of: sink)
      return false
    }
    let new = unsafe UInt(bitPattern: gst_object_ref(sink))
    let old = owner.state.withLock { state in
      defer { state.sink = new }
      return state.sink
    }
    if let old { unsafe gst_object_unref(UnsafeMutableRawPointer(bitPattern: old)) }
    return true
  }

  /// Handles that a sink is closed.
  fileprivate static func closes(_ sink: UnsafeMutablePointer<GstElement>) {
    let old = unsafe owner(ofSink: sink)?.state.withLock { state in
      defer { state.sink = nil }
      return state.sink
    }
    if let old { unsafe gst_object_unref(UnsafeMutableRawPointer(bitPattern: old)) }
  }

  /// Returns the clock that belongs to a sink; nil if the test has closed it.
  private static func owner(ofSink sink: UnsafeMutablePointer<GstElement>) -> LogicalClock? {
    guard let text = unsafe gst_object_get_name(UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstObject.self))
    else { return nil }
    defer { unsafe g_free(text) }
    let name = unsafe String(cString: text)
    return all.withLock { $0.byName[name] }
  }

  // MARK: On streaming threads

  fileprivate var now: UInt64 { UInt64(time()) }

  fileprivate func wait(_ entry: UnsafeMutablePointer<GstClockEntry>) -> GstClockReturn {
    let released = DispatchSemaphore(value: 0)
    let isWaiting = state.withLock { state in
      guard unsafe entry.pointee.status != GST_CLOCK_UNSCHEDULED else { return false }
      unsafe entry.pointee.status = GST_CLOCK_OK
      state.waits[UInt(bitPattern: entry)] = unsafe Wait(time: UInt64(entry.pointee.time), released: released)
      return true
    }
    guard isWaiting else { return GST_CLOCK_UNSCHEDULED }
    released.wait()
    return state.withLock { _ in unsafe entry.pointee.status }
  }

  fileprivate func unschedule(_ entry: UnsafeMutablePointer<GstClockEntry>) {
    state.withLock { state in
      unsafe entry.pointee.status = GST_CLOCK_UNSCHEDULED
      state.waits.removeValue(forKey: UInt(bitPattern: entry))?.released.signal()
    }
  }

  // MARK: All clocks

  private struct All {
    var count = 0
    var byName: [String: LogicalClock] = [:]
    var byClock: [UInt: LogicalClock] = [:]
  }

  private static let all = Mutex(All())

  fileprivate static func of(_ clock: UnsafeMutablePointer<GstClock>?) -> LogicalClock? {
    let address = UInt(bitPattern: clock)
    return all.withLock { $0.byClock[address] }
  }

  /// Returns the clock of a sink with a reference; nil if the test has closed it.
  fileprivate static func clock(ofSink sink: UnsafeMutablePointer<GstElement>?) -> UnsafeMutablePointer<GstClock>? {
    guard let sink = unsafe sink, let owner = unsafe owner(ofSink: sink) else { return nil }
    let address: UInt? = all.withLock { all in
      let address = owner.state.withLock { state in
        if state.clock == nil { state.clock = LogicalTypes.makeClock() }
        return state.clock
      }
      if let address { all.byClock[address] = owner }
      return address
    }
    guard let address, let clock = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    return unsafe gst_object_ref(clock).assumingMemoryBound(to: GstClock.self)
  }
}

/// The two types that are registered with GObject: the clock, and the sink `logicalsink`.
private enum LogicalTypes {
  private static let types: (clock: GType, sink: GType)? = {
    gst_init(nil, nil)
    // The plug-in registers the type of the sink.
    guard let fake = unsafe gst_element_factory_make("fakesink", nil) else { return nil }
    unsafe gst_object_unref(gst_object_ref_sink(fake))
    let parent = unsafe g_type_from_name("GstFakeSink")
    var size = unsafe GTypeQuery()
    unsafe g_type_query(parent, &size)
    let clock = unsafe g_type_register_static_simple(
      gst_clock_get_type(), "PlayerdLogicalClock", guint(MemoryLayout<GstClockClass>.size), initializeClock,
      guint(MemoryLayout<GstClock>.size), nil, GTypeFlags(rawValue: 0))
    let sink = unsafe g_type_register_static_simple(
      parent, "PlayerdLogicalSink", size.class_size, initializeSinkClass, size.instance_size, initializeSink,
      GTypeFlags(rawValue: 0))
    unsafe gst_element_register(nil, "logicalsink", 0, sink)
    return (clock, sink)
  }()

  static func register() { _ = types }

  /// Returns the address of a new clock.
  static func makeClock() -> UInt? {
    guard let types, let object = unsafe g_object_new_with_properties(types.clock, 0, nil, nil) else { return nil }
    return unsafe UInt(bitPattern: gst_object_ref_sink(object))
  }
}

private func initializeClock(_ type: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
  guard let type = unsafe type?.assumingMemoryBound(to: GstClockClass.self) else { return }
  unsafe type.pointee.get_internal_time = { clock in unsafe LogicalClock.of(clock).map { GstClockTime($0.now) } ?? 0 }
  unsafe type.pointee.wait = { clock, entry, jitter in
    guard let entry = unsafe entry, let owner = unsafe LogicalClock.of(clock) else { return GST_CLOCK_UNSCHEDULED }
    unsafe jitter?.pointee = GstClockTimeDiff(owner.now) - GstClockTimeDiff(clamping: entry.pointee.time)
    return unsafe owner.wait(entry)
  }
  unsafe type.pointee.wait_async = { _, _ in GST_CLOCK_UNSUPPORTED }
  unsafe type.pointee.unschedule = { clock, entry in
    if let entry = unsafe entry { unsafe LogicalClock.of(clock)?.unschedule(entry) }
  }
}

private func initializeSinkClass(_ type: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
  guard let type = unsafe type?.assumingMemoryBound(to: GstElementClass.self) else { return }
  unsafe type.pointee.change_state = { sink, transition in
    guard let sink = unsafe sink,
      let own = unsafe sink.pointee.object.object.g_type_instance.g_class,
      let parent = unsafe g_type_class_peek_parent(own)?.assumingMemoryBound(to: GstElementClass.self)
    else { return GST_STATE_CHANGE_FAILURE }
    if transition == GST_STATE_CHANGE_NULL_TO_READY, unsafe !LogicalClock.opens(sink) {
      return GST_STATE_CHANGE_FAILURE
    }
    if transition == GST_STATE_CHANGE_READY_TO_NULL { unsafe LogicalClock.closes(sink) }
    return unsafe parent.pointee.change_state?(sink, transition) ?? GST_STATE_CHANGE_FAILURE
  }
  unsafe type.pointee.provide_clock = { unsafe LogicalClock.clock(ofSink: $0) }
}

private func initializeSink(_ instance: UnsafeMutablePointer<GTypeInstance>?, _ type: UnsafeMutableRawPointer?) {
  guard let object = unsafe UnsafeMutableRawPointer(instance)?.assumingMemoryBound(to: GstObject.self) else { return }
  unsafe object.pointee.flags |= GST_ELEMENT_FLAG_PROVIDE_CLOCK.rawValue
}
