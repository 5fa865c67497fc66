import CGst
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Whether a GStreamer element is installed.
func isElementInstalled(_ name: String) -> Bool {
  guard (try? GStreamer.initialize()) != nil, let factory = unsafe gst_element_factory_find(name) else { return false }
  unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
  return true
}

/// Tests of invalid URIs and outputs, each with its code and reason.
@Suite("Invalid URIs and outputs") struct WrongMediaTests {
  /// An unplayable URI, with its error code and message.
  struct Wrong: Sendable, CustomTestStringConvertible {
    var uri: String
    var code: PlayerError.Code
    var message: String
    var testDescription: String { uri.debugDescription }

    init(_ uri: String, _ code: PlayerError.Code, _ message: String) {
      (self.uri, self.code, self.message) = (uri, code, message)
    }

    static let malformed = [
      Wrong("", .invalidArgument, "the URI is empty"),
      Wrong("nonsense", .invalidArgument, "not an absolute URI: it has no scheme"),
      Wrong("/music/a.flac", .invalidArgument, "not an absolute URI: it has no scheme"),
      Wrong("://a", .invalidArgument, "not an absolute URI: it has no scheme"),
      Wrong("http://", .invalidArgument, "the URI does not contain a server name"),
      Wrong("http:", .invalidArgument, "the URI does not contain a server name"),
      Wrong("http:///x", .invalidArgument, "the URI does not contain a server name"),
      Wrong("HTTPS://:80/x", .invalidArgument, "the URI does not contain a server name"),
      Wrong("http://[::1/x", .invalidArgument, "the URI is malformed"),
      Wrong("http://localhost:99999/x", .invalidArgument, "the URI is malformed"),
      Wrong("file:", .invalidArgument, "the URI does not contain a file path"),
      Wrong("file:relative", .invalidArgument, "the URI does not contain a file path"),
      Wrong("file:///a%00b", .invalidArgument, "the URI does not contain a file path"),
      Wrong("file://host/x", .invalidArgument, "the file is on another host, “host”"),
      Wrong("file:///a\0b", .invalidArgument, "the URI contains a NUL byte"),
      Wrong("http://localhost/a\0b", .invalidArgument, "the URI contains a NUL byte"),
    ]

    static let unplayable = [
      Wrong("file:///", .notMedia, "a directory, not a file"),
      Wrong("file:///dev/zero", .notMedia, "a device or a pipe, not a file"),
      Wrong("FILE:///dev/zero", .notMedia, "a device or a pipe, not a file"),
      Wrong("file:///proc/self/mem", .readError, "reading failed: Input/output error"),
      Wrong("file://\(TemporaryDirectory.missing)", .notFound, "not found"),
      Wrong("file://localhost\(TemporaryDirectory.missing)", .notFound, "not found"),
      Wrong("gopher://localhost/a", .unsupportedScheme, "gopher"),
    ]
  }

  @Test("A malformed URI is rejected before a resource is opened", arguments: Wrong.malformed)
  func malformed(wrong: Wrong) throws {
    let error = try #require(MediaURI.failure(of: wrong.uri))
    #expect(error.code == wrong.code)
    #expect(error.message.contains(wrong.message))
  }

  @Test(
    "A URI that may be playable is passed to GStreamer",
    arguments: [
      "file:///a.flac", "file://localhost/a.flac", "FILE:///a.flac", "file:///a%20b", "file:///a?b", "http://h",
      "https://h:443/a b", "http://[::1]:80/ü", "http://user:secret@h/", "http://my_host/100%",
      "http://müller.de/a[1]|{x}.mp3#t", "cdda://1", "testbin://audio", "data:,",
    ])
  func wellFormed(uri: String) { #expect(MediaURI.failure(of: uri) == nil) }

  @Test("Playing, inspecting and reading an invalid URI fail with the same code and reason")
  func reported() async throws {
    try await withTemporaryDirectory { directory in
      let pipe = directory.file("pipe.flac")
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      let wrongs =
        Wrong.malformed + Wrong.unplayable + [Wrong(fileURI(pipe), .notMedia, "a device or a pipe, not a file")]
      try await withPlayer(wrongs.map(\.uri), inFastTime: false) { harness in
        try await harness.playToEnd()
        let failures = harness.significantEvents.compactMap { event -> PlayerError? in
          if case .itemFailed(_, let error) = event { error } else { nil }
        }
        try #require(failures.count == wrongs.count)
        for (wrong, error) in zip(wrongs, failures) {
          #expect(error.code == wrong.code, "playing \(wrong)")
          #expect(error.message.contains(wrong.message), "playing \(wrong): \(error.message)")
        }
      }
      let (inspector, reader) = (MediaInspector(), URIReader(byteLimit: 1, timeout: .seconds(20)))
      for wrong in wrongs {
        do throws(PlayerError) {
          _ = try await inspector.inspect(wrong.uri)
          Issue.record("inspecting \(wrong)")
        } catch {
          #expect(error.code == wrong.code, "inspecting \(wrong): \(error)")
        }
        do throws(PlayerError) {
          _ = try await reader.read(wrong.uri)
          Issue.record("reading \(wrong)")
        } catch {
          #expect(error.code == wrong.code, "reading \(wrong): \(error)")
        }
      }
    }
  }

  static let outputs = [
    ("nonsense", "nonsense"), ("", "cannot create"), ("fakesink !", "cannot create"),
    ("fakesink no-such-property=1", "no-such-property"), ("fakesink\0sync=true", "NUL"),
    ("audiotestsrc", "without an input"), ("audiotestsrc ! fakesink", "without an input"),
    ("identity", "it does not end in a sink"), ("audioconvert ! audioresample", "it does not end in a sink"),
    ("fakevideosink", "it does not accept raw audio"),
    ("capsfilter caps=audio/x-flac ! fakesink", "it does not accept raw audio"),
  ]

  @Test("With an output that cannot play audio the first item fails and playback stops", arguments: outputs)
  func output(description: String, reason: String) async throws {
    let uris = ["file://\(TemporaryDirectory.missing)/1", "file://\(TemporaryDirectory.missing)/2"]
    try await withPlayer(uris, sink: description, inFastTime: false) { harness in
      try await harness.playToEnd()
      let error = try #require(harness.player.snapshot.lastError)
      #expect(error.code == .output)
      #expect(error.message.contains(reason), "\(error.message)")
      #expect(harness.significantEvents == [.itemFailed(harness.items[0], error: error), .queueEnded])
      #expect(harness.player.snapshot.transport == .stopped)
      #expect(harness.player.snapshot.currentItem == harness.items[0])
    }
    #expect(throws: PlayerError.self) { try Player.Configuration.checkAudioSink(description) }
  }

  @Test(
    "Bins that end in a sink for raw audio are accepted as outputs",
    arguments: [
      "fakesink", "fakesink sync=true", "audioconvert ! audio/x-raw,format=S16LE ! fakesink", "filesink location=/x",
      "audioconvert ! wavenc ! filesink location=/x", "tee name=t ! queue ! fakesink t. ! queue ! fakesink",
      "queue ! level ! appsink",
    ])
  func validOutput(description: String) throws { try Player.Configuration.checkAudioSink(description) }

  static let installed = [
    "pulsesink", "pipewiresink", "alsasink", "jackaudiosink", "osssink", "openalsink", "autoaudiosink",
  ].filter(isElementInstalled)

  @Test("Each installed audio sink is accepted as an output", arguments: installed)
  func installedOutput(name: String) throws { try Player.Configuration.checkAudioSink(name) }
}
