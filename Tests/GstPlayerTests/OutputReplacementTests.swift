import CGst
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of an automatic output that fails and does not belong to a sound server.
@Suite("Failing devices", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct OutputReplacementTests {
  /// Leaves only `fakeaudiosink` as an output; GStreamer reads the variable when it starts, once per process.
  @Sendable private static func leaveFakeOutput() throws {
    let outputs = ["pulse", "pipewire", "alsa", "oss", "oss4", "jackaudio"].map { $0 + "sink:NONE" }
    unsafe setenv("GST_PLUGIN_FEATURE_RANK", (outputs + ["fakeaudiosink:256"]).joined(separator: ","), 1)
    try GStreamer.initialize()
  }

  @Test("After a device fails, another output is searched for and found, unless the output is named")
  func search() async throws {
    let uri = fileURI(try await Media.sine(seconds: 1))
    await #expect(processExitsWith: .success) { [uri = uri as String] in
      try Self.leaveFakeOutput()
      #expect(FailingDevice.isRegistered)
      let named = ScriptedEngine(Player.Configuration(audioSink: FailingDevice.name))
      let automatic = ScriptedEngine()
      for engine in [named, automatic] {
        engine.play(uri, .first)
        try await engine.events.first("the failure", within: 20) { event in
          if case .output(.failed(let error)) = event { error.code == .output } else { false }
        }
      }
      try await automatic.events.first("another output", within: 20, where: isFound)
      #expect(!named.events.elements.contains(where: isFound))
      automatic.perform(.close(.first))
      automatic.play(uri, .second)
      try await automatic.event(.ended, of: .second)
      for engine in [named, automatic] { await engine.close() }
    }
  }

  @Test("The search excludes the failed device")
  func excluded() async {
    await #expect(processExitsWith: .success) {
      try Self.leaveFakeOutput()
      #expect(AudioSink.finds(AudioSink.Memory()))
      #expect(!AudioSink.finds(AudioSink.Memory(), excluding: "fakeaudiosink"))
    }
  }
}

private func isFound(_ event: EngineEvent) -> Bool { if case .output(.found) = event { true } else { false } }

/// An audio output that can be opened, and fails when it is to play.
private enum FailingDevice {
  static let name = "playerdfailing"

  /// Registers the element, above all others.
  static let isRegistered: Bool = {
    // The plug-in registers the type of the element.
    guard let output = unsafe gst_element_factory_make("fakeaudiosink", nil) else { return false }
    unsafe gst_object_unref(gst_object_ref_sink(output))
    let parent = unsafe g_type_from_name("GstFakeAudioSink")
    var size = unsafe GTypeQuery()
    unsafe g_type_query(parent, &size)
    let type = unsafe g_type_register_static_simple(
      parent, "PlayerdFailing", size.class_size, nil, size.instance_size,
      { instance, _ in
        guard let object = unsafe UnsafeMutableRawPointer(instance)?.assumingMemoryBound(to: GObject.self) else {
          return
        }
        unsafe gst_util_set_object_arg(object, "state-error", "ready-to-paused")
      }, GTypeFlags(rawValue: 0))
    return unsafe gst_element_register(nil, name, guint(GST_RANK_PRIMARY.rawValue) + 256, type) != 0
  }()
}
