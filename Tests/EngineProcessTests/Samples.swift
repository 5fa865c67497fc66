import Joining

@testable import EngineProcess
@testable import Playback

/// A message of every kind, with values in each of its fields.
enum Samples {
  static let token = StreamToken(number: 7)
  static let passage = Passage(token, seek: 3)
  static let part = Part.ID(70)

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

  /// Formats that no sound card has.
  static let impossibleFormats: [PCMFormat] = [
    (0, 2), (-1, 2), (1_536_001, 2), (44_100, 0), (44_100, -1), (44_100, 65),
  ]
  .compactMap { shape in
    guard var format = Self.format else { return nil }
    (format.rate, format.channels) = shape
    return format
  }

  static let format = PCMFormat(.int24, rate: 96_000, channels: 2, channelMask: 3)

  // MARK: Reports

  static let reports: [EngineReport] =
    deckReports.map { .deck(token, $0) } + outputReports.map { .output($0) } + [
      .started(sandbox: nil), .outputHangs, .ringFault(token, "seek 1 after 2"), .warning("text"),
      .openFile(Array("/ä".utf8), request: 3), .answer(ping: 4), .log("text", isFatal: true),
      .crashed(thread: "queue0"), .withdrawn(token),
    ]

  static let deckReports: [DeckReport] =
    streamEvents.map { .event($0) } + [
      .ended(passage, at: .seconds(3)), .refused(passage), .loudness(GainTags()), .loudness(loudnessTags),
      .measured(progress), .warning("text"), .abandoned("text"),
    ]

  static let outputReports: [OutputReport] =
    outputEvents.map { .event($0) } + [
      .began(position), .ended(position), .silent(part, at: nil), .silent(part, at: .seconds(1)), .resumed([]),
      .resumed([position, position]), .startMissed([position]), .playedOut, .dry(passage),
      .owed(passage, rest: .seconds(1), isDecoding: true), .supplied(passage), .decoded(passage, until: .seconds(9)),
      .sampled(position),
      .tail(passage, .milliseconds(7)), .warning("text"),
    ] + (format.map { [.conversion(passage, $0)] } ?? [])

  private static let position = OutputReport.Position(part, .milliseconds(1_500))

  private static let loudnessTags: GainTags = {
    var tags = GainTags()
    (tags.trackGain, tags.albumGain, tags.trackPeak, tags.albumPeak) = (-6.5, 1_000, 0.75, 1)
    return tags
  }()

  static let streamEvents: [StreamEvent] = [
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

  static let outputEvents: [OutputEvent] = [
    .failed(PlayerError(code: .output, message: "lost")), .opened(isSilent: true), .found, .inUse("output"), .suspended,
    .removed("output"), .added("output"), .unplugged("Headphones"), .volumeChanged(volume: 0.25, isMuted: true),
    .fadeOutEnds(in: .milliseconds(300)), .pauseRequested, .resumeRequested,
  ]

  /// Reports with values that no process of an engine has.
  static let impossibleReports: [EngineReport] = {
    var picture = MediaMetadata()
    picture.artwork = .init(mimeType: "image/png", bytes: [UInt8](repeating: 0, count: (16 << 20) + 1))
    let events: [StreamEvent] = [
      .durationChanged(.seconds(-1)), .ended(at: .seconds(-1)), .buffering(percent: 101, StreamProgress()),
      .buffering(percent: -1, StreamProgress()), .audioTracks([AudioTrack()], current: 1),
      .chapters([Chapter(start: .seconds(-1))]), .tags(picture, about: .item),
    ]
    let tags = [\GainTags.trackGain, \.albumGain, \.trackPeak, \.albumPeak].flatMap { path in
      [-1_000.5, 1_000.5].map { value in
        var tags = GainTags()
        tags[keyPath: path] = value
        return DeckReport.loudness(tags)
      }
    }
    var negative = progress
    negative.size = -1
    let decks = [.ended(passage, at: .seconds(-1)), .measured(negative)] + tags + events.map(DeckReport.event)
    let early = OutputReport.Position(part, .nanoseconds(-1))
    let output: [OutputReport] = [
      .began(early), .ended(early), .sampled(early), .resumed([position, early]), .startMissed([early]),
      .resumed(Array(repeating: position, count: 17)), .startMissed(Array(repeating: position, count: 17)),
      .silent(part, at: .nanoseconds(-1)), .decoded(passage, until: .nanoseconds(-1)),
      .tail(passage, .nanoseconds(-1)), .event(.volumeChanged(volume: 11, isMuted: false)),
      .event(.volumeChanged(volume: -1, isMuted: false)),
    ]
    return decks.map { .deck(token, $0) } + output.map { .output($0) } + [
      .log(String(repeating: "x", count: EngineProtocol.logLimit + 1), isFatal: false),
      .crashed(thread: String(repeating: "x", count: EngineProtocol.threadNameLimit + 1)),
    ]
  }()

  // MARK: Commands

  static let requests: [EngineRequest] =
    deckCommands.map { .deck(token, $0) } + outputCommands.map { .output($0) }
    + RingPart.allCases.map { .ring($0, of: token) }
    + [
      .startOutput(Player.Configuration(), settings), .startDecks(Player.Configuration()),
      .startInspection(memoryLimit: 1), .settings(MediaSettings()), .detach(token), .withdraw(token),
      .file(error: 2, request: 3),
      .file(error: nil, request: 3), .ping(4), .close,
    ]

  static let deckCommands: [DeckCommand] = [
    .open(DeckRequest(StreamRequest(uri: "file:///%20", stream: token), settings: settings)), .open(fullRequest),
    .seek(passage, to: .milliseconds(1_500), exactly: false, as: nil),
    .seek(passage, to: .zero, exactly: true, as: format), .selectAudioTrack(-1), .measure, .close,
  ]

  private static let fullRequest: DeckRequest = {
    let request = StreamRequest(
      uri: "http://example.org/", stream: token, headers: headers, audioTrack: 1, start: .milliseconds(1_500))
    var full = DeckRequest(request, settings: EngineSettings(Player.Configuration()))
    (full.passage, full.format) = (passage, format)
    return full
  }()

  static let outputCommands: [OutputCommand] = [
    .plan([], from: .now), .plan(parts, from: .difference), .discard(passage),
    .settings(EngineSettings(Player.Configuration())), .settings(settings), .setPlaying(true),
    .start(at: MonotonicTime(nanoseconds: 7), parts), .start(at: nil, []), .fade(from: nil, to: 0, over: .seconds(60)),
    .fade(from: 0.25, to: 1, over: .zero), .reopen, .end, .sample(part), .tail(passage),
  ]

  private static let parts: [Part] = {
    let shape = CrossfadeShape(length: .seconds(240), curve: .equalPower)
    let curve = VolumeCurve([.init(from: 0, to: 1, start: .seconds(1), end: .seconds(2))])
    var parts = [
      Part(id: part, passage, from: .seconds(1), to: .seconds(9), gain: 0.25, curve: curve, join: .overlap(shape)),
      Part(id: Part.ID(71), Passage(StreamToken(number: 8)), join: .fadeIn(shape), repeats: true),
      Part(id: Part.ID(72), Passage(StreamToken(number: 9))),
    ]
    (parts[0].peak, parts[0].continues, parts[0].fadeOut) = (0.5, Part.ID(69), shape)
    return parts
  }()

  static let settings: EngineSettings = {
    var settings = EngineSettings(Player.Configuration())
    (settings.volume, settings.isMuted, settings.rate, settings.timePitch) = (0.125, true, 0.25, .varispeed)
    (settings.sink, settings.forwardBuffer, settings.audioLanguages) = ("fakesink", .seconds(2), ["de", "en"])
    settings.isLowPowerModeEnabled = true
    settings.description = StreamDescription(Player.Item(uri: "file:///1"), metadata)
    return settings
  }()

  /// Settings with values that no player has.
  private static let impossibleSettings: [EngineSettings] = {
    var (rate, volume, loud, buffer) = (settings, settings, settings, settings)
    (rate.rate, volume.volume, loud.volume, buffer.forwardBuffer) = (1e9, -1, 11, .seconds(-1))
    return [rate, volume, loud, buffer]
  }()

  /// Commands to decks with values that no player sends.
  static let impossibleDeckCommands: [DeckCommand] = {
    var early = fullRequest
    early.start = .seconds(-1)
    let openings = impossibleSettings.map { settings in
      var request = fullRequest
      request.settings = settings
      return request
    }
    return ([early] + openings).map { .open($0) } + [.seek(passage, to: .seconds(-1), exactly: true, as: nil)]
  }()

  /// Commands to an output with values that no player sends.
  static let impossibleOutputCommands: [OutputCommand] = {
    func part(_ change: (inout Part) -> Void) -> Part {
      var part = parts[0]
      change(&part)
      return part
    }
    let shapes = [Duration.seconds(-1), .milliseconds(240_001)].map { CrossfadeShape(length: $0, curve: .linear) }
    let curves = [
      VolumeCurve([.init(from: 0, to: 11, start: .seconds(1), end: .seconds(2))]),
      VolumeCurve([.init(from: -1, to: 1, start: .seconds(1), end: .seconds(2))]),
    ]
    let wrong =
      [
        part { $0.start = .seconds(-1) }, part { $0.end = .seconds(-1) }, part { $0.gain = -0.1 },
        part { $0.peak = 0 }, part { $0.peak = -0.1 },
      ] + curves.map { curve in part { $0.curve = curve } }
      + shapes.flatMap { shape in
        [part { $0.join = .overlap(shape) }, part { $0.join = .fadeIn(shape) }, part { $0.fadeOut = shape }]
      }
    return wrong.map { .plan([parts[1], $0], from: .now) } + wrong.map { .start(at: nil, [$0]) } + [
      .plan(Array(repeating: parts[2], count: 17), from: .difference),
      .start(at: nil, Array(repeating: parts[2], count: 17)), .fade(from: -0.1, to: 0, over: .zero),
      .fade(from: 1.1, to: 0, over: .zero), .fade(from: nil, to: -0.1, over: .zero),
      .fade(from: nil, to: 1.1, over: .zero), .fade(from: nil, to: 0, over: .milliseconds(60_001)),
      .fade(from: nil, to: 0, over: .nanoseconds(-1)),
    ] + impossibleSettings.map { .settings($0) }
  }()

  private static let headers = try? HTTPRequestHeaders(["Authorization": "x"], userAgent: "agent")
}
