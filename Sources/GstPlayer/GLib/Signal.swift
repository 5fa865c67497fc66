import CGst

/// The signals whose handlers are closures, which the emitting object retains.
///
/// <https://docs.gtk.org/gobject/func.signal_connect_data.html>
enum Signal {
  typealias Handler = @Sendable (UnsafeMutablePointer<GstElement>) -> Void
  typealias PadHandler =
    @Sendable (_ element: UnsafeMutablePointer<GstElement>, _ pad: UnsafeMutablePointer<GstPad>) -> Void
  typealias DeepElementHandler =
    @Sendable (_ element: UnsafeMutablePointer<GstElement>, _ parent: UnsafeMutablePointer<GstBin>) -> Void

  /// Calls `handler` with the element for each emission of a signal without arguments; if `isLast`, after the handlers
  /// that are connected without it.
  static func emitted(
    _ signal: String, by element: UnsafeMutablePointer<GstElement>, isLast: Bool = false, _ handler: @escaping Handler
  ) {
    let call: cgst_element_callback = { element, data in
      if let element = unsafe element { unsafe CallbackValue<Handler>.value(in: data)?(element) }
    }
    let connect = unsafe isLast ? cgst_connect_element_after : cgst_connect_element
    _ = unsafe connect(element, signal, call, CallbackValue<Handler>.data(handler), releaseClosureData)
  }

  /// Calls `handler` for the source of each URI, before any element of the discoverer's pipeline can fail.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/pbutils/gstdiscoverer.html#GstDiscoverer::source-setup>
  static func sourceSetup(of discoverer: UnsafeMutablePointer<GstDiscoverer>, _ handler: @escaping Handler) {
    let call: cgst_discoverer_source_callback = { _, source, data in
      if let source = unsafe source { unsafe CallbackValue<Handler>.value(in: data)?(source) }
    }
    unsafe cgst_connect_discoverer_source(
      discoverer, "source-setup", call, CallbackValue<Handler>.data(handler), releaseClosureData)
  }

  /// Calls `handler` for each pad that an element adds; the order is that of ``emitted(_:by:isLast:_:)``.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#GstElement::pad-added>
  static func padAdded(
    to element: UnsafeMutablePointer<GstElement>, isLast: Bool = false, _ handler: @escaping PadHandler
  ) {
    let call: cgst_pad_callback = { element, pad, data in
      guard let element = unsafe element, let pad = unsafe pad else { return }
      unsafe CallbackValue<PadHandler>.value(in: data)?(element, pad)
    }
    let connect = unsafe isLast ? cgst_connect_pad_after : cgst_connect_pad
    _ = unsafe connect(element, "pad-added", call, CallbackValue<PadHandler>.data(handler), releaseClosureData)
  }

  /// Calls `handler` for each element that a bin, or a bin in it, adds or removes: `deep-element-added` or
  /// `deep-element-removed`.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBin::deep-element-added>
  static func deepElement(_ signal: String, of bin: UnsafeMutableRawPointer, _ handler: @escaping DeepElementHandler) {
    let call: cgst_deep_element_callback = { _, parent, element, data in
      guard let element = unsafe element, let parent = unsafe parent else { return }
      unsafe CallbackValue<DeepElementHandler>.value(in: data)?(element, parent)
    }
    unsafe cgst_connect_deep_element(
      bin, signal, call, CallbackValue<DeepElementHandler>.data(handler), releaseClosureData)
  }
}
