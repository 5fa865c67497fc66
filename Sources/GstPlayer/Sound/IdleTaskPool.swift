import CGst
import Glibc

/// Makes the threads of a measurement run only when nothing else does.
///
/// GStreamer's own threads are shared between pipelines, and Linux does not let a thread without privileges leave the
/// lowest priority. Each task therefore gets a separate thread, which ends with it.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gsttaskpool.html>
struct IdleTaskPool: Sendable {
  private let pool: ObjectReference

  /// Makes a pool; nil if GLib cannot register its class.
  init?() {
    guard Self.type != 0, let object = unsafe g_object_new_with_properties(Self.type, 0, nil, nil),
      let pool = unsafe ObjectReference(taking: gst_object_ref_sink(object))
    else { return nil }
    self.pool = pool
  }

  /// The class; registered once, for the lifetime of the process.
  private static let type = unsafe g_type_register_static_simple(
    gst_task_pool_get_type(), "PlayerdIdleTaskPool", guint(MemoryLayout<GstTaskPoolClass>.size), initializeClass,
    guint(MemoryLayout<GstTaskPool>.size), nil, GTypeFlags(rawValue: 0))

  /// Takes over the task that a STREAM_STATUS message announces, if it is about to be started.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstmessage.html#GstStreamStatusType>
  func takeTask(of message: UnsafeMutablePointer<GstMessage>) {
    var (status, owner) = unsafe (GST_STREAM_STATUS_TYPE_CREATE, UnsafeMutablePointer<GstElement>?.none)
    unsafe gst_message_parse_stream_status(message, &status, &owner)
    guard status == GST_STREAM_STATUS_TYPE_CREATE, let value = unsafe gst_message_get_stream_status_object(message),
      unsafe cgst_value_holds(value, gst_task_get_type()) != 0, let task = unsafe g_value_get_object(value)
    else { return }
    unsafe gst_task_set_pool(UnsafeMutableRawPointer(task).assumingMemoryBound(to: GstTask.self), pool.pointer())
  }
}

/// A task's function and argument, as they are passed to its thread.
@safe private struct TaskStart {
  let function: GstTaskPoolFunction
  let data: UnsafeMutableRawPointer?
}

private func initializeClass(_ type: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
  guard let type = unsafe type?.assumingMemoryBound(to: GstTaskPoolClass.self) else { return }
  // The default implementation would make a pool of threads.
  unsafe type.pointee.prepare = { _, _ in }
  unsafe type.pointee.cleanup = { _ in }
  unsafe type.pointee.push = startTask
  unsafe type.pointee.join = { _, thread in
    _ = pthread_join(pthread_t(bitPattern: thread), nil)
  }
  unsafe type.pointee.dispose_handle = { _, thread in
    _ = pthread_detach(pthread_t(bitPattern: thread))
  }
}

/// Starts a task on a new thread; the result identifies the thread.
private func startTask(
  _ pool: UnsafeMutablePointer<GstTaskPool>?, _ function: GstTaskPoolFunction?, _ data: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> UnsafeMutableRawPointer? {
  guard let function = unsafe function else { return nil }
  let start = unsafe CallbackValue.data(TaskStart(function: function, data: data))
  var thread = pthread_t()
  guard unsafe pthread_create(&thread, nil, runTask, start) == 0 else {
    unsafe releaseCallbackData(start)
    unsafe error?.pointee = g_error_new_literal(
      gst_core_error_quark(), gint(GST_CORE_ERROR_THREAD.rawValue), "a thread cannot be started")
    return nil
  }
  return unsafe UnsafeMutableRawPointer(bitPattern: UInt(thread))
}

private func runTask(_ data: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let start = unsafe CallbackValue<TaskStart>.value(in: data) else { return nil }
  unsafe releaseCallbackData(data)
  lowerPriority()
  unsafe start.function(start.data)
  return nil
}

/// Gives the calling thread the lowest priority; its reads of the disk get the lowest one with it.
private func lowerPriority() {
  // <sched.h> declares SCHED_IDLE only for GNU sources.
  let schedIdle: Int32 = 5
  var parameter = sched_param()
  _ = unsafe pthread_setschedparam(pthread_self(), schedIdle, &parameter)
  // Where the policy is not permitted, this remains. 0 is the calling thread.
  _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
}
