import DBus
import Testing

@testable import MPRISService

/// Tests of the declared members against the specification.
@Suite struct IntrospectionTests {
  private func lines(of interface: DBusInterface<MPRISSnapshot>) -> [String] {
    DBusIntrospection.xml(path: MPRISService.path, interfaces: [interface])
      .split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { !$0.hasPrefix("</") }
  }

  private func property(_ name: String, _ type: String, _ access: String = "read", _ changes: String? = nil) -> [String]
  {
    let start = "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\""
    guard let changes else { return [start + "/>"] }
    return [
      start + ">", "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(changes)\"/>",
    ]
  }

  private func method(_ name: String, _ arguments: (String, String)...) -> [String] {
    guard !arguments.isEmpty else { return ["<method name=\"\(name)\"/>"] }
    return ["<method name=\"\(name)\">"]
      + arguments.map { "<arg name=\"\($0.0)\" type=\"\($0.1)\" direction=\"in\"/>" }
  }

  private func signal(_ name: String, _ arguments: (String, String)...) -> [String] {
    ["<signal name=\"\(name)\">"] + arguments.map { "<arg name=\"\($0.0)\" type=\"\($0.1)\"/>" }
  }

  @Test("The root interface matches the specification")
  func root() {
    let expected =
      method("Raise") + method("Quit") + property("CanQuit", "b") + property("CanRaise", "b")
      + property("HasTrackList", "b") + property("Identity", "s", "read", "const")
      + property("DesktopEntry", "s", "read", "const") + property("SupportedUriSchemes", "as", "read", "const")
      + property("SupportedMimeTypes", "as", "read", "const")
    let lines = lines(of: RootInterface(player: FakePlayer()).rows)
    #expect(lines.contains("<interface name=\"org.mpris.MediaPlayer2\">"))
    #expect(Set(lines).isSuperset(of: expected))
    #expect(lines.filter { $0.hasPrefix("<property") }.count == 7)
    #expect(lines.filter { $0.hasPrefix("<method") }.count == 2)
  }

  @Test("Without a desktop file the property DesktopEntry is missing")
  func withoutDesktopEntry() {
    let fake = FakePlayer(.example.with { $0.desktopEntry = nil })
    #expect(!lines(of: RootInterface(player: fake).rows).contains { $0.contains("DesktopEntry") })
  }

  @Test("The player interface matches the specification")
  func player() {
    let lines = lines(of: PlayerInterface(player: FakePlayer()).rows)
    let methods: [[String]] = [
      method("Next"), method("Previous"), method("Pause"), method("PlayPause"), method("Stop"), method("Play"),
      method("Seek", ("Offset", "x")), method("SetPosition", ("TrackId", "o"), ("Position", "x")),
      method("OpenUri", ("Uri", "s")),
    ]
    let properties: [[String]] = [
      property("PlaybackStatus", "s"), property("LoopStatus", "s", "readwrite"), property("Rate", "d", "readwrite"),
      property("Shuffle", "b", "readwrite"), property("Metadata", "a{sv}"), property("Volume", "d", "readwrite"),
      property("Position", "x", "read", "false"), property("MinimumRate", "d"), property("MaximumRate", "d"),
      property("CanGoNext", "b"), property("CanGoPrevious", "b"), property("CanPlay", "b"), property("CanPause", "b"),
      property("CanSeek", "b"), property("CanControl", "b", "read", "const"),
    ]
    let signals = ["<signal name=\"Seeked\">", "<arg name=\"Position\" type=\"x\"/>"]
    #expect(lines.contains("<interface name=\"org.mpris.MediaPlayer2.Player\">"))
    #expect(Set(lines).isSuperset(of: methods.joined()))
    #expect(Set(lines).isSuperset(of: properties.joined()))
    #expect(Set(lines).isSuperset(of: signals))
    #expect(lines.filter { $0.hasPrefix("<property") }.count == 15)
    #expect(lines.filter { $0.hasPrefix("<method") }.count == 9)
    #expect(lines.filter { $0.hasPrefix("<annotation") }.count == 2)
  }

  @Test("The TrackList and Playlists interfaces match the specification")
  func trackListAndPlaylists() async throws {
    let fake = FakePlayer()
    try await withServedPlayer(fake, as: FakeJukebox(fake)) { served in
      let xml = try await #require(served.call("Introspect", of: "org.freedesktop.DBus.Introspectable").first?.asString)
      let lines = xml.split(separator: "\n").map { String($0.drop { $0 == " " }) }
      let expected: [[String]] = [
        method("AddTrack", ("Uri", "s"), ("AfterTrack", "o"), ("SetAsCurrent", "b")),
        method("RemoveTrack", ("TrackId", "o")), method("GoTo", ("TrackId", "o")),
        ["<method name=\"GetTracksMetadata\">", "<arg name=\"TrackIds\" type=\"ao\" direction=\"in\"/>"],
        ["<arg name=\"Metadata\" type=\"aa{sv}\" direction=\"out\"/>"],
        property("Tracks", "ao", "read", "invalidates"), property("CanEditTracks", "b"),
        signal("TrackListReplaced", ("Tracks", "ao"), ("CurrentTrack", "o")),
        signal("TrackAdded", ("Metadata", "a{sv}"), ("AfterTrack", "o")), signal("TrackRemoved", ("TrackId", "o")),
        signal("TrackMetadataChanged", ("TrackId", "o"), ("Metadata", "a{sv}")),
        method("ActivatePlaylist", ("PlaylistId", "o")),
        method("GetPlaylists", ("Index", "u"), ("MaxCount", "u"), ("Order", "s"), ("ReverseOrder", "b")),
        ["<arg name=\"Playlists\" type=\"a(oss)\" direction=\"out\"/>"], property("PlaylistCount", "u"),
        property("Orderings", "as"), property("ActivePlaylist", "(b(oss))"),
        signal("PlaylistChanged", ("Playlist", "(oss)")),
      ]
      #expect(Set(expected.joined()).subtracting(lines).isEmpty)
    }
  }

  @Test("The object lists both MPRIS interfaces and the standard ones")
  func interfaces() async throws {
    try await withServedPlayer { served in
      let xml = try await #require(served.call("Introspect", of: "org.freedesktop.DBus.Introspectable").first?.asString)
      let interfaces = xml.split(separator: "\n").filter { $0.contains("<interface") }
        .compactMap { $0.split(separator: "\"").dropFirst().first }
      #expect(
        Set(interfaces) == [
          "org.mpris.MediaPlayer2", "org.mpris.MediaPlayer2.Player", "org.freedesktop.DBus.Properties",
          "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer",
        ])
    }
  }
}
