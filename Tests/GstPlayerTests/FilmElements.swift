import CGst
import FoundationEssentials
import Glibc
import GstPlayer
import TestSupport
import Testing

/// Makes a film; cancels the test if an encoder is not installed.
func made(_ film: Film, sound: String? = nil, seconds: Double = 0.5) async throws -> String {
  do {
    let sound = if let sound { sound } else { try await Media.sine(seconds: seconds, format: .wav) }
    return try await Media.film(film, sound: sound, seconds: seconds)
  } catch let missing as Film.Missing {
    try Test.cancel("\(missing)")
  }
}

/// Returns the bytes of a film with one name replaced by another of the same length.
func patched(_ film: Film, replacing name: String, with other: String) async throws -> [UInt8] {
  var bytes = Array(try Data(contentsOf: URL(filePath: try await made(film))))
  let range = try #require(bytes.firstRange(of: Array(name.utf8)))
  bytes.replaceSubrange(range, with: Array(other.utf8))
  return bytes
}

/// Runs `body`, and expects that GStreamer creates no element for video, images or subtitles.
///
/// This function changes the environment; call it in a separate process.
func expectingAudioElements(loggedTo log: String, _ body: () async throws -> Void) async throws {
  unsafe setenv("GST_DEBUG", "GST_ELEMENT_FACTORY:4", 1)
  unsafe setenv("GST_DEBUG_NO_COLOR", "1", 1)
  unsafe setenv("GST_DEBUG_FILE", log, 1)
  try await body()
  let marker = "creating element \""
  let created = try String(contentsOf: URL(filePath: log), encoding: .utf8).split(separator: "\n").compactMap { line in
    line.firstRange(of: marker).map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
  }
  #expect(created.contains("uridecodebin"), "the log contains no created elements")
  #expect(created.filter(isVisual).isEmpty, "\(created.filter(isVisual))")
}

/// Whether a factory makes elements for video, images or subtitles: decoders, parsers, sinks.
private func isVisual(_ name: String) -> Bool {
  guard let factory = unsafe gst_element_factory_find(name) else { return false }
  defer { unsafe gst_object_unref(UnsafeMutableRawPointer(factory)) }
  return unsafe gst_element_factory_list_is_type(factory, cgst_visual_media()) != 0
}

/// Removes the video decoders from the registry of this process; the parsers stay.
func hideVideoDecoders() {
  gst_init(nil, nil)
  let decoders = unsafe gst_element_factory_list_get_elements(cgst_decodable(), GST_RANK_MARGINAL)
  defer { unsafe gst_plugin_feature_list_free(decoders) }
  var node = unsafe decoders
  while let current = unsafe node {
    unsafe node = current.pointee.next
    guard let data = unsafe current.pointee.data,
      unsafe gst_element_factory_list_is_type(OpaquePointer(data), cgst_visual_media()) != 0,
      unsafe String(cString: gst_element_factory_get_metadata(OpaquePointer(data), "klass")).contains("Decoder")
    else { continue }
    unsafe gst_plugin_feature_set_rank(OpaquePointer(data), guint(GST_RANK_NONE.rawValue))
  }
}
