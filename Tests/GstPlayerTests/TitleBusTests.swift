import CGst
import Testing

@testable import GstPlayer

/// Tests of the errors that PulseAudio's sink posts for a title.
struct TitleBusTests {
  @Test(
    "An error about a title fails no change of state of the bins; each other error does",
    arguments: [("pa_stream_set_name() failed: Bad state", true), ("pa_stream_connect_playback() failed", false)])
  func errors(text: String, isDropped: Bool) throws {
    try GStreamer.initialize()
    guard let bin = unsafe cgst_element(gst_bin_new(nil)), let inside = unsafe cgst_bin(bin),
      let sink = unsafe gst_element_factory_make("fakesink", nil)
    else {
      Issue.record("the elements cannot be made")
      return
    }
    defer { unsafe gst_object_unref(bin) }
    unsafe gst_bin_add(inside, sink)
    unsafe TitleBus.insert(at: sink, in: inside)
    let error = unsafe g_error_new_literal(gst_resource_error_quark(), gint(GST_RESOURCE_ERROR_FAILED.rawValue), text)
    defer { unsafe g_error_free(error) }
    unsafe withUnsafeMutablePointer(to: &sink.pointee.object) { source in
      _ = unsafe gst_element_post_message(sink, gst_message_new_error(source, error, nil))
    }
    let hasFailed = unsafe bin.pointee.last_return == GST_STATE_CHANGE_FAILURE
    #expect(hasFailed == !isDropped)
  }
}
