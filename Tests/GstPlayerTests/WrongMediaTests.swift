import CGst
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Whether GStreamer has an element of this name.
func isElementInstalled(_ name: String) -> Bool {
  guard (try? GStreamer.initialize()) != nil, let factory = unsafe gst_element_factory_find(name) else { return false }
  unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
  return true
}

/// URIs and outputs that are wrong in themselves, each with its code and the reason.
@Suite("Wrong URIs and outputs") struct WrongMediaTests {
  /// A URI that cannot be played, with its error code and message.
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
      Wrong("http://", .invalidArgument, "the URI names no server"),
      Wrong("http:", .invalidArgument, "the URI names no server"),
      Wrong("http:///x", .invalidArgument, "the URI names no server"),
      Wrong("HTTPS://:80/x", .invalidArgument, "the URI names no server"),
      Wrong("http://[::1/x", .invalidArgument, "the URI is malformed"),
      Wrong("http://localhost:99999/x", .invalidArgument, "the URI is malformed"),
      Wrong("file:", .invalidArgument, "the URI names no file"),
      Wrong("file:relative", .invalidArgument, "the URI names no file"),
      Wrong("file:///a%00b", .invalidArgument, "the URI names no file"),
      Wrong("file://host/x", .invalidArgument, "the file is on another host, “host”"),
      Wrong("file:///a\0b", .invalidArgument, "the URI contains a NUL byte"),
      Wrong("http://localhost/a\0b", .invalidArgument, "the URI contains a NUL byte"),
    ]

    static let unplayable = [
      Wrong("file:///", .notMedia, "a directory, not a file"),
      Wrong("file:///dev/zero", .notMedia, "a device or a pipe, not a file"),
      Wrong("FILE:///dev/zero", .notMedia, "a device or a pipe, not a file"),
      Wrong("file:///proc/self/mem", .readError, "reading failed: Input/output error"),
      Wrong("file:///nonexistent", .notFound, "not found"),
      Wrong("file://localhost/nonexistent", .notFound, "not found"),
      Wrong("gopher://localhost/a", .unsupportedScheme, "gopher"),
    ]
  }

  @Test("A malformed URI is refused before anything is opened", arguments: Wrong.malformed)
  func malformed(wrong: Wrong) throws {
    let error = try #require(MediaURI.failure(of: wrong.uri))
    #expect(error.code == wrong.code)
    #expect(error.message.contains(wrong.message))
  }

  @Test(
    "A URI that may be played is left to GStreamer",
    arguments: [
      "file:///a.flac", "file://localhost/a.flac", "FILE:///a.flac", "file:///a%20b", "file:///a?b", "http://h",
      "https://h:443/a b", "http://[::1]:80/ü", "http://user:secret@h/", "http://my_host/100%",
      "http://müller.de/a[1]|{x}.mp3#t", "cdda://1", "testbin://audio", "data:,",
    ])
  func wellFormed(uri: String) { #expect(MediaURI.failure(of: uri) == nil) }

  @Test("Playing, inspecting and reading a wrong URI give one code and one reason")
  func reported() async throws {
    try await withTemporaryDirectory { directory in
      let pipe = directory.file("pipe.flac")
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      let wrongs =
        Wrong.malformed + Wrong.unplayable + [Wrong(fileURI(pipe), .notMedia, "a device or a pipe, not a file")]
      try await withPlayer(wrongs.map(\.uri)) { stage in
        try await stage.playOut()
        let failures = stage.story.compactMap { event -> PlayerError? in
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
    ("nonsense", "nonsense"), ("", "cannot be made"), ("fakesink !", "cannot be made"),
    ("fakesink no-such-property=1", "no-such-property"), ("fakesink\0sync=true", "NUL"),
    ("audiotestsrc", "it has no input"), ("audiotestsrc ! fakesink", "it has no input"),
    ("identity", "it does not end in a sink"), ("audioconvert ! audioresample", "it does not end in a sink"),
    ("fakevideosink", "it accepts no raw audio"),
    ("capsfilter caps=audio/x-flac ! fakesink", "it accepts no raw audio"),
  ]

  @Test("An output that cannot play audio fails the first item, and playback stops", arguments: outputs)
  func output(description: String, reason: String) async throws {
    let uris = ["file:///nonexistent/1", "file:///nonexistent/2"]
    try await withPlayer(uris, sink: description) { stage in
      try await stage.playOut()
      let error = try #require(stage.player.snapshot.lastError)
      #expect(error.code == .output)
      #expect(error.message.contains(reason), "\(error.message)")
      #expect(stage.story == [.itemFailed(stage.items[0], error), .queueEnded])
      #expect(stage.player.snapshot.transport == .stopped)
      #expect(stage.player.snapshot.currentItem == stage.items[0])
    }
    #expect(throws: PlayerError.self) { try PlayerConfiguration.checkAudioSink(description) }
  }

  @Test(
    "Bins that end in a sink for raw audio are outputs",
    arguments: [
      "fakesink", "fakesink sync=true", "audioconvert ! audio/x-raw,format=S16LE ! fakesink", "filesink location=/x",
      "audioconvert ! wavenc ! filesink location=/x", "tee name=t ! queue ! fakesink t. ! queue ! fakesink",
      "queue ! level ! appsink",
    ])
  func validOutput(description: String) throws { try PlayerConfiguration.checkAudioSink(description) }

  static let installed = [
    "pulsesink", "pipewiresink", "alsasink", "jackaudiosink", "osssink", "openalsink", "autoaudiosink",
  ].filter(isElementInstalled)

  @Test("Each installed audio sink is an output", arguments: installed)
  func installedOutput(name: String) throws { try PlayerConfiguration.checkAudioSink(name) }
}
