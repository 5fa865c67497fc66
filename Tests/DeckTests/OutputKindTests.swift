import CGst
import Testing

@testable import GstPlayer

/// What an output knows of its sink before it is opened.
struct OutputKindTests {
  private func output(_ description: String) throws -> Output {
    try GStreamer.initialize()
    return try Output(AudioSink.make(description)) { _ in }
  }

  @Test(
    "A sink with a ring buffer is found, also in a bin", arguments: ["pulsesink", "osssink", "oss4sink", "alsasink"])
  func ring(factory: String) throws {
    try GStreamer.initialize()
    guard let found = unsafe gst_element_factory_find(factory) else { return }
    unsafe gst_object_unref(UnsafeMutableRawPointer(found))
    for description in ["\(factory) buffer-time=800000", "audioconvert ! \(factory) buffer-time=800000"] {
      let output = try output(description)
      #expect(output.hasRing)
      // A device behind a ring buffer has a buffer of the same size.
      #expect(output.capacity == .milliseconds(factory == "pulsesink" ? 600 : 1_400))
      #expect(output.chunk == .milliseconds(200))
    }
  }

  @Test("A sink without a ring buffer is written a fifth of a second ahead")
  func plain() throws {
    let output = try output("audioconvert ! fakesink sync=true")
    #expect(!output.hasRing && output.capacity == .milliseconds(200))
  }
}
