import CGst
import Glibc

/// The log of GLib, to which GStreamer and its plug-ins write their warnings.
package struct GLibLog: Sendable {
  package typealias Handler = @Sendable (_ text: String, _ isFatal: Bool) -> Void

  fileprivate let handler: Handler

  /// Calls `handler`, on any thread, for each message instead of writing it to standard error; call it once.
  ///
  /// GLib ends the process after a fatal message.
  ///
  /// <https://docs.gtk.org/glib/func.log_set_writer_func.html>
  package static func redirect(to handler: @escaping Handler) {
    let data = unsafe CallbackValue<GLibLog>.data(GLibLog(handler: handler))
    unsafe g_log_set_writer_func(writeMessage, data, releaseCallbackData)
  }
}

/// Passes a message to the handler, after the name of its library.
private func writeMessage(
  _ level: GLogLevelFlags, _ fields: UnsafePointer<GLogField>?, _ count: gsize, _ data: UnsafeMutableRawPointer?
) -> GLogWriterOutput {
  guard let log = unsafe CallbackValue<GLibLog>.value(in: data), let fields = unsafe fields else {
    return G_LOG_WRITER_UNHANDLED
  }
  var (domain, message) = ("", "")
  for index in 0..<Int(count) {
    let text = unsafe text(of: fields[index])
    switch unsafe GLib.borrow(fields[index].key) {
    case "GLIB_DOMAIN": domain = text + ": "
    case "MESSAGE": message = text
    default: break
    }
  }
  log.handler(domain + message, cgst_is_error(level) != 0)
  return G_LOG_WRITER_HANDLED
}

/// Returns the text of a field, which has a length or ends with a NUL byte.
private func text(of field: GLogField) -> String {
  guard let value = unsafe field.value else { return "" }
  let length = unsafe field.length
  return unsafe String(
    decoding: UnsafeRawBufferPointer(start: value, count: length < 0 ? strlen(value) : Int(length)), as: UTF8.self)
}
