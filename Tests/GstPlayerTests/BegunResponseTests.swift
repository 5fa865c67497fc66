import CGst
import Dispatch
import TestSupport
import Testing

@testable import GstPlayer

@Suite("Responses that a player continues")
struct BegunResponseTests {
  private static let uri = "http://127.0.0.1/radio"

  @Test("Data that arrives while a player opens the response is not lost")
  func arriving() async throws {
    try GStreamer.initialize()
    let (events, arrived) = (EventLog<String>(), EventLog<Void>())
    let pipeline = try #require(unsafe ObjectReference(taking: gst_pipeline_new(nil)))
    let source = try #require(unsafe gst_element_factory_make("identity", nil).map { unsafe ObjectReference($0) })
    let sink = try #require(unsafe gst_element_factory_make("fakesink", nil).map { unsafe ObjectReference($0) })
    unsafe gst_bin_add(pipeline.pointer(), source.pointer())
    unsafe gst_bin_add(pipeline.pointer(), sink.pointer())
    unsafe gst_element_link(source.pointer(), sink.pointer())
    unsafe gst_element_set_state(pipeline.pointer(), GST_STATE_PAUSED)
    let pad = try #require(unsafe ObjectReference(taking: gst_element_get_static_pad(source.pointer(), "src")))
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_BYTES)
    unsafe gst_pad_push_event(pad.pointer(), gst_event_new_stream_start("test"))
    unsafe gst_pad_push_event(pad.pointer(), gst_event_new_segment(&segment))
    let probe = unsafe PadProbe.add(to: pad.pointer(), [GST_PAD_PROBE_TYPE_BLOCK, GST_PAD_PROBE_TYPE_BUFFER]) { _, _ in
      events.append("blocked")
      return GST_PAD_PROBE_OK
    }
    BegunResponse(of: Self.uri, pipeline, source: source, probe: probe).offer()

    let output = try #require(unsafe ObjectReference(taking: gst_pipeline_new(nil)))
    let response = try #require(
      unsafe gst_element_make_from_uri(GST_URI_SRC, Self.uri, nil, nil).map { unsafe ObjectReference($0) })
    let reader = try #require(unsafe gst_element_factory_make("fakesink", nil).map { unsafe ObjectReference($0) })
    unsafe PadProbe.add(to: "sink", of: reader.pointer(), [GST_PAD_PROBE_TYPE_BUFFER]) { _, _ in
      arrived.append(())
      return GST_PAD_PROBE_OK
    }
    unsafe gst_bin_add(output.pointer(), response.pointer())
    unsafe gst_bin_add(output.pointer(), reader.pointer())
    unsafe gst_element_link(response.pointer(), reader.pointer())
    DispatchQueue(label: "source").async {
      let result = unsafe gst_pad_push(pad.pointer(), gst_buffer_new())
      events.append(result == GST_FLOW_OK ? "pushed" : "lost")
    }
    try await events.first("the data")
    unsafe gst_element_set_state(output.pointer(), GST_STATE_PLAYING)
    try await events.first("the result") { $0 != "blocked" }
    #expect(events.elements == ["blocked", "pushed"])
    #expect(arrived.count == 1)
    GStreamer.dismantle(output)
  }
}
