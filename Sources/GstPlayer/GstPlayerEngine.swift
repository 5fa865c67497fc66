import CGst
package import EngineProcess

/// The engine of a player, in this process.
package enum GstPlayerEngine {
  /// Initializes GStreamer; otherwise, that is done when the first item is loaded, which also reports a failure.
  ///
  /// - Parameter opener: Opens the file at a path, and returns a descriptor, or the negative of an error number. It
  ///   blocks. Nil if GStreamer opens the files itself.
  package static func initialize(openingFiles opener: (@Sendable (_ path: [UInt8]) -> CInt)?) {
    if let opener { FileAccess.use(opener) }
    guard (try? GStreamer.initialize()) != nil else { return }
    hideVideoOutputs()
    if opener != nil { FileElement.register }
  }

  /// Hides the video outputs from playbin, which would compare each output's formats with the formats of all video decoders before
  /// the first item.
  private static func hideVideoOutputs() {
    let outputs = unsafe gst_element_factory_list_get_elements(cgst_video_sinks(), GST_RANK_MARGINAL)
    defer { unsafe gst_plugin_feature_list_free(outputs) }
    unsafe GLib.elements(of: outputs).forEach {
      unsafe gst_plugin_feature_set_rank(cgst_feature($0), guint(GST_RANK_NONE.rawValue))
    }
  }

  /// The parts of an engine, each for a separate process.
  package static var parts: EngineParts {
    EngineParts { configuration, settings, report, hangs in
      OutputHost(configuration, settings, report: report, hangs: hangs)
    } makeDecks: { configuration, report in
      DeckHost(configuration, report: report)
    } prepareDecoding: {
      prepare()
    }
  }

  /// Loads the plug-ins that the first media of any format needs.
  private static func prepare() {
    guard Shortage.failure == nil, gst_is_initialized() != 0 else { return }
    // playbin needs the formats of all decoders, which are texts until their first use.
    for name in ["typefindfunctions", "audioparsers", "audioconvert", "audioresample", "volume"] {
      if let plugin = unsafe gst_plugin_load_by_name(name) { unsafe gst_object_unref(UnsafeMutableRawPointer(plugin)) }
    }
    let decoders = unsafe gst_element_factory_list_get_elements(cgst_decodable(), GST_RANK_MARGINAL)
    if let caps = unsafe gst_caps_from_string("audio/x-raw") {
      unsafe gst_plugin_feature_list_free(gst_element_factory_list_filter(decoders, caps, GST_PAD_SINK, 0))
      unsafe cgst_mini_object_unref(caps)
    }
    unsafe gst_plugin_feature_list_free(decoders)
  }
}
