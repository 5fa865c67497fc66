import CGst
import Glibc
import Synchronization

/// Prevents a crash of libsoup when it closes an HTTP response whose request has already ended.
///
/// A source that is stopped cancels its request. If the response is being delivered at that moment, libsoup first ends the
/// request and then closes the response, which uses the ended request through a null pointer: the process crashes. This
/// happened in one of several hundred inspections of a stream, and in 47 of 90 with a delay of 4 ms before the delivery.
/// libsoup 3.7.1 closes such a response without using its request. This type makes every older libsoup do the same.
///
/// It can go when the oldest supported libsoup is 3.7.1.
enum EndedResponses {
  fileprivate typealias Close =
    @convention(c) (
      UnsafeMutablePointer<GInputStream>?, UnsafeMutablePointer<GCancellable>?,
      UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gboolean

  /// The function of libsoup that closes a response; nil until it is replaced.
  fileprivate static let close = unsafe Mutex<Close?>(nil)

  /// The name of the data that marks an ended request.
  fileprivate static let mark = "mpris-playerd-ended"

  /// Calls `requestChanged` for each request of the process that ends or is sent from now on; has an effect once.
  ///
  /// libsoup is loaded by the plug-in of the source. Nothing is done with libsoup 2, which has other classes.
  ///
  /// <https://docs.gtk.org/gobject/func.signal_add_emission_hook.html>
  static let guardClosing: Void = {
    typealias TypeGetter = @convention(c) () -> GType
    guard let library = unsafe dlopen("libsoup-3.0.so.0", RTLD_LAZY | RTLD_NOLOAD),
      let symbol = unsafe dlsym(library, "soup_message_get_type")
    else { return }
    let type = unsafe unsafeBitCast(symbol, to: TypeGetter.self)()
    // A class registers its signals when it is first used; the reference is kept.
    _ = unsafe g_type_class_ref(type)
    let (ends, begins) = unsafe (g_signal_lookup("finished", type), g_signal_lookup("starting", type))
    guard ends != 0, begins != 0 else { return }
    unsafe g_signal_add_emission_hook(ends, 0, requestChanged, UnsafeMutableRawPointer(bitPattern: 1), nil)
    unsafe g_signal_add_emission_hook(begins, 0, requestChanged, nil, nil)
  }()
}

/// Marks a request that has ended, or removes the mark of a request that is sent again.
///
/// It also replaces the function that closes responses once their class is registered, with the first response.
///
/// A source sends the same request after a seek and after a lost connection. Unless its response is closed, libsoup keeps
/// the request in its queue, and the source cannot send it for the next seek: “Message is already in session queue”.
///
/// <https://gnome.pages.gitlab.gnome.org/libsoup/libsoup-3.0/signal.Message.finished.html>,
/// <https://gnome.pages.gitlab.gnome.org/libsoup/libsoup-3.0/signal.Message.starting.html>
private func requestChanged(
  _ hint: UnsafeMutablePointer<GSignalInvocationHint>?, _ count: guint, _ values: UnsafePointer<GValue>?,
  _ mark: UnsafeMutableRawPointer?
) -> gboolean {
  let goesOn: gboolean = 1
  guard count == 1, let values = unsafe values, let request = unsafe g_value_get_object(values) else { return goesOn }
  unsafe g_object_set_data(request.assumingMemoryBound(to: GObject.self), EndedResponses.mark, mark)
  unsafe EndedResponses.close.withLock { close in
    let type = unsafe g_type_from_name("SoupClientInputStream")
    guard unsafe close == nil, type != 0, let responses = unsafe g_type_class_ref(type) else { return }
    // The reference is kept, so that the class stays.
    let functions = unsafe responses.assumingMemoryBound(to: GInputStreamClass.self)
    unsafe close = functions.pointee.close_fn
    unsafe functions.pointee.close_fn = closeResponse
  }
  return goesOn
}

/// Closes a response, unless its request has ended.
///
/// <https://docs.gtk.org/gio/vfunc.InputStream.close_fn.html>
private func closeResponse(
  _ response: UnsafeMutablePointer<GInputStream>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> gboolean {
  let done: gboolean = 1
  guard let response = unsafe response, let close = unsafe EndedResponses.close.withLock({ unsafe $0 }) else {
    return done
  }
  let isEnded = unsafe GLib.get(response, "message") { value in
    guard let request = unsafe g_value_get_object(value) else { return false }
    return unsafe g_object_get_data(request.assumingMemoryBound(to: GObject.self), EndedResponses.mark) != nil
  }
  return isEnded ? done : unsafe close(response, cancellable, error)
}
