import CGst
import Dispatch

/// Stops the input-selectors that playbin has removed.
///
/// playbin stops and removes the selector of a failed successor on a streaming thread. A state change of the playbin at
/// that moment starts the selector again, and may own its last reference. GStreamer 1.22 would then free a running
/// element, whose pads keep a pointer to the freed parent.
///
/// It can go when playbin stops a removed selector after the last state change of the playbin that includes it.
enum RemovedSelector {
  /// Stops every selector that `bin` removes, on the executor that also changes the state of `bin`, between these
  /// changes.
  static func stopAll(of bin: UnsafeMutablePointer<GstElement>, on executor: PipelineExecutor) {
    unsafe Signal.deepElement("deep-element-removed", of: bin) { element, _ in
      guard unsafe GLib.borrow(cgst_factory_name(element)) == "input-selector" else { return }
      let selector = unsafe ObjectReference(element)
      executor.queue.async { unsafe gst_element_set_state(selector.pointer(), GST_STATE_NULL) }
    }
  }
}
