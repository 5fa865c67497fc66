import CGst

/// The element that continues a ``BegunResponse``: a bin with the source of the response.
///
/// It is tried before `souphttpsrc` for each URI of HTTP, and rejects the URIs for which no response waits.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gsturihandler.html>
enum ResponseElement {
  private static let factory = "playerdresponse"
  fileprivate static let key = "playerd-response"
  /// The schemes, as a list that ends with NULL and is never freed.
  fileprivate nonisolated(unsafe) static let schemes = {  // never changes
    let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 3)
    for (index, scheme) in ["http", "https"].enumerated() { unsafe list[index] = UnsafePointer(g_strdup(scheme)) }
    unsafe list[2] = nil
    return unsafe UnsafePointer(list)
  }()

  /// Registers the element in this process; has an effect once.
  static let register: Void = {
    let type = unsafe GLib.registerType("PlayerdResponse", of: gst_bin_get_type()) { elements, _ in
      unsafe elements?.assumingMemoryBound(to: GstElementClass.self).pointee.change_state = changeState
    }
    guard let type else { return }
    var handler = unsafe GInterfaceInfo()
    unsafe handler.interface_init = { interface, _ in
      guard let functions = unsafe interface?.assumingMemoryBound(to: GstURIHandlerInterface.self) else { return }
      unsafe functions.pointee.get_type = { _ in GST_URI_SRC }
      unsafe functions.pointee.get_protocols = { _ in unsafe ResponseElement.schemes }
      unsafe functions.pointee.get_uri = { handler in unsafe g_strdup(ResponseElement.response(of: handler)?.uri) }
      unsafe functions.pointee.set_uri = setURI
    }
    unsafe g_type_add_interface_static(type, gst_uri_handler_get_type(), &handler)
    unsafe gst_element_register(nil, factory, guint(GST_RANK_PRIMARY.rawValue) + 64, type)
  }()

  /// Whether a bin contains the source of a stream, and not the sources of its segments.
  static func isParent(_ bin: UnsafeMutablePointer<GstBin>) -> Bool {
    guard let bin = unsafe cgst_element(bin) else { return false }
    return unsafe ["uridecodebin", factory].contains(GLib.borrow(cgst_factory_name(bin)))
  }

  fileprivate static func response(of element: OpaquePointer?) -> BegunResponse? {
    guard let object = unsafe UnsafeMutablePointer<GObject>(element) else { return nil }
    return unsafe CallbackValue<BegunResponse>.value(in: g_object_get_data(object, key))
  }
}

/// Changes the state of the element; when the elements behind it can receive data, the response continues.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#GstElementClass::change_state>
private func changeState(
  _ element: UnsafeMutablePointer<GstElement>?, _ transition: GstStateChange
) -> GstStateChangeReturn {
  guard let element = unsafe element,
    let bins = unsafe g_type_class_peek(gst_bin_get_type())?.assumingMemoryBound(to: GstElementClass.self),
    let result = unsafe bins.pointee.change_state?(element, transition)
  else { return GST_STATE_CHANGE_FAILURE }
  if transition == GST_STATE_CHANGE_READY_TO_PAUSED, result != GST_STATE_CHANGE_FAILURE {
    unsafe ResponseElement.response(of: OpaquePointer(element))?.resume(in: element)
  }
  return result
}

/// Takes over the response that waits for a URI; fails if there is none.
private func setURI(
  _ handler: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> gboolean {
  let (done, failed): (gboolean, gboolean) = (1, 0)
  guard let handler = unsafe handler, let uri = unsafe GLib.borrow(uri),
    let bin = unsafe cgst_bin(UnsafeMutableRawPointer(handler)), unsafe ResponseElement.response(of: handler) == nil,
    let response = unsafe BegunResponse.take(uri, into: bin)
  else {
    if let error = unsafe error {
      let code = gint(GST_URI_ERROR_BAD_REFERENCE.rawValue)
      unsafe error.pointee = g_error_new_literal(gst_uri_error_quark(), code, "no response waits for this URI")
    }
    return failed
  }
  unsafe response.addOutput(to: bin)
  unsafe g_object_set_data_full(
    UnsafeMutablePointer<GObject>(handler), ResponseElement.key, CallbackValue<BegunResponse>.data(response),
    releaseCallbackData)
  return done
}
