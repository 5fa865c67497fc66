import CGst
import TestSupport
import Testing

@testable import GstPlayer

@Suite("Decoders that playbin adds", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LockingPlaybinTests {
  @Test("A state change of playbin does not start a decoder that playbin has added and not yet configured")
  func added() async throws {
    try GStreamer.initialize()
    let uris = [
      fileURI(try await Media.sine(seconds: 0.1, format: .wav)), fileURI(try await Media.sine(seconds: 0.1)),
      fileURI(try await Media.sine(seconds: 0.1, format: .wav)),
    ]
    let playbin = try #require(unsafe LockingPlaybin.make().map { unsafe ObjectReference($0) })
    let (ends, added) = (EventLog<String>(), EventLog<Void>())
    let bus = try #require(unsafe ObjectReference(taking: gst_element_get_bus(playbin.pointer())))
    unsafe BusHandler.install(on: bus.pointer()) { message in
      if let failure = unsafe Failure(message) { ends.append(failure.message) }
      if unsafe message.pointee.type == GST_MESSAGE_EOS { ends.append("the end") }
      return nil
    }
    unsafe gst_util_set_object_arg(playbin.pointer(), "flags", "audio")
    unsafe GLib.set(
      playbin.object, "audio-sink", toObject: UnsafeMutableRawPointer(gst_element_factory_make("fakesink", nil)))
    unsafe GLib.set(playbin.object, "uri", to: uris[0])
    unsafe Signal.deepElement("deep-element-added", of: playbin.object) { element, bin in
      guard unsafe GLib.borrow(cgst_factory_name(element)) == "uridecodebin" else { return }
      added.append(())
      // A state change of playbin does this at any time.
      if added.count > 1 { unsafe gst_bin_sync_children_states(bin) }
    }
    unsafe Signal.emitted("about-to-finish", by: playbin.object) { playbin in
      if added.count < uris.count { unsafe GLib.set(playbin, "uri", to: uris[added.count]) }
    }
    unsafe gst_element_set_state(playbin.pointer(), GST_STATE_PLAYING)
    try await ends.first("the end")
    GStreamer.dismantle(playbin)
    #expect(ends.elements == ["the end"])
    #expect(added.count == uris.count)
  }
}
