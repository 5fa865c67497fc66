import CGst
import Testing

@testable import GstPlayer

@Suite("The audio pads of a decoder")
struct DecodedPadTests {
  @Test("At most 64 pads are read, and no pad is leaked", arguments: [1, 64, 66])
  func limit(count: Int) throws {
    try GStreamer.initialize()
    let pads = readPads(count)
    #expect(pads?.read == min(count, 64))
    #expect(pads?.leaked == 0)
  }

  /// Reads a decoder with this number of audio pads; returns the number of those that were read, and of those that have
  /// another number of references afterwards.
  private func readPads(_ count: Int) -> (read: Int, leaked: Int)? {
    guard let decoder = unsafe gst_bin_new(nil), let selector = unsafe gst_element_factory_make("input-selector", nil),
      let caps = unsafe gst_caps_from_string("audio/x-raw,rate=8000,channels=1")
    else { return nil }
    unsafe gst_object_ref_sink(decoder)
    unsafe gst_object_ref_sink(selector)
    defer {
      unsafe cgst_mini_object_unref(caps)
      unsafe gst_object_unref(decoder)
      unsafe gst_object_unref(selector)
    }
    for index in 0..<count {
      guard let pad = unsafe gst_pad_new("src_\(index)", GST_PAD_SRC) else { return nil }
      unsafe gst_element_add_pad(decoder, pad)
      unsafe gst_pad_set_active(pad, 1)
      unsafe GLib.with(takingMini: gst_event_new_stream_start("test")) { unsafe gst_pad_store_sticky_event(pad, $0) }
      unsafe GLib.with(takingMini: gst_event_new_caps(caps)) { unsafe gst_pad_store_sticky_event(pad, $0) }
      unsafe GLib.with(taking: gst_element_request_pad_simple(selector, "sink_%u")) { unsafe gst_pad_link(pad, $0) }
    }
    func references() -> [guint] {
      unsafe GLib.elements(of: decoder.pointee.srcpads).map { pad in
        unsafe pad.assumingMemoryBound(to: GObject.self).pointee.ref_count
      }
    }
    let before = references()
    let read = unsafe DecodedPad.all(of: decoder).count
    return (read, zip(before, references()).count { $0 != $1 })
  }
}
