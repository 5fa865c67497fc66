import CGst

/// The workarounds for faults of single elements, installed when a `uridecodebin` adds them.
enum DecodingFaults {
  /// Installs the workarounds in a `uridecodebin` that has not been started; they last for the lifetime of the element.
  static func correct(in decoder: UnsafeMutablePointer<GstElement>) {
    unsafe cgst_connect_deep_element(decoder, "deep-element-added", elementAdded, nil, nil)
  }
}

/// Handles `deep-element-added`: the element has not been started yet.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBin::deep-element-added>
private func elementAdded(
  _ decoder: UnsafeMutablePointer<GstBin>?, _ parent: UnsafeMutablePointer<GstBin>?,
  _ element: UnsafeMutablePointer<GstElement>?, _ data: UnsafeMutableRawPointer?
) {
  guard let element = unsafe element else { return }
  if let bin = unsafe cgst_element(parent) {
    if unsafe SelfDrivenDecoder.pullsData(element) { unsafe SelfDrivenBus.insert(at: element, in: bin) }
  }
  unsafe HTTPSession.separate(element)
  unsafe SelfDrivenDecoder.delayExposure(of: element)
  unsafe LockedDecoder.guardQueries(of: element)
  unsafe EstimatedDuration.hide(in: element)
}
