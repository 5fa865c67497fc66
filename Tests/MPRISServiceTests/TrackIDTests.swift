import DBus
import MPRISService
import Testing

/// Tests of track IDs and of the prefix of their paths.
@Suite struct TrackIDTests {
  private static let other: MPRISTrackPathPrefix = "/com/example/other"

  @Test(
    "The path of a track is below the prefix of its player",
    arguments: [
      (MPRISTrackID(0, in: .example), "/org/example/track/0"),
      (MPRISTrackID(.max, in: .example), "/org/example/track/18446744073709551615"),
      (MPRISTrackID(7, passage: 1, in: .example), "/org/example/track/7"),
      (MPRISTrackID(7, passage: 2, in: .example), "/org/example/track/7/2"),
      (MPRISTrackID(7, passage: 2, in: other), "/com/example/other/7/2"),
      (.noTrack, "/org/mpris/MediaPlayer2/TrackList/NoTrack"),
    ])
  func path(track: MPRISTrackID, path: String) { #expect(track.path.rawValue == path) }

  @Test(
    "A track ID is parsed from its path",
    arguments: [
      MPRISTrackID(7, in: .example), MPRISTrackID(7, passage: 2, in: .example),
      MPRISTrackID(.max, passage: .max, in: .example),
      .noTrack,
    ])
  func reading(track: MPRISTrackID) { #expect(MPRISTrackID(path: track.path, in: .example) == track) }

  @Test(
    "A path in another spelling or below another prefix is not a track ID",
    arguments: [
      "track/7/1", "track/7/0", "track/7/02", "track/07", "track/7/2/3", "track/7/x", "track/18446744073709551616",
      "track/7/18446744073709551616", "track", "tracks/7", "7",
    ])
  func foreign(path: String) throws {
    #expect(MPRISTrackID(path: try ObjectPath("/org/example/" + path), in: .example) == nil)
    #expect(MPRISTrackID(path: MPRISTrackID(7, in: .example).path, in: Self.other) == nil)
  }

  @Test("Passages of a track are the same track; tracks of two players are not")
  func identity() {
    #expect(MPRISTrackID(7, in: .example).isSameTrack(as: MPRISTrackID(7, passage: 3, in: .example)))
    #expect(!MPRISTrackID(7, in: .example).isSameTrack(as: MPRISTrackID(8, in: .example)))
    #expect(!MPRISTrackID(7, in: .example).isSameTrack(as: MPRISTrackID(7, in: Self.other)))
    #expect(MPRISTrackID(7, in: .example) != MPRISTrackID(7, in: Self.other))
    #expect(!MPRISTrackID(0, in: .example).isSameTrack(as: .noTrack))
  }

  @Test(
    "A prefix is an object path that is not reserved by MPRIS",
    arguments: [
      ("/org/example/track", true), ("/a", true), ("/org/mpri", true), ("/com/org/mpris", true), ("", false),
      ("/", false), ("/org/example/", false), ("org/example", false), ("/org//example", false),
      ("/org/exa-mple", false),
      ("/org/mpris", false), ("/org/mpris/MediaPlayer2/Track", false), ("/org/mprisx", false), ("/a\0b", false),
    ])
  func prefix(text: String, isValid: Bool) {
    do throws(DBusError) {
      #expect(try MPRISTrackPathPrefix(text).rawValue == text)
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
