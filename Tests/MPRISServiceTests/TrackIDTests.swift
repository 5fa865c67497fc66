import DBus
import MPRISService
import Testing

/// Track identities and the prefix of their paths, by tables.
@Suite struct TrackIDTests {
  private static let other: TrackPathPrefix = "/com/example/other"

  @Test(
    "The path of a track is below the prefix of its player",
    arguments: [
      (TrackID(0, in: .example), "/org/example/track/0"),
      (TrackID(.max, in: .example), "/org/example/track/18446744073709551615"),
      (TrackID(7, passage: 1, in: .example), "/org/example/track/7"),
      (TrackID(7, passage: 2, in: .example), "/org/example/track/7/2"),
      (TrackID(7, passage: 2, in: other), "/com/example/other/7/2"),
      (.noTrack, "/org/mpris/MediaPlayer2/TrackList/NoTrack"),
    ])
  func path(track: TrackID, path: String) { #expect(track.path.rawValue == path) }

  @Test(
    "A track identity is read back from its path",
    arguments: [
      TrackID(7, in: .example), TrackID(7, passage: 2, in: .example), TrackID(.max, passage: .max, in: .example),
      .noTrack,
    ])
  func reading(track: TrackID) { #expect(TrackID(path: track.path, in: .example) == track) }

  @Test(
    "A path in another spelling or below another prefix is that of no track",
    arguments: [
      "track/7/1", "track/7/0", "track/7/02", "track/07", "track/7/2/3", "track/7/x", "track/18446744073709551616",
      "track/7/18446744073709551616", "track", "tracks/7", "7",
    ])
  func foreign(path: String) throws {
    #expect(TrackID(path: try ObjectPath("/org/example/" + path), in: .example) == nil)
    #expect(TrackID(path: TrackID(7, in: .example).path, in: Self.other) == nil)
  }

  @Test("Passages of a track are the same track; tracks of two players are not")
  func identity() {
    #expect(TrackID(7, in: .example).isSameTrack(as: TrackID(7, passage: 3, in: .example)))
    #expect(!TrackID(7, in: .example).isSameTrack(as: TrackID(8, in: .example)))
    #expect(!TrackID(7, in: .example).isSameTrack(as: TrackID(7, in: Self.other)))
    #expect(TrackID(7, in: .example) != TrackID(7, in: Self.other))
    #expect(!TrackID(0, in: .example).isSameTrack(as: .noTrack))
  }

  @Test(
    "A prefix is an object path that MPRIS does not reserve",
    arguments: [
      ("/org/example/track", true), ("/a", true), ("/org/mpri", true), ("/com/org/mpris", true), ("", false),
      ("/", false), ("/org/example/", false), ("org/example", false), ("/org//example", false),
      ("/org/exa-mple", false),
      ("/org/mpris", false), ("/org/mpris/MediaPlayer2/Track", false), ("/org/mprisx", false), ("/a\0b", false),
    ])
  func prefix(text: String, isValid: Bool) {
    do throws(DBusError) {
      #expect(try TrackPathPrefix(text).rawValue == text)
      #expect(isValid, "\(text)")
    } catch {
      #expect(!isValid, "\(text)")
      guard case .invalidArguments("") = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
