import CGst
import Glibc
import TestSupport
import Testing

@testable import GstPlayer

@Suite(
  "The formats of PulseAudio's sink",
  .enabled(if: Media.isAvailable && PulseServer.isAvailable && Tool.areAvailable("pactl"), "\(PulseServer.unavailable)")
)
struct PulseFormatsTests {
  @Test("The sink accepts raw audio only, and connects no stream to the server to find out")
  func formats() async throws {
    try await withPulseServer { server in
      await #expect(processExitsWith: .success) { [environment = server.environment as [String: String]] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        try GStreamer.initialize()
        let sink = try AudioSink.make("pulsesink")
        unsafe PulseFormats.answerQueries(of: sink.element)
        #expect(unsafe gst_element_set_state(sink.element, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
        unsafe GLib.withPad("sink", of: sink.element) { pad in
          for text in [nil, "audio/x-ac3; audio/x-raw, rate=8000"] {
            let filter = unsafe text.flatMap { unsafe gst_caps_from_string($0) }
            unsafe GLib.with(takingMini: gst_pad_query_caps(pad, filter)) { caps in
              #expect(unsafe gst_caps_get_size(caps) > 0)
              for index in unsafe 0..<gst_caps_get_size(caps) {
                let type = unsafe GLib.borrow(gst_structure_get_name(gst_caps_get_structure(caps, index)))
                #expect(type == "audio/x-raw")
              }
            }
            if let filter = unsafe filter { unsafe cgst_mini_object_unref(filter) }
          }
          for (text, isAccepted) in [
            ("audio/x-raw, format=S16LE, layout=interleaved, rate=44100, channels=2", true),
            ("audio/x-ac3, framed=true, rate=48000, channels=6", false),
          ] {
            unsafe GLib.with(takingMini: gst_caps_from_string(text)) {
              #expect(unsafe (gst_pad_query_accept_caps(pad, $0) != 0) == isAccepted)
            }
          }
        }
        // A stream for a query would stay until the sink plays.
        #expect(try await run(["pactl", "list", "short", "sink-inputs"]).output.isEmpty)
        AudioSink.discard(sink)
      }
    }
  }
}
