import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the properties that can and cannot be set, and of the URIs that can be opened.
extension ConformanceTests {
  /// Checks that the reply to a call is an error with this name and a text.
  ///
  /// The calls stand outside of macros because the compiler (6.3) confuses closures in and beside one macro.
  private func refuses(_ name: String, _ call: () async throws -> Void) async throws {
    let error = try await #require(throws: DBusError.self) { try await call() }
    #expect(error.name == "org.freedesktop.DBus.Error." + name)
    #expect(!error.message.isEmpty && error.message != error.name, "\(error)")
  }

  @Test("A property returns the value that was set, from any number type; values out of bounds are clamped or refused")
  func setters() async throws {
    try await withDaemon([]) { daemon in
      for (name, value, result) in [
        ("Volume", .double(0.5), .double(0.5)), ("Volume", .int32(0), .double(0)), ("Volume", .double(-3), .double(0)),
        ("Volume", .double(7), .double(1)), ("Volume", .byte(1), .double(1)), ("Rate", .int64(2), .double(2)),
        ("Rate", .double(0.25), .double(0.25)), ("Rate", .uint32(4), .double(4)),
        ("Shuffle", .boolean(true), .boolean(true)),
        ("LoopStatus", .string("Track"), .string("Track")), ("LoopStatus", .string("Playlist"), .string("Playlist")),
      ] as [(String, DBusValue, DBusValue)] {
        try await daemon.set(name, value)
        #expect(try await daemon.get(name) == result, "\(name) = \(value)")
      }
      for (name, value) in [
        ("Volume", .double(.nan)), ("Volume", .double(.infinity)), ("Volume", .string("1")), ("Rate", .double(4.01)),
        ("Rate", .double(0.24)), ("Rate", .double(-1)), ("Rate", .double(.nan)), ("Rate", .boolean(true)),
        ("LoopStatus", .string("Sometimes")), ("LoopStatus", .string("track")), ("LoopStatus", .int32(1)),
        ("Shuffle", .string("true")), ("Shuffle", .int32(1)),
      ] as [(String, DBusValue)] {
        let before = try await daemon.get(name)
        try await refuses("InvalidArgs") { try await daemon.set(name, value) }
        #expect(try await daemon.get(name) == before)
      }
    }
  }

  @Test("A rate of 0 pauses, and the rate keeps its value")
  func rateZero() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(files) { daemon in
      try await daemon.titled("First")
      try await daemon.set("Rate", .double(1.5))
      try await daemon.set("Rate", .double(0))
      #expect(try await daemon.status() == "Paused")
      #expect(try await daemon.get("Rate") == .double(1.5))
    }
  }

  @Test("Read-only and unknown members are refused with the matching D-Bus error")
  func errors() async throws {
    try await withDaemon([]) { daemon in
      for name in ["PlaybackStatus", "Metadata", "Position", "MinimumRate", "MaximumRate", "CanPlay", "CanControl"] {
        try await refuses("PropertyReadOnly") { try await daemon.set(name, .double(1)) }
      }
      try await refuses("UnknownProperty") { try await daemon.set("Colour", .double(1)) }
      try await refuses("UnknownProperty") { _ = try await daemon.get("Colour") }
      try await refuses("UnknownInterface") { _ = try await daemon.get("Rate", of: "org.mpris.None") }
      try await refuses("UnknownInterface") { _ = try await daemon.getAll(of: "org.mpris.None") }
      try await refuses("UnknownMethod") { try await daemon.call("Dance") }
      try await refuses("InvalidArgs") { try await daemon.call("Play", [.boolean(true)]) }
      try await refuses("UnknownObject") {
        _ = try await daemon.client.call(on: DaemonUnderTest.name, at: "/nowhere", of: DaemonUnderTest.player, "Play")
      }
    }
  }

  @Test("A call with NO_REPLY_EXPECTED is executed and gets no reply")
  func noReply() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(files) { daemon in
      try await daemon.titled("First")
      for method in ["Pause", "Dance"] as [MemberName] {
        try await daemon.client.send(
          on: DaemonUnderTest.name, at: DaemonUnderTest.path, of: DaemonUnderTest.player, method)
      }
      #expect(try await daemon.status() == "Paused")
    }
  }

  @Test("OpenUri accepts URIs and paths, and plays at once after the current track, also from an empty queue")
  func open() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { directory in
      try directory.makeDirectory("folder")
      for (name, file) in zip(["10.flac", "2.flac"], files) {
        #expect(unsafe symlink(file, directory.file("folder/" + name)) == 0)
      }
      try await withDaemon([]) { daemon in
        try await daemon.call("OpenUri", [.string("file://" + files[0])])
        try await daemon.titled("First")
        #expect(try await daemon.status() == "Playing")
        #expect(try await daemon.get("CanGoNext") == .boolean(false))
        try await daemon.call("OpenUri", [.string(files[1])])
        try await daemon.titled("Second")
        try await daemon.call("Pause")
        try await daemon.call("Previous")
        try await daemon.titled("First")
        try await daemon.call("OpenUri", [.string("file://" + files[2])])
        try await daemon.titled("Third")
        #expect(try await daemon.status() == "Playing")
        try await daemon.call("Next")
        try await daemon.titled("Second")
        try await daemon.call("OpenUri", [.string(directory.file("folder"))])
        try await daemon.opened("file://" + directory.file("folder/2.flac"))
        try await daemon.call("Next")
        try await daemon.opened("file://" + directory.file("folder/10.flac"))
      }
    }
  }

  @Test("OpenUri ignores a refused URI; it accepts a missing file, which fails once, and playback continues")
  func openBad() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(files) { daemon in
      try await daemon.opened(titled: "First")
      let mark = daemon.signals.count
      for (uri, name) in [
        ("gopher://example.org/a", "NotSupported"), ("cdda://1", "NotSupported"), ("nothing", "InvalidArgs"),
        ("", "InvalidArgs"), ("relative/path.flac", "InvalidArgs"),
      ] {
        try await refuses(name) { try await daemon.call("OpenUri", [.string(uri)]) }
      }
      try await daemon.barrier()
      let emitted = daemon.signals.elements[mark...]
      #expect(emitted.allSatisfy { !$0.isSeeked && $0.changes?["PlaybackStatus"] == nil }, "\(emitted)")
      #expect(try await daemon.status() == "Playing")
      try await daemon.call("OpenUri", [.string("file://" + Media.missing)])
      try await daemon.process.waitForLine(containing: "\(Media.missing): not found")
      try await daemon.titled("Second")
      #expect(try await daemon.status() == "Playing")
      #expect(daemon.process.captured(.error).split(separator: "\n").count == 1)
    }
  }
}
