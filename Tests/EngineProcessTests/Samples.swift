@testable import Playback

/// A message of every kind, with values in each of its fields.
enum Samples {
  static let token = StreamToken(number: 7)

  static let metadata: MediaMetadata = {
    var tags = MediaMetadata()
    (tags.title, tags.artists, tags.lyrics) = ("Title “ä”", ["One", "Two"], "[00:01.00]Line\n\u{0}")
    (tags.beatsPerMinute, tags.trackNumber, tags.bitRate) = (120.5, 3, 320_000)
    tags.artwork = .init(mimeType: "image/png", bytes: (0..<40_000).map { UInt8(truncatingIfNeeded: $0) })
    return tags
  }()

  static let progress: StreamProgress = {
    var progress = StreamProgress()
    progress.receive(from: 0)
    progress.receive(bytes: 100_000)
    progress.forward(from: 0)
    progress.decode(from: .zero)
    progress.forward(bytes: 40_000)
    progress.decode(until: .milliseconds(1_234))
    progress.deliver(until: .milliseconds(1_000))
    (progress.size, progress.bytesPerSecond) = (1 << 40, 12_345)
    return progress
  }()

  static let facts = StreamFacts(
    duration: Duration(secondsComponent: 12, attosecondsComponent: 345_678_901_234_567_891), position: .milliseconds(1),
    progress: progress)

  static let track: AudioTrack = {
    var track = AudioTrack()
    (track.codec, track.language, track.channels, track.sampleRate) = ("FLAC", "de", 2, 44_100)
    return track
  }()

  static let loudness = TrackLoudness(
    integrated: -30.25, peak: 0.75, histogram: [0: 1, 397: 2_400, 999: 7], silence: .milliseconds(9_001),
    album: String(repeating: "0a", count: 32))

  /// Values that no measurement has.
  static let impossibleLoudness: [TrackLoudness] = [
    TrackLoudness(integrated: 1_001, peak: 1, histogram: [:]),
    TrackLoudness(integrated: -1_001, peak: 1, histogram: [:]),
    TrackLoudness(integrated: nil, peak: -0.1, histogram: [:]),
    TrackLoudness(integrated: nil, peak: 1, histogram: [-1: 1]),
    TrackLoudness(integrated: nil, peak: 1, histogram: [1_000: 1]),
    TrackLoudness(integrated: nil, peak: 1, histogram: [0: 0]),
    TrackLoudness(integrated: nil, peak: 1, histogram: [0: 1_000_001]),
    TrackLoudness(integrated: nil, peak: 1, histogram: [:], silence: .seconds(-1)),
    TrackLoudness(integrated: nil, peak: 1, histogram: [:], silence: .seconds(1_000_001)),
    TrackLoudness(integrated: nil, peak: 1, histogram: [:], album: "a b"),
    TrackLoudness(integrated: nil, peak: 1, histogram: [:], album: String(repeating: "0", count: 65)),
  ]

  static let events: [EngineEvent] = [
    .settled(token, facts), .running(token, position: nil), .running(token, position: .seconds(3)),
    .readingOn(token), .seekRefused(token, position: .seconds(-1)),
    .sampled(token, position: .nanoseconds(1), progress), .progressed(token, progress), .ranOut(token, progress),
    .nextStarted(token, in: .milliseconds(20), facts, previousEnd: .seconds(9)),
    .endFound(token, at: .seconds(2)), .ended(token), .startMissed(token, position: .zero),
    .durationChanged(token, nil), .silenceFound(token, from: .seconds(11)),
    .redirected(token, to: "http://example.org/ä"),
    .failed(token, PlayerError(code: .corrupt, message: "damaged", detail: "gst 1")),
    .tags(token, metadata, about: .stream), .titleStarts(token, "Title", at: .seconds(1)),
    .timedTag(
      token, ID3Metadata(fields: metadata, frames: [.init(id: "PRIV", name: "owner", bytes: [0, 255])]), at: .zero),
    .timedTagsFlushed(token), .songEnded(token),
    .chapters(token, [Chapter(start: .zero, duration: .seconds(1), title: "One"), Chapter(start: .seconds(1))]),
    .leftOut(token, "a picture"), .audioTracks(token, [track, AudioTrack()], current: 1),
    .buffering(token, percent: 42, progress),
    .outputVolumeChanged(volume: 0.25, isMuted: true), .fadeOutEnds(in: .milliseconds(300)),
    .outputRemoved("output"), .pauseRequested, .resumeRequested, .outputFound, .outputOpened(isSilent: true),
    .outputInUse(token, "output"),
    .replaced(after: .item), .warning("text"),
  ]

  static let commands: [EngineCommand] = [
    .load(uri: "file:///%20", token), .load(uri: "http://example.org/", token, headers: headers), .unload,
    .prepare(uri: "file:///2", token), .prepare(uri: "http://example.org/", token, headers: headers),
    .crossfade(to: token, at: .seconds(180), CrossfadeShape(length: .milliseconds(6_500), curve: .equalPower)),
    .crossfade(to: nil, at: .zero, CrossfadeShape(length: .zero, curve: .linear)), .enter(token),
    .leave(token, CrossfadeShape(length: .seconds(1), curve: .linear)), .release(token), .setPlaying(true),
    .seek(
      to: .milliseconds(1_500), rate: 0.25, exactly: false, until: .seconds(9),
      startingAt: MonotonicTime(nanoseconds: 7)),
    .endStream(token, at: nil), .withdraw(token), .selectAudioTrack(-1, of: token),
    .shapeVolume(VolumeCurve([.init(from: 0, to: 1, start: .seconds(1), end: .seconds(2))]), of: token),
    .shapeVolume(nil, of: token), .setVolume(0.125), .setMuted(true),
    .fade(.out), .setSink("fakesink sync=true"), .setSink(nil), .setTimePitch(.varispeed),
    .setForwardBuffer(.seconds(2)),
    .setAudioLanguages(["de", "en"]), .setLowPowerMode(false), .measureLoudness(of: [["file:///1"], []]),
    .describeStream(StreamDescription(Player.Item(uri: "file:///1"), metadata)), .samplePosition,
  ]

  private static let headers = try? HTTPRequestHeaders(["Authorization": "x"], userAgent: "agent")
}
