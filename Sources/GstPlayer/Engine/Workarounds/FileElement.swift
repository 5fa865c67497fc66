import CGst
import EngineProcess
import Glibc

/// The source of local files for an engine in a sandbox: a `filesrc` that gets its descriptor from ``FileAccess``.
///
/// `filesrc` opens a path, which the kernel does not allow, and `fdsrc` reads only forwards: without random access, demuxers of
/// MP4, WAV and Ogg do not find the duration or an index at the end.
///
/// <https://gstreamer.freedesktop.org/documentation/coreelements/filesrc.html>
enum FileElement {
  /// The name of the factory; `filesrc` as long as the element is not registered.
  static var factory: String { FileAccess.isDirect ? "filesrc" : name }
  private static let name = "playerdfilesrc"
  fileprivate static let key = "playerd-file"

  /// Registers the element for all `file:` URIs of this process, in which GStreamer is initialized; has an effect once.
  static let register: Void = {
    guard let source = GLib.elementType("filesrc") else { return }
    let type = unsafe GLib.registerType("PlayerdFileSrc", of: source) { sources, _ in
      guard let sources = unsafe sources?.assumingMemoryBound(to: GstBaseSrcClass.self) else { return }
      unsafe sources.pointee.start = start
      unsafe sources.pointee.stop = stop
      unsafe sources.pointee.is_seekable = isSeekable
      unsafe sources.pointee.get_size = getSize
      unsafe sources.pointee.fill = fill
    }
    if let type { unsafe gst_element_register(nil, name, guint(GST_RANK_PRIMARY.rawValue) + 64, type) }
  }()

  /// The file of an element that has started; nil if `filesrc` itself has opened it.
  fileprivate static func file(of source: UnsafeMutablePointer<GstBaseSrc>) -> RegularFile? {
    let object = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self)
    return unsafe CallbackValue<RegularFile>.value(in: g_object_get_data(object, key))
  }

  fileprivate static func set(_ file: RegularFile?, of source: UnsafeMutablePointer<GstBaseSrc>) {
    let object = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self)
    unsafe g_object_set_data_full(object, key, file.map { unsafe CallbackValue.data($0) }, releaseCallbackData)
  }

  /// The functions of `filesrc`.
  fileprivate static func parent(
    of source: UnsafeMutablePointer<GstBaseSrc>
  ) -> UnsafeMutablePointer<GstBaseSrcClass>? {
    unsafe cgst_parent_class(source)?.assumingMemoryBound(to: GstBaseSrcClass.self)
  }
}

private let (done, failed): (gboolean, gboolean) = (1, 0)

/// Opens the file; if that fails, `filesrc` reports the error, which it gets too.
///
/// <https://gstreamer.freedesktop.org/documentation/base/gstbasesrc.html#GstBaseSrcClass::start>
private func start(_ source: UnsafeMutablePointer<GstBaseSrc>?) -> gboolean {
  guard let source = unsafe source else { return failed }
  let path = unsafe GLib.get(source, "location") { value in
    unsafe g_value_get_string(value).map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
  guard let file = path.flatMap({ RegularFile($0) }) else {
    return unsafe FileElement.parent(of: source)?.pointee.start?(source) ?? failed
  }
  unsafe FileElement.set(file, of: source)
  // The file may grow.
  unsafe gst_base_src_set_dynamic_size(source, done)
  return done
}

private func stop(_ source: UnsafeMutablePointer<GstBaseSrc>?) -> gboolean {
  guard let source = unsafe source else { return failed }
  guard unsafe FileElement.file(of: source) != nil else {
    return unsafe FileElement.parent(of: source)?.pointee.stop?(source) ?? failed
  }
  unsafe FileElement.set(nil, of: source)
  return done
}

private func isSeekable(_ source: UnsafeMutablePointer<GstBaseSrc>?) -> gboolean {
  guard let source = unsafe source else { return failed }
  guard unsafe FileElement.file(of: source) != nil else {
    return unsafe FileElement.parent(of: source)?.pointee.is_seekable?(source) ?? failed
  }
  return done
}

private func getSize(_ source: UnsafeMutablePointer<GstBaseSrc>?, _ size: UnsafeMutablePointer<guint64>?) -> gboolean {
  guard let source = unsafe source, let size = unsafe size else { return failed }
  guard let file = unsafe FileElement.file(of: source) else {
    return unsafe FileElement.parent(of: source)?.pointee.get_size?(source, size) ?? failed
  }
  guard let current = file.currentSize else { return failed }
  unsafe size.pointee = guint64(clamping: current)
  return done
}

/// Reads into a buffer; a shorter one at the end of the file.
private func fill(
  _ source: UnsafeMutablePointer<GstBaseSrc>?, _ offset: guint64, _ length: guint,
  _ buffer: UnsafeMutablePointer<GstBuffer>?
) -> GstFlowReturn {
  guard let source = unsafe source, let buffer = unsafe buffer else { return GST_FLOW_ERROR }
  guard let file = unsafe FileElement.file(of: source) else {
    return unsafe FileElement.parent(of: source)?.pointee.fill?(source, offset, length, buffer) ?? GST_FLOW_ERROR
  }
  var map = unsafe GstMapInfo()
  guard unsafe gst_buffer_map(buffer, &map, GST_MAP_WRITE) != 0 else { return GST_FLOW_ERROR }
  let memory = unsafe UnsafeMutableRawBufferPointer(start: map.data, count: min(Int(map.size), Int(length)))
  let count = unsafe file.read(into: memory, from: Int(clamping: offset))
  unsafe gst_buffer_unmap(buffer, &map)
  guard let count else {
    let code = gint(GST_RESOURCE_ERROR_READ.rawValue)
    unsafe gst_element_message_full(
      cgst_element(source), GST_MESSAGE_ERROR, gst_resource_error_quark(), code, nil,
      g_strdup("system error: \(String(cString: g_strerror(errno)))"), #file, #function, gint(#line))
    return GST_FLOW_ERROR
  }
  if count < Int(length) {
    guard count > 0 else { return GST_FLOW_EOS }
    unsafe gst_buffer_set_size(buffer, gssize(count))
  }
  unsafe buffer.pointee.offset = offset
  unsafe buffer.pointee.offset_end = offset &+ guint64(count)
  return GST_FLOW_OK
}
