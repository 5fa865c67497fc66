import CGst
import Glibc

/// The functions and types of the libsoup 3 that the plug-in of the HTTP source loads.
///
/// With libsoup 2, which has other classes, there are none.
@safe struct LibSoup: Sendable {
  private typealias TypeGetter = @convention(c) @Sendable () -> GType
  private typealias HeadersGetter = @convention(c) @Sendable (UnsafeMutableRawPointer?) -> OpaquePointer?
  private typealias FieldGetter =
    @convention(c) @Sendable (OpaquePointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>?
  private typealias FieldSetter =
    @convention(c) @Sendable (OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void
  private typealias FieldRemover = @convention(c) @Sendable (OpaquePointer?, UnsafePointer<CChar>?) -> Void

  /// The loaded library; first used when an HTTP source exists.
  static let loaded = LibSoup()

  let messageType: GType
  let sessionType: GType
  private let requestHeaders: HeadersGetter
  private let responseHeaders: HeadersGetter
  private let getField: FieldGetter
  private let setField: FieldSetter
  private let removeField: FieldRemover

  private init?() {
    guard let library = unsafe dlopen("libsoup-3.0.so.0", RTLD_LAZY | RTLD_NOLOAD),
      let message = unsafe dlsym(library, "soup_message_get_type"),
      let session = unsafe dlsym(library, "soup_session_get_type"),
      let requestHeaders = unsafe dlsym(library, "soup_message_get_request_headers"),
      let responseHeaders = unsafe dlsym(library, "soup_message_get_response_headers"),
      let getField = unsafe dlsym(library, "soup_message_headers_get_one"),
      let setField = unsafe dlsym(library, "soup_message_headers_replace"),
      let removeField = unsafe dlsym(library, "soup_message_headers_remove")
    else { return nil }
    messageType = unsafe unsafeBitCast(message, to: TypeGetter.self)()
    sessionType = unsafe unsafeBitCast(session, to: TypeGetter.self)()
    unsafe self.requestHeaders = unsafeBitCast(requestHeaders, to: HeadersGetter.self)
    unsafe self.responseHeaders = unsafeBitCast(responseHeaders, to: HeadersGetter.self)
    unsafe self.getField = unsafeBitCast(getField, to: FieldGetter.self)
    unsafe self.setField = unsafeBitCast(setField, to: FieldSetter.self)
    unsafe self.removeField = unsafeBitCast(removeField, to: FieldRemover.self)
    // A class registers its signals when it is first used; the references are kept.
    _ = unsafe (g_type_class_ref(messageType), g_type_class_ref(sessionType))
  }

  /// The fields of a request or of a response.
  enum Fields { case request, response }

  private func headers(_ fields: Fields, of message: UnsafeMutableRawPointer) -> OpaquePointer? {
    switch fields {
    case .request: unsafe requestHeaders(message)
    case .response: unsafe responseHeaders(message)
    }
  }

  /// Returns a field of a message; nil if there is none.
  func field(_ name: String, in fields: Fields, of message: UnsafeMutableRawPointer) -> String? {
    unsafe GLib.borrow(getField(headers(fields, of: message), name))
  }

  /// Sets a field of a message, or removes it if the value is nil.
  func set(_ name: String, to value: String?, in fields: Fields, of message: UnsafeMutableRawPointer) {
    if let value {
      unsafe setField(headers(fields, of: message), name, value)
    } else {
      unsafe removeField(headers(fields, of: message), name)
    }
  }
}
