import CGst

/// The bus of a successor's decoder, which hides an early failure from the playbin.
///
/// A bin of GStreamer 1.22 aborts its state change at an error of any child, so a pipeline that prerolls, pauses or
/// resumes at that moment would never complete. The first error of a successor that has not reached the output is
/// reported, and all later messages of its decoder are dropped. All other messages go to the playbin.
///
/// It can go when an error of a successor does not abort the state changes of the playbin.
enum SuccessorBus {
  /// Inserts a bus between a decoder and the playbin that it was just added to.
  ///
  /// `isUpcoming` returns whether the successor has not reached the output; `failed` receives its first error.
  static func insert(
    at decoder: UnsafeMutablePointer<GstElement>, in playbin: UnsafeMutablePointer<GstBin>,
    isUpcoming: @escaping @Sendable () -> Bool, failed report: @escaping @Sendable (Failure) -> Void
  ) {
    let failed = Latch()
    unsafe BusHandler.insert(at: decoder, in: playbin) { message, outer in
      if failed.isSet { return nil }
      guard isUpcoming(), let failure = unsafe Failure(message) else { return unsafe outer }
      failed.set()
      report(failure)
      return nil
    }
  }
}
