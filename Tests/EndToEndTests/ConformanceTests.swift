import DBus
import TestSupport
import Testing

/// Tests of the MPRIS specification, and of this project's reading of its gaps, on the built daemon.
@Suite
struct ConformanceTests {
  @Test("Every property has its introspected type when empty, playing, paused and stopped")
  func types() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon([]) { daemon in
      let object = try await Introspected(DaemonUnderTest.name, DaemonUnderTest.path, over: daemon.client)
      #expect(object.properties.count == 27)
      func audit(_ state: String) async throws {
        for (interface, _) in object.interfaces where interface.hasPrefix("org.mpris.") {
          let values = try await daemon.getAll(of: InterfaceName(interface))
          let types = values.mapValues(\.signature)
          let declared = object.properties.filter { $0.interface.rawValue == interface }.map { ($0.name, $0.type) }
          #expect(types == Dictionary(uniqueKeysWithValues: declared), "\(interface), \(state)")
          for (key, value) in values["Metadata"]?.asDictionary ?? [:] {
            #expect(value.signature == Self.metadataTypes[key], "\(key), \(state)")
          }
        }
      }
      try await audit("empty")
      try await daemon.call("OpenUri", [.string("file://" + files[0])])
      try await daemon.titled("First")
      try await audit("playing")
      try await daemon.call("Pause")
      try await audit("paused")
      try await daemon.call("Stop")
      try await audit("stopped")
    }
  }

  private static let metadataTypes: [String: DBusSignature] = [
    "mpris:trackid": "o", "mpris:length": "x", "mpris:artUrl": "s", "xesam:url": "s", "xesam:title": "s",
    "xesam:artist": "as", "xesam:album": "s", "xesam:comment": "as", "xesam:genre": "as", "xesam:trackNumber": "i",
    "xesam:contentCreated": "s",
  ]

  @Test("The root interface describes the program and its missing capabilities")
  func root() async throws {
    try await withDaemon([]) { daemon in
      let root = try await daemon.getAll(of: "org.mpris.MediaPlayer2")
      #expect(root["Identity"] == .string("mpris-playerd") && root["DesktopEntry"] == .string("mpris-playerd"))
      #expect(root["CanQuit"] == .boolean(true) && root["CanRaise"] == .boolean(false))
      #expect(root["SupportedUriSchemes"]?.asStrings?.contains("file") == true)
      #expect(root["SupportedMimeTypes"]?.asStrings?.contains("audio/flac") == true)
      #expect(root["Fullscreen"] == nil && root["CanSetFullscreen"] == nil)
      _ = try await daemon.client.call(
        on: DaemonUnderTest.name, at: DaemonUnderTest.path, of: "org.mpris.MediaPlayer2", "Raise")
      #expect(daemon.process.isRunning)
    }
  }

  @Test("Without a loaded track the capabilities are false, and every call succeeds without effect")
  func nothingLoaded() async throws {
    try await withDaemon([]) { daemon in
      let player = try await daemon.getAll(of: DaemonUnderTest.player)
      #expect(player["Metadata"] == .dictionary([]) && player["PlaybackStatus"] == .string("Stopped"))
      #expect(player["Position"] == .int64(0) && player["CanControl"] == .boolean(true))
      for name in ["CanPlay", "CanPause", "CanSeek", "CanGoNext", "CanGoPrevious"] {
        #expect(player[name] == .boolean(false), "\(name)")
      }
      let mark = daemon.signals.count
      for method in ["Play", "Pause", "PlayPause", "Stop", "Next", "Previous"] as [MemberName] {
        try await daemon.call(method)
      }
      try await daemon.call("Seek", [.int64(1_000_000)])
      try await daemon.call("SetPosition", [.objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack"), .int64(0)])
      try await daemon.barrier()
      #expect(daemon.signals.count == mark)
    }
  }

  @Test("Next and Previous follow the queue and the loop mode; without a neighbour they do nothing")
  func neighbours() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0], files[1]]) { daemon in
      try await daemon.titled("First")
      for loop in ["None", "Track", "Playlist"] {
        try await daemon.set("LoopStatus", .string(loop))
        let wraps = loop == "Playlist"
        #expect(try await daemon.get("CanGoPrevious") == .boolean(wraps))
        #expect(try await daemon.get("CanGoNext") == .boolean(true))
        try await daemon.go("Previous", to: wraps ? "Second" : "First")
        if !wraps { try await daemon.go("Next", to: "Second") }
        #expect(try await daemon.get("CanGoNext") == .boolean(wraps))
        try await daemon.go("Next", to: wraps ? "First" : "Second")
        if !wraps { try await daemon.go("Previous", to: "First") }
        #expect(try await daemon.status() == "Paused")
      }
    }
  }

  @Test("A change of tracks keeps Playing, Paused and Stopped", arguments: ["Playing", "Paused", "Stopped"])
  func stateStays(state: String) async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(files) { daemon in
      try await daemon.titled("First")
      if state == "Paused" { try await daemon.call("Pause") }
      if state == "Stopped" { try await daemon.call("Stop") }
      for (method, number) in [("Next", 1), ("Next", 2), ("Previous", 1)] as [(MemberName, Int)] {
        try await daemon.barrier()
        let mark = daemon.signals.count
        try await daemon.call(method)
        try await daemon.opened("file://" + files[number], from: mark)
        #expect(try await daemon.status() == state)
      }
      for name in ["CanPlay", "CanPause"] { #expect(try await daemon.get(name) == .boolean(true)) }
      if state != "Playing" { #expect(try await daemon.position() == 0) }
    }
  }

  @Test("Seeking past the end acts as Next, and stops on the last track", arguments: [true, false])
  func seekPastTheEnd(paused: Bool) async throws {
    let files = try await TrackListTests.files()
    try await withDaemon((paused ? ["--paused"] : []) + [files[0], files[1]]) { daemon in
      try await daemon.titled("First")
      try await daemon.call("Seek", [.int64(20_000_001)])
      try await daemon.titled("Second")
      #expect(try await daemon.status() == (paused ? "Paused" : "Playing"))
      try await daemon.call("Seek", [.int64(.max)])
      #expect(try await daemon.status() == "Stopped")
      #expect(try await daemon.metadata("xesam:title") == .string("Second"))
      #expect(try await daemon.position() == 0)
    }
  }

  @Test(
    "After Stop the track is loaded at its start, and Play starts it",
    arguments: ["Play", "PlayPause"] as [MemberName])
  func stop(method: MemberName) async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(files) { daemon in
      try await daemon.titled("First")
      try await daemon.call("Seek", [.int64(10_000_000)])
      try await daemon.call("Stop")
      let player = try await daemon.getAll(of: DaemonUnderTest.player)
      #expect(player["PlaybackStatus"] == .string("Stopped") && player["Position"] == .int64(0))
      #expect(player["Metadata"]?.asDictionary?["xesam:title"] == .string("First"))
      #expect(player["CanPlay"] == .boolean(true) && player["CanGoNext"] == .boolean(true))
      try await daemon.call("Stop")
      try await daemon.call(method)
      #expect(try await daemon.status() == "Playing")
      #expect(try await daemon.position() < 5_000_000)
      #expect(try await daemon.metadata("xesam:title") == .string("First"))
    }
  }

  @Test("PlayPause pauses when playing and plays when paused")
  func playPause() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(files) { daemon in
      try await daemon.titled("First")
      for state in ["Paused", "Playing", "Paused"] {
        try await daemon.call("PlayPause")
        #expect(try await daemon.status() == state)
      }
      let held = try await daemon.position()
      #expect(try await daemon.position() == held)
    }
  }
}

extension DaemonUnderTest {
  func getAll(of interface: InterfaceName) async throws -> [String: DBusValue] {
    let reply = try await client.call(
      on: Self.name, at: Self.path, of: Self.properties, "GetAll", [.string(interface.rawValue)])
    guard let values = reply.first?.asDictionary else { throw UnexpectedReply(text: "\(reply)") }
    return values
  }

  /// Calls a method and waits until the resulting track is signalled.
  fileprivate func go(_ method: MemberName, to title: String) async throws {
    try await barrier()
    let mark = signals.count
    try await call(method)
    try await titled(title, from: mark)
  }

  /// Waits until the current track has a URI: returns at once if it has, or after a signal at or after `start` that
  /// reports it.
  func opened(_ uri: String, from start: Int = 0) async throws {
    if try await metadata("xesam:url") == .string(uri) { return }
    try await changed("Metadata", from: start) { $0.asDictionary?["xesam:url"] == .string(uri) }
  }
}
