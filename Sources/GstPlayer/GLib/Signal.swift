import CGst

/// Connects closures to signals; the emitting object retains the closures.
///
/// <https://docs.gtk.org/gobject/struct.Closure.html>
enum Signal {
  typealias Handler = @Sendable (UnsafeMutablePointer<GstElement>) -> Void
  typealias PadHandler =
    @Sendable (_ element: UnsafeMutablePointer<GstElement>, _ pad: UnsafeMutablePointer<GstPad>) -> Void
  typealias DeepElementHandler =
    @Sendable (_ element: UnsafeMutablePointer<GstElement>, _ parent: UnsafeMutablePointer<GstBin>) -> Void
  /// Handles an emission; the first value is the emitting object, and the others are the arguments of the signal.
  typealias ValueHandler =
    @Sendable (_ values: UnsafePointer<GValue>, _ result: UnsafeMutablePointer<GValue>?) -> Void

  /// Calls `handler` for each emission of a signal; if `isLast`, after the handlers that are connected without it.
  ///
  /// - Returns: The ID of the handler.
  @discardableResult
  static func connect(
    _ signal: String, of object: UnsafeMutableRawPointer, isLast: Bool = false, _ handler: @escaping ValueHandler
  ) -> gulong {
    let data = unsafe CallbackValue<ValueHandler>.data(handler)
    let closure = unsafe g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data)
    let marshal: GClosureMarshal = { closure, result, _, values, _, _ in
      guard let values = unsafe values else { return }
      unsafe CallbackValue<ValueHandler>.value(in: closure?.pointee.data)?(values, result)
    }
    unsafe g_closure_add_finalize_notifier(closure, data, releaseClosureData)
    unsafe g_closure_set_marshal(closure, marshal)
    return unsafe g_signal_connect_closure(object, signal, closure, isLast ? 1 : 0)
  }

  /// Calls `handler` for each emission of a signal by any object of a type, before the handlers of the object.
  ///
  /// The first value is the emitting object, and the others are the arguments of the signal. Nothing is called for a
  /// signal that the type does not have.
  ///
  /// <https://docs.gtk.org/gobject/func.signal_add_emission_hook.html>
  static func everyEmission(
    _ signal: String, of type: GType, _ handler: @escaping @Sendable (_ values: UnsafePointer<GValue>) -> Void
  ) {
    let number = unsafe g_signal_lookup(signal, type)
    guard number != 0 else { return }
    let call: GSignalEmissionHook = { _, _, values, data in
      let goesOn: gboolean = 1
      guard let values = unsafe values else { return goesOn }
      unsafe CallbackValue<@Sendable (UnsafePointer<GValue>) -> Void>.value(in: data)?(values)
      return goesOn
    }
    unsafe g_signal_add_emission_hook(
      number, 0, call,
      CallbackValue<@Sendable (UnsafePointer<GValue>) -> Void>.data(handler), releaseCallbackData)
  }

  /// Calls `handler` with an element for each emission of a signal: the emitting one, or an argument of the signal.
  static func emitted(
    _ signal: String, by object: UnsafeMutableRawPointer, argument: Int = 0, isLast: Bool = false,
    _ handler: @escaping Handler
  ) {
    unsafe connect(signal, of: object, isLast: isLast) { values, _ in
      if let element = unsafe pointer(values + argument, to: GstElement.self) { unsafe handler(element) }
    }
  }

  /// Calls `handler` for each pad that an element adds.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#GstElement::pad-added>
  static func padAdded(
    to element: UnsafeMutablePointer<GstElement>, isLast: Bool = false, _ handler: @escaping PadHandler
  ) {
    unsafe connect("pad-added", of: element, isLast: isLast) { values, _ in
      guard let element = unsafe pointer(values, to: GstElement.self),
        let pad = unsafe pointer(values + 1, to: GstPad.self)
      else { return }
      unsafe handler(element, pad)
    }
  }

  /// Calls `handler` for each element that a bin, or a bin in it, adds or removes: `deep-element-added` or
  /// `deep-element-removed`.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBin::deep-element-added>
  static func deepElement(_ signal: String, of bin: UnsafeMutableRawPointer, _ handler: @escaping DeepElementHandler) {
    unsafe connect(signal, of: bin) { values, _ in
      guard let parent = unsafe pointer(values + 1, to: GstBin.self),
        let element = unsafe pointer(values + 2, to: GstElement.self)
      else { return }
      unsafe handler(element, parent)
    }
  }

  /// Returns the object or the boxed structure in a value.
  static func pointer<Pointee>(
    _ value: UnsafePointer<GValue>, to type: Pointee.Type
  ) -> UnsafeMutablePointer<Pointee>? {
    unsafe g_value_peek_pointer(value)?.assumingMemoryBound(to: type)
  }
}
