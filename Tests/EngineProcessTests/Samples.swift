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

  static let events: [EngineEvent] =
    streamEvents.map { .stream(token, $0) } + outputEvents.map { .output($0) } + [
      .audible(token, at: nil), .audible(token, at: .seconds(3)), .replaced(after: .output), .warning("text"),
    ]

  private static let streamEvents: [StreamEvent] = [
    .settled(facts), .readingOn, .seekRefused(position: .seconds(-1)), .read,
    .sampled(position: .nanoseconds(1), progress), .progressed(progress), .ranOut(progress),
    .ended(at: .seconds(2)), .ended(at: nil), .startMissed(position: .zero),
    .durationChanged(nil), .redirected(to: "http://example.org/ä"),
    .failed(PlayerError(code: .corrupt, message: "damaged", detail: "gst 1")),
    .tags(metadata, about: .stream), .titleStarts("Title", at: .seconds(1)),
    .timedTag(ID3Metadata(fields: metadata, frames: [.init(id: "PRIV", name: "owner", bytes: [0, 255])]), at: .zero),
    .timedTagsFlushed, .songEnded,
    .chapters([Chapter(start: .zero, duration: .seconds(1), title: "One"), Chapter(start: .seconds(1))]),
    .leftOut("a picture"), .audioTracks([track, AudioTrack()], current: 1), .buffering(percent: 42, progress),
  ]

  private static let outputEvents: [OutputEvent] = [
    .failed(PlayerError(code: .output, message: "lost")), .opened(isSilent: true), .found, .inUse("output"),
    .removed("output"), .volumeChanged(volume: 0.25, isMuted: true), .fadeOutEnds(in: .milliseconds(300)),
    .pauseRequested, .resumeRequested,
  ]

  static let commands: [EngineCommand] = [
    .open(StreamRequest(uri: "file:///%20", stream: token)),
    .open(
      StreamRequest(
        uri: "http://example.org/", stream: token, headers: headers, audioTrack: 1, start: .milliseconds(1_500))),
    .close(token), .seek(token, to: .milliseconds(1_500), exactly: false), .plan([]), .plan(parts),
    .settings(EngineSettings(Player.Configuration())), .settings(settings), .setPlaying(true),
    .start(at: MonotonicTime(nanoseconds: 7)), .start(at: nil), .selectAudioTrack(-1, of: token), .fade(.out),
    .reopenOutput, .samplePosition(of: token),
  ]

  private static let parts = [
    PlannedPart(token, end: .seconds(9), fadeOut: CrossfadeShape(length: .seconds(1), curve: .linear)),
    PlannedPart(
      StreamToken(number: 8), join: .overlap(CrossfadeShape(length: .milliseconds(6_500), curve: .equalPower)),
      curve: VolumeCurve([.init(from: 0, to: 1, start: .seconds(1), end: .seconds(2))]),
      measured: LoudnessGain(gain: -12.25, peak: 0.75)),
    PlannedPart(StreamToken(number: 9), join: .fadeIn(CrossfadeShape(length: .seconds(60), curve: .linear))),
  ]

  static let settings: EngineSettings = {
    var settings = EngineSettings(Player.Configuration())
    (settings.volume, settings.isMuted, settings.rate, settings.timePitch) = (0.125, true, 0.25, .varispeed)
    (settings.sink, settings.forwardBuffer, settings.audioLanguages) = ("fakesink", .seconds(2), ["de", "en"])
    settings.isLowPowerModeEnabled = true
    settings.description = StreamDescription(Player.Item(uri: "file:///1"), metadata)
    return settings
  }()

  /// Commands with values that no player sends.
  static let impossibleCommands: [EngineCommand] = {
    let long = CrossfadeShape(length: .seconds(61), curve: .linear)
    let loud = VolumeCurve([.init(from: 0, to: 11, start: .seconds(1), end: .seconds(2))])
    var rate = settings
    rate.rate = 1e9
    var volume = settings
    volume.volume = -1
    var buffer = settings
    buffer.forwardBuffer = .seconds(-1)
    return [
      .open(StreamRequest(uri: "file:///1", stream: token, start: .seconds(-1))), .seek(token, to: .seconds(-1)),
      .plan(Array(repeating: PlannedPart(token), count: 17)), .plan([PlannedPart(token, end: .seconds(-1))]),
      .plan([PlannedPart(token, join: .overlap(long))]), .plan([PlannedPart(token, join: .fadeIn(long))]),
      .plan([PlannedPart(token, fadeOut: long)]), .plan([PlannedPart(token, curve: loud)]),
      .plan([PlannedPart(token, fadeOut: CrossfadeShape(length: .seconds(-1), curve: .linear))]),
      .plan([PlannedPart(token, measured: LoudnessGain(gain: 1_101, peak: 1))]),
      .plan([PlannedPart(token, measured: LoudnessGain(gain: -1_101, peak: 1))]),
      .plan([PlannedPart(token, measured: LoudnessGain(gain: 0, peak: -0.1))]),
      .settings(rate), .settings(volume), .settings(buffer),
    ]
  }()

  private static let headers = try? HTTPRequestHeaders(["Authorization": "x"], userAgent: "agent")
}
