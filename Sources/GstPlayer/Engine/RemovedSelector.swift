import CGst
import Dispatch

/// An input-selector that playbin has removed; the deinitializer stops it.
///
/// playbin stops and removes the selector of a failed successor on a streaming thread. A state change of the playbin at
/// that moment starts the selector again, and may own its last reference. GStreamer 1.22 would then free a running
/// element, whose pads keep a pointer to the freed parent.
@safe final class RemovedSelector: Sendable {
  private let address: UInt

  private init(retaining element: UnsafeMutablePointer<GstElement>) {
    address = UInt(bitPattern: unsafe gst_object_ref(element))
  }

  deinit {
    guard let element = unsafe UnsafeMutablePointer<GstElement>(bitPattern: address) else { return }
    unsafe gst_element_set_state(element, GST_STATE_NULL)
    unsafe gst_object_unref(element)
  }

  /// Stops every selector that `bin` removes, on the executor that also changes the state of `bin`, between these
  /// changes.
  static func stopAll(of bin: UnsafeMutablePointer<GstElement>, on executor: PipelineExecutor) {
    unsafe cgst_connect_deep_element(
      bin, "deep-element-removed", elementRemoved, executor.callbackData, releaseClosureData)
  }

  fileprivate static func stop(_ element: UnsafeMutablePointer<GstElement>, on executor: PipelineExecutor) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "input-selector" else { return }
    let selector = unsafe RemovedSelector(retaining: element)
    executor.queue.async { withExtendedLifetime(selector) {} }
  }
}

/// Handles `deep-element-removed`.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBin::deep-element-removed>
private func elementRemoved(
  _ bin: UnsafeMutablePointer<GstBin>?, _ parent: UnsafeMutablePointer<GstBin>?,
  _ element: UnsafeMutablePointer<GstElement>?, _ data: UnsafeMutableRawPointer?
) {
  guard let element = unsafe element, let executor = unsafe PipelineExecutor.borrow(data) else { return }
  unsafe RemovedSelector.stop(element, on: executor)
}
