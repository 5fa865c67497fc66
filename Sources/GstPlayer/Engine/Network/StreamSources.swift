import CGst
import Playback
import Synchronization

/// Decides which sources the demuxer of an adaptive stream may open: playlists, segments and keys.
///
/// GStreamer opens every URI that a playlist names, a file as well as a device. Here, the content of a server may only
/// name the schemes in ``Network/settings`` and `data`. A local playlist may name files too, until the stream has opened
/// something on a server. A source with another scheme is never started, whether its file exists or not, so a server
/// learns nothing about it. The stream then fails.
final class StreamSources: Sendable {
  /// The type of the context that the demuxers of a decoder have: it leads from a source in no bin to the rule.
  fileprivate static let contextType = "org.playerd.stream-sources"
  /// The field of this context, and the name of the data of the object in it.
  private static let field = "rule"

  /// Whether the stream may contain data of a server.
  private let isRemote: Atomic<Bool>
  private let decoder: WeakReference

  private init(_ decoder: UnsafeMutablePointer<GstElement>, isRemote: Bool) {
    self.decoder = unsafe WeakReference(decoder)
    self.isRemote = Atomic(isRemote)
  }

  /// Applies the rule to a decoding bin that has not been started, for the lifetime of the bin.
  static func watch(in decoder: UnsafeMutablePointer<GstElement>) {
    let hasURI = unsafe cgst_has_property(decoder, "uri") != 0
    let uri = hasURI ? unsafe GLib.text(decoder, "uri") : nil
    let sources = unsafe StreamSources(decoder, isRemote: uri.map { MediaURI.scheme(of: $0) != "file" } ?? false)
    unsafe sources.addContext(to: decoder)
    PlaylistRequests.hook
    let address = UInt(bitPattern: decoder)
    unsafe Signal.deepElement("deep-element-added", of: decoder) { element, parent in
      guard let scheme = unsafe scheme(of: element) else { return }
      if UInt(bitPattern: parent) == address {
        // playbin sets the URI of a decoder after it has added the decoder.
        sources.isRemote.store(scheme != "file", ordering: .releasing)
      } else if unsafe isInDemuxer(element), !sources.admits(scheme) {
        // The demuxer starts the source together with its bin, which leaves out an element with a locked state.
        unsafe gst_element_set_locked_state(element, 1)
      }
    }
  }

  /// Applies the rule to a source that is in no bin, each time it starts; the pad is its output.
  static func watchStarts(of pad: UnsafeMutablePointer<GstPad>) {
    guard let function = unsafe pad.pointee.activatemodefunc, unsafe cgst_mark(pad, contextType) != 0 else { return }
    let object = unsafe UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GObject.self)
    unsafe g_object_set_data(object, activation, unsafeBitCast(function, to: UnsafeMutableRawPointer.self))
    unsafe gst_pad_set_activatemode_function_full(pad, activate, nil, nil)
  }

  /// Whether a source in no bin may start; true if it belongs to no stream of a player.
  fileprivate static func allowsStart(of source: UnsafeMutablePointer<GstElement>) -> Bool {
    guard let scheme = unsafe scheme(of: source) else { return true }
    if unsafe rule(of: source) == nil {
      // GStreamer's downloader answers with the context of its demuxer, on this thread.
      let object = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstObject.self)
      unsafe gst_element_post_message(source, gst_message_new_need_context(object, contextType))
    }
    return unsafe rule(of: source)?.admits(scheme) ?? true
  }

  /// Whether a scheme is allowed; if not, the stream fails.
  private func admits(_ scheme: String) -> Bool {
    if scheme == "data" { return true }
    if scheme == "file", !isRemote.load(ordering: .acquiring) { return true }
    guard Network.settings.serverSchemes.contains(scheme) else {
      fail("the stream refers to a URI of the scheme “\(scheme)”, which is not allowed")
      return false
    }
    isRemote.store(true, ordering: .releasing)
    return true
  }

  /// Posts an error of the stream.
  private func fail(_ reason: String) {
    guard let decoder = decoder.object, let error = unsafe g_error_new_literal(Failure.refusal, 0, reason) else {
      return
    }
    defer { unsafe g_error_free(error) }
    unsafe gst_element_post_message(decoder.pointer(), gst_message_new_error(decoder.pointer(), error, nil))
  }

  private static func scheme(of source: UnsafeMutablePointer<GstElement>) -> String? {
    unsafe GLib.take(cgst_source_uri(source)).map { MediaURI.scheme(of: $0) ?? "" }
  }

  /// Whether a demuxer contains an element.
  private static func isInDemuxer(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
    var current = unsafe GLib.parent(of: element)
    while let parent = unsafe current {
      defer { unsafe gst_object_unref(parent) }
      if let bin = unsafe cgst_element(parent), unsafe cgst_is_demuxer(bin) != 0 { return true }
      unsafe current = GLib.parent(of: parent)
    }
    return false
  }
}

/// The context that the decoder passes to all elements in it.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstcontext.html>
extension StreamSources {
  private func addContext(to decoder: UnsafeMutablePointer<GstElement>) {
    guard let context = unsafe gst_context_new(Self.contextType, 0) else { return }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(context)) }
    guard let token = unsafe g_object_new_with_properties(g_object_get_type(), 0, nil, nil) else { return }
    defer { unsafe g_object_unref(token) }
    unsafe g_object_set_data_full(token, Self.field, CallbackValue.data(self), releaseCallbackData)
    var value = GValue()
    unsafe g_value_init(&value, g_object_get_type())
    unsafe g_value_set_object(&value, token)
    unsafe gst_structure_set_value(gst_context_writable_structure(context), Self.field, &value)
    unsafe g_value_unset(&value)
    unsafe gst_element_set_context(decoder, context)
  }

  private static func rule(of element: UnsafeMutablePointer<GstElement>) -> StreamSources? {
    guard let context = unsafe gst_element_get_context(element, contextType) else { return nil }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(context)) }
    guard let value = unsafe gst_structure_get_value(gst_context_get_structure(context), field),
      let token = unsafe g_value_get_object(value)
    else { return nil }
    let data = unsafe g_object_get_data(token.assumingMemoryBound(to: GObject.self), field)
    return unsafe CallbackValue<StreamSources>.value(in: data)
  }
}

/// The name of the data of a pad that contains its own function of activation.
private let activation = "org.playerd.activation"

/// Activates a pad, which starts its source, unless the source is not allowed.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadActivateModeFunction>
private func activate(
  _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?, _ mode: GstPadMode,
  _ isActive: gboolean
) -> gboolean {
  guard let pad = unsafe pad,
    let data = unsafe g_object_get_data(
      UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GObject.self), activation)
  else { return 0 }
  if isActive != 0, let source = unsafe parent.flatMap({ unsafe cgst_element($0) }),
    unsafe !StreamSources.allowsStart(of: source)
  {
    return 0
  }
  let function = unsafe unsafeBitCast(data, to: GstPadActivateModeFunction.self)
  return unsafe function(pad, parent, mode, isActive)
}
