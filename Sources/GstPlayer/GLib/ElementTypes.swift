import CGst

extension GLib {
  /// Returns the type of the elements of a factory, whose plug-in it loads; nil if it is not installed.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpluginfeature.html#gst_plugin_feature_load>
  static func elementType(_ factory: String) -> GType? {
    guard let found = unsafe gst_element_factory_find(factory) else { return nil }
    defer { unsafe gst_object_unref(UnsafeMutableRawPointer(found)) }
    guard let loaded = unsafe gst_plugin_feature_load(cgst_feature(UnsafeMutableRawPointer(found))) else { return nil }
    defer { unsafe gst_object_unref(UnsafeMutableRawPointer(loaded)) }
    return unsafe gst_element_factory_get_element_type(loaded)
  }

  /// Registers a type with the size of its parent, whose class `changeClass` changes; call it once for a name.
  ///
  /// <https://docs.gtk.org/gobject/type_func.Type.register_static.html>
  static func registerType(_ name: String, of parent: GType, _ changeClass: GClassInitFunc) -> GType? {
    var query = unsafe GTypeQuery()
    unsafe g_type_query(parent, &query)
    var info = unsafe GTypeInfo()
    unsafe info.class_size = guint16(clamping: query.class_size)
    unsafe info.instance_size = guint16(clamping: query.instance_size)
    unsafe info.class_init = changeClass
    let type = unsafe g_type_register_static(parent, name, &info, GTypeFlags(rawValue: 0))
    return type == 0 ? nil : type
  }
}
