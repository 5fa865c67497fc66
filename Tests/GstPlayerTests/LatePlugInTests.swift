import CGst
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of an output that cannot be made at first, for example because no descriptor is left to load a plug-in.
@Suite("A plug-in that is missing at first", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LatePlugInTests {
  @Test("The next stream makes the output that could not be made before")
  func retried() async throws {
    let uri = fileURI(try await Media.sine(seconds: 0.3))
    let engine = ScriptedEngine(Player.Configuration(audioSink: "playerdlate ! fakesink sync=true"))
    engine.open(uri, .first)
    try await engine.events.first("the failure", within: 20, where: isFailure)
    engine.perform(.close(.first))
    // The element is registered under another name.
    let isRegistered = unsafe gst_element_register(nil, "playerdlate", 0, Self.passThrough) != 0
    #expect(isRegistered)
    engine.play(uri, .second)
    try await engine.event(.ended, of: .second)
    await engine.close()
    #expect(engine.events.elements.count(where: isFailure) == 1)
  }

  private func isFailure(_ event: EngineEvent) -> Bool { if case .output(.failed) = event { true } else { false } }

  /// The type of an element that passes audio on.
  private static let passThrough: GType = {
    guard let identity = unsafe gst_element_factory_make("identity", nil) else { return 0 }
    unsafe gst_object_unref(gst_object_ref_sink(identity))
    return unsafe g_type_from_name("GstIdentity")
  }()
}
