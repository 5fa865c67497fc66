import FoundationEssentials
import TestSupport

@testable import Simulation

/// A script that both the model and GStreamer can run, and the files of its media.
struct AgreementScript: Sendable {
  var scenario: Scenario
  var files: [String]
  /// The clock of the servers; nil if none of them is slow.
  var delivery: DeliveryClock?

  /// Returns the media of all scripts.
  static func media() async throws -> [(Media, String)] {
    var result: [(Media, String)] = []
    for (format, seconds) in [
      (TestSupport.Media.Format.wav, 20.0), (.flac, 12), (.mp3, 16), (.ogg, 9), (.wav, 0.5), (.flac, 1.2),
    ] {
      var media = Simulation.Media.plain(Int(seconds * 1000))
      media.server.delay = 0
      result.append((media, try await TestSupport.Media.sine(seconds: seconds, format: format)))
    }
    result.append((fault(.unopenable), TestSupport.Media.missing))
    return result
  }

  /// Makes files that are not media, or that end before the duration that they state.
  private static func damagedMedia() async throws -> [(Media, String)] {
    var result = [
      (fault(.notMedia), try await TestSupport.Media.textFile()),
      (fault(.empty), try await TestSupport.Media.emptyFile()),
    ]
    for format in [TestSupport.Media.Format.wav, .flac, .mp3, .ogg] {
      let whole = try await TestSupport.Media.sine(seconds: 10, format: format)
      let path = try await TestSupport.Media.truncated(whole, keeping: 0.6)
      var media = Simulation.Media.plain(10_000)
      media.server.delay = 0
      media.length = try length(of: path, whole: whole, format)
      // A FLAC file states the duration of the whole. The others are as long as their demuxer finds them to be: GStreamer compares
      // the Xing header of an MP3 file with the size of the file.
      if format != .flac { media.stated = media.length }
      result.append((media, path))
    }
    return result
  }

  /// Returns the length of a truncated file of 10 s, in milliseconds.
  private static func length(of path: String, whole: String, _ format: TestSupport.Media.Format) throws -> Int {
    let (part, all) = (try bytes(of: path), try bytes(of: whole))
    switch format {
    case .wav, .mp3: return 10_000 * part.count / all.count
    case .flac:
      let offset = headerOfFLAC(part)
      return 10_000 * (part.count - offset) / (all.count - offset)
    case .ogg:
      // The position of the last page that is whole, in samples.
      let capture = Array("OggS".utf8)
      let pages = part.indices.filter { $0 + 14 <= part.count && part[$0..<$0 + 4].elementsEqual(capture) }
      guard let page = pages.dropLast().last else { return 0 }
      return part[(page + 6)..<(page + 14)].reversed().reduce(0) { $0 << 8 | Int($1) } * 1_000 / 44_100
    }
  }

  /// Returns the number of bytes before the audio of a FLAC file.
  static func headerOfFLAC(_ part: [UInt8]) -> Int {
    // The blocks of metadata: a flag and a type, a length of 24 bits, and the contents.
    var offset = 4
    while offset + 4 <= part.count {
      let isLast = part[offset] & 0x80 != 0
      offset += 4 + part[(offset + 1)...(offset + 3)].reduce(0) { $0 << 8 | Int($1) }
      if isLast { break }
    }
    return offset
  }

  static func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  /// Files of a server: one that sends everything at once, and one that closes each connection at 2 s.
  private static func serverMedia(_ server: HTTPServer) async throws -> [(Media, String)] {
    var result: [(Media, String)] = []
    for (format, seconds, cut) in [
      (TestSupport.Media.Format.mp3, 14.0, nil as Int?), (.wav, 11, nil), (.wav, 10, 2_000),
    ] {
      var media = Simulation.Media.plain(Int(seconds * 1000))
      media.source = .server
      media.server = Server(
        speed: 1_000_000, stallAt: nil, stall: 0, cutAt: cut, delay: 0, isAnnounced: true,
        burst: cut ?? Int(seconds * 1_000))
      var response = try HTTPResponse.file(try await TestSupport.Media.sine(seconds: seconds, format: format))
      // 44 100 stereo samples of 16 bits per second, after the header.
      if let cut { response = response.cutting(at: 44 + cut * 44_100 / 1_000 * 4) }
      result.append((media, server.script("/\(Int(seconds)).\(format.rawValue)", response)))
    }
    return result
  }

  private static func fault(_ fault: Media.Fault) -> Media {
    var media = Simulation.Media.plain(5_000)
    media.fault = fault
    media.server.delay = 0
    return media
  }
  typealias Media = Simulation.Media

  /// The first seed whose scripts also have damaged media; those of smaller seeds stay as they were.
  static let firstWithDamage: UInt64 = 1_000
  /// The first seed whose scripts also have the files of a server.
  static let firstWithServer: UInt64 = 2_000
  /// The first seed whose scripts have outputs that fail, beside files.
  static let firstWithOutputs: UInt64 = 3_000
  /// The first seed whose scripts have slow servers, beside files.
  static let firstWithSlowServer: UInt64 = 4_000
  /// The first seed whose scripts have crossfades, of files.
  static let firstWithCrossfades: UInt64 = 5_000

  /// Makes the script of a seed.
  init(seed: UInt64, server: HTTPServer) async throws {
    var media = try await Self.media()
    if (Self.firstWithDamage..<Self.firstWithOutputs).contains(seed) { media += try await Self.damagedMedia() }
    if (Self.firstWithServer..<Self.firstWithOutputs).contains(seed) { media += try await Self.serverMedia(server) }
    if (Self.firstWithSlowServer..<Self.firstWithCrossfades).contains(seed) {
      let clock = DeliveryClock(now: VirtualClock.start)
      media = try await Self.slowMedia(server, clock) + media.prefix(2)
      delivery = clock
    }
    var random = RandomSource(seed: seed)
    let count = media.count
    let pick = { (random: inout RandomSource, most: Int) in
      (0..<random.number(1...most)).map { _ in random.number(0...(count - 1)) }
    }
    var steps = [Step(after: 0, .replace(media: pick(&random, 4), start: 0)), Step(after: 0, .play)]
    for _ in 0..<random.number(3...10) {
      let after = random.pick(weighted: [(3, random.number(200...3_000)), (3, random.number(3_000...15_000))])
      let isFault = (Self.firstWithOutputs..<Self.firstWithSlowServer).contains(seed) && random.chance(25)
      let fault = Action.outputFails(for: isFault ? random.pick([0, 1_000, 6_000]) : 0)
      steps.append(Step(after: after, isFault ? fault : Self.action(count, &random)))
    }
    var settings = Scenario.Settings()
    if seed >= Self.firstWithCrossfades {
      settings.crossfade = random.number(500...5_000)
      settings.skipFade = random.pick([0, 0, random.number(200...2_000)])
    }
    scenario = Scenario(
      seed: seed, media: media.map(\.0), behaviour: Behaviour(), settings: settings, steps: steps)
    files = media.map(\.1)
  }

  /// The behaviours that GStreamer may show with files: how far a deck reads ahead, and whether its samples come late.
  ///
  /// It differs from format to format, and by the order in which threads run.
  static let behaviours: [Behaviour] = [false, true].flatMap { isLate in
    [3_600, 3_000, 4_200].map { readAhead in
      Behaviour {
        $0.opensOutputLate = isLate
        $0.readAhead = readAhead
        $0.arrivalInterval = 50
        $0.messageDelay = 0
        $0.callDuration = 0
        $0.openDuration = 0
        $0.startDuration = 0
      }
    }
  }

  private static func action(_ count: Int, _ random: inout RandomSource) -> Action {
    let one = { (random: inout RandomSource) in random.number(0...(count - 1)) }
    return random.pick(weighted: [
      (16, .play), (8, .pause(fading: false)), (2, .stop), (8, .next), (4, .previous),
      (2, .playItem(random.number(0...4))),
      (2, .load), (10, .seek(to: random.number(0...12_000))), (8, .seekToFraction(random.number(0...1_000))),
      (4, .seekAwaited(to: random.number(0...20_000), tolerance: 0)),
      (4, .setRate(random.pick([100, 100, 200, 50, 150]))), (4, .setLoop(random.number(0...2))),
      (3, .setActionAtItemEnd(random.number(0...3))), (5, .append(media: [one(&random)])),
      (4, .insert(media: [one(&random)], after: random.number(0...4))), (3, .remove(random.number(0...4))),
      (2, .removeCurrent), (2, .replace(media: [one(&random), one(&random)], start: 0)),
      (2, .move(random.number(0...4), to: random.number(0...4))), (2, .read),
    ])
  }
}
