import CGst
import Playback

/// Corrections of faults of single decoders, installed as a `uridecodebin` adds them.
enum DecodingFaults {
  /// Installs the corrections in a `uridecodebin` that has not been started; they last as long as the element.
  static func correct(in decoder: UnsafeMutablePointer<GstElement>) {
    unsafe cgst_connect_deep_element(decoder, "deep-element-added", elementAdded, nil, nil)
  }
}

/// `deep-element-added`: an element that has not been started.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBin::deep-element-added>
private func elementAdded(
  _ decoder: UnsafeMutablePointer<GstBin>?, _ parent: UnsafeMutablePointer<GstBin>?,
  _ element: UnsafeMutablePointer<GstElement>?, _ data: UnsafeMutableRawPointer?
) {
  guard let element = unsafe element else { return }
  if unsafe SelfDrivenDecoder.pullsData(element), let bin = unsafe cgst_element(parent) {
    unsafe SelfDrivenBus.insert(at: element, in: bin)
  }
  unsafe SelfDrivenDecoder.delayExposure(of: element)
  unsafe LockedDecoder.guardQueries(of: element)
  unsafe EstimatedDuration.hide(in: element)
}
