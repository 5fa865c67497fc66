import CGst
import Playback

/// The bus of a successor's decoder, which hides an early failure from the playbin.
///
/// A bin aborts its state change at an error of any child, so a pipeline that prerolls, pauses or resumes at that
/// moment would never complete. The first error of a successor that has not reached the output is reported, and all
/// later messages of its decoder are dropped. All other messages go to the playbin.
enum SuccessorBus {
  /// Inserts a bus between a decoder and the playbin that it was just added to.
  static func insert(
    at decoder: UnsafeMutablePointer<GstElement>, in playbin: UnsafeMutablePointer<GstBin>, of stream: StreamToken,
    _ context: PipelineContext
  ) {
    let failed = Latch()
    unsafe BusHandler.insert(at: decoder, in: playbin) { message, outer in
      if failed.isSet { return nil }
      guard context.gate.isUpcoming(stream), let failure = unsafe Failure(message) else { return unsafe outer }
      failed.set()
      context.noteFailure()
      context.isolateFailedDecoder(of: stream)
      context.deliver(.event(.failed(stream, failure.playerError)))
      return nil
    }
  }
}
