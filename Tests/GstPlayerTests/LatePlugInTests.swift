import CGst
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of a pipeline that cannot be made at first, for example because no descriptor is left to load a plug-in.
@Suite("A plug-in that is missing at first", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LatePlugInTests {
  @Test("A load makes the pipeline that could not be made before")
  func retried() async throws {
    let uri = fileURI(try await Media.sine(seconds: 0.3))
    let (failed, prerolled) = (EventLog<StreamToken>(), EventLog<StreamToken>())
    let host = PipelineHost(configuration: Player.Configuration(audioSink: "playerdlate ! fakesink sync=true"))
    host.open(
      EngineClient(
        report: { event in
          switch event {
          case .failed(let stream, _): failed.append(stream)
          case .settled(let stream, _): prerolled.append(stream)
          default: break
          }
        },
        nextStream: { _ in nil }))
    host.perform(.load(uri: uri, StreamToken(number: 1), headers: nil))
    try await failed.first("the failure") { $0.number == 1 }
    // The element is registered under another name.
    let isRegistered = unsafe gst_element_register(nil, "playerdlate", 0, Self.passThrough) != 0
    #expect(isRegistered)
    host.perform(.load(uri: uri, StreamToken(number: 2), headers: nil))
    try await prerolled.first("the preroll") { $0.number == 2 }
    host.close()
    await host.closed()
    #expect(failed.count == 1)
  }

  /// The type of an element that passes audio on.
  private static let passThrough: GType = {
    guard let identity = unsafe gst_element_factory_make("identity", nil) else { return 0 }
    unsafe gst_object_unref(gst_object_ref_sink(identity))
    return unsafe g_type_from_name("GstIdentity")
  }()
}
