import TestSupport
import Testing

@testable import Simulation

/// A fixed script about one fault: a slow server, or an output that fails.
///
/// Its media are the slow ones of ``AgreementScript/slowMedia(_:_:)``, and then those of all scripts.
struct AgreementCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var steps: [Step]
  var usesServer: Bool

  static let servers = [
    AgreementCase("a WAV file of a server that stalls and continues", media: .stallingWAV, for: 24_000),
    AgreementCase("an MP3 file of a server that stalls and continues", media: .stallingMP3, for: 30_000),
    AgreementCase("a FLAC file of a server that stalls and continues", media: .stallingFLAC, for: 30_000),
    AgreementCase("a WAV file of a server slower than playback", media: .slowWAV, for: 30_000),
    AgreementCase("an MP3 file of a server slower than playback", media: .slowMP3, for: 32_000),
    AgreementCase("a FLAC file of a server slower than playback", media: .slowFLAC, for: 30_000),
    AgreementCase("a WAV file whose connection is closed early", media: .cutWAV, for: 14_000),
    AgreementCase("an MP3 file whose connection is closed early", media: .cutMP3, for: 14_000),
    AgreementCase("a FLAC file whose connection is closed early", media: .cutFLAC, for: 14_000),
    AgreementCase(
      "a seek of a server that refuses ranges", media: .rangelessWAV, for: 12_000,
      [Step(after: 2_000, .seek(to: 5_000))]),
    AgreementCase("a seek of a slow server", media: .slowWAV, for: 20_000, [Step(after: 4_000, .seek(to: 6_000))]),
    AgreementCase(
      "two seeks of a slow server", media: .slowMP3, for: 3_000,
      [
        Step(after: 12_844, .pause(fading: false)), Step(after: 6_336, .seek(to: 5_220)),
        Step(after: 2_245, .seek(to: 444)), Step(after: 9_300, .play),
      ]),
  ]

  /// One case of each kind for `make test`, because a case takes a second or two.
  static let fewServers = [servers[1], servers[3], servers[8], servers[9], servers[11]]

  static let outputs = [
    AgreementCase("an output that fails while it plays", for: 12_000, [Step(after: 3_000, .outputFails(for: 0))]),
    AgreementCase("an output that is gone for 4 s", for: 14_000, [Step(after: 3_000, .outputFails(for: 4_000))]),
    AgreementCase(
      "an output that fails while playback is paused", for: 8_000,
      [
        Step(after: 2_000, .pause(fading: false)), Step(after: 1_000, .outputFails(for: 2_000)),
        Step(after: 4_000, .play),
      ]),
    AgreementCase(
      "a seek, a pause and a next item without an output", for: 14_000,
      [
        Step(after: 2_000, .outputFails(for: 6_000)), Step(after: 700, .seek(to: 8_000)),
        Step(after: 700, .pause(fading: false)), Step(after: 700, .play), Step(after: 700, .next),
      ]),
    AgreementCase(
      "an output that is gone before the start", for: 10_000,
      [Step(after: 1_000, .stop), Step(after: 0, .outputFails(for: 3_000)), Step(after: 500, .play)]),
  ]

  private init(_ name: String, media: AgreementScript.Slow? = nil, for time: Int, _ steps: [Step] = []) {
    testDescription = name
    let slow = AgreementScript.Slow.allCases.count
    usesServer = media != nil
    let queue = media.map { [$0.rawValue] } ?? [slow, slow + 1]
    self.steps =
      [Step(after: 0, .replace(media: queue, start: 0)), Step(after: 0, .play)] + steps + [Step(after: time, .read)]
  }
}

extension AgreementScript {
  /// A file of a server that follows the time of the run.
  enum Slow: Int, CaseIterable, Sendable {
    case stallingWAV, stallingMP3, stallingFLAC, slowWAV, slowMP3, slowFLAC, cutWAV, cutMP3, cutFLAC, rangelessWAV

    /// The format, the seconds, the speed in percent of playback, and the media time of the fault in milliseconds.
    fileprivate var file: (format: TestSupport.Media.Format, seconds: Int, speed: Int, fault: Int?) {
      switch self {
      case .stallingWAV: (.wav, 10, 150, 4_000)
      case .stallingMP3: (.mp3, 14, 150, 5_000)
      case .stallingFLAC: (.flac, 12, 150, 6_000)
      case .slowWAV: (.wav, 9, 60, nil)
      case .slowMP3: (.mp3, 12, 70, nil)
      case .slowFLAC: (.flac, 10, 70, nil)
      case .cutWAV: (.wav, 8, 120, 5_000)
      case .cutMP3: (.mp3, 10, 120, 6_000)
      case .cutFLAC: (.flac, 10, 120, 6_000)
      case .rangelessWAV: (.wav, 7, 120, nil)
      }
    }
  }

  /// The media time that a slow server sends at once, and the length of its pause, in milliseconds.
  private static let (burst, stall) = (1_000, 7_000)

  /// Files of servers that stall, are slow, close the connection, or refuse ranges.
  static func slowMedia(_ server: HTTPServer, _ clock: DeliveryClock) async throws -> [(Media, String)] {
    var result: [(Media, String)] = []
    for slow in Slow.allCases {
      let (format, seconds, speed, fault) = slow.file
      let path = try await TestSupport.Media.sine(seconds: Double(seconds), format: format)
      let content = try bytes(of: path)
      let header = format == .flac ? headerOfFLAC(content) : 44
      // The offset of a media time in milliseconds, as if the bit rate was constant.
      let offset = { (time: Int) in header + (content.count - header) * time / (seconds * 1_000) }
      var media = Simulation.Media.plain(seconds * 1_000)
      media.source = .server
      media.server = Server(
        speed: speed, stallAt: nil, stall: 0, cutAt: nil, delay: 0, isAnnounced: true, burst: burst)
      // In a FLAC file, GStreamer requests data from about 1.3 s before the target.
      media.server.seekStart = format == .mp3 ? .parsedEnd : format == .flac ? .before(1_300) : .target
      var pace = DeliveryClock.Pace(burst: offset(burst), speed: Double((offset(1_000) - header) * speed / 100))
      var response = try HTTPResponse.file(path)
      switch slow {
      case .stallingWAV, .stallingMP3, .stallingFLAC:
        (media.server.stallAt, media.server.stall) = (fault, stall)
        (pace.stallsAt, pace.stall) = (fault.map(offset), Int64(stall) * 1_000_000)
      case .cutWAV, .cutMP3, .cutFLAC:
        media.server.cutAt = fault
        if let fault { response = response.cutting(at: offset(fault)) }
      case .rangelessWAV:
        media.isSeekable = false
        response = response.refusingRanges()
      case .slowWAV, .slowMP3, .slowFLAC: break
      }
      result.append((media, server.script("/\(slow).\(format.rawValue)", response.paced(pace, by: clock))))
    }
    return result
  }

  /// Makes the script of a case.
  init(_ example: AgreementCase, server: HTTPServer) async throws {
    let clock = DeliveryClock(now: VirtualClock.start)
    let media = try await Self.slowMedia(server, clock) + Self.media()
    scenario = Scenario(
      seed: 1, media: media.map(\.0), behaviour: Behaviour(), settings: Scenario.Settings(), steps: example.steps)
    files = media.map(\.1)
    delivery = example.usesServer ? clock : nil
  }
}
