import CGst
import Playback
import Synchronization

/// The bus of a successor's decoder, which hides an early failure from the playbin.
///
/// A bin aborts its state change at an error of any child, so a pipeline that prerolls, pauses or resumes at that
/// moment would never complete. The first error of a successor that has not reached the output is reported, and all
/// later messages of its decoder are dropped. All other messages go to the playbin.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbus.html#gst_bus_set_sync_handler>
@safe final class SuccessorBus: CallbackContext {
  private let stream: StreamToken
  private let context: PipelineContext
  /// The playbin's bus for its children.
  private let parent: UnsafeMutablePointer<GstBus>
  private let hasFailed = Atomic<Bool>(false)

  private init(_ stream: StreamToken, _ context: PipelineContext, taking parent: UnsafeMutablePointer<GstBus>) {
    self.stream = stream
    self.context = context
    unsafe self.parent = parent
  }

  deinit { unsafe gst_object_unref(parent) }

  /// Installs such a bus between a decoder and its playbin; it is released when the playbin removes the decoder.
  static func install(
    on decoder: UnsafeMutablePointer<GstElement>, of stream: StreamToken, _ context: PipelineContext
  ) {
    guard let parent = unsafe gst_element_get_bus(decoder) else { return }
    let owner = unsafe SuccessorBus(stream, context, taking: parent)
    guard let bus = unsafe gst_bus_new() else { return }
    unsafe gst_bus_set_sync_handler(bus, passSuccessorMessage, owner.callbackData, releaseCallbackData)
    unsafe gst_element_set_bus(decoder, bus)
    unsafe gst_object_unref(bus)
  }

  /// Forwards or drops a message; takes ownership of the reference.
  fileprivate func pass(_ message: UnsafeMutablePointer<GstMessage>) {
    if hasFailed.load(ordering: .acquiring) {
      unsafe gst_message_unref(message)
    } else if context.gate.isUpcoming(stream), let failure = unsafe Failure(message) {
      hasFailed.store(true, ordering: .releasing)
      unsafe gst_message_unref(message)
      context.noteFailure()
      context.isolateFailedDecoder(of: stream)
      context.deliver(.event(.failed(stream, failure.playerError)))
    } else {
      unsafe gst_bus_post(parent, message)
    }
  }
}

private func passSuccessorMessage(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
  guard let message = unsafe message, let owner = unsafe SuccessorBus.borrow(data) else { return GST_BUS_PASS }
  unsafe owner.pass(message)
  return GST_BUS_DROP
}
