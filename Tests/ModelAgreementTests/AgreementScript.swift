import FoundationEssentials
import Simulation
import TestSupport

/// A script that both the model and GStreamer can run, and the files of its media.
struct AgreementScript: Sendable {
  var scenario: Scenario
  var files: [String]

  /// The media of all scripts.
  private static func media() async throws -> [(Media, String)] {
    var result: [(Media, String)] = []
    for (format, seconds) in [
      (TestSupport.Media.Format.wav, 20.0), (.flac, 12), (.mp3, 16), (.ogg, 9), (.wav, 0.5), (.flac, 1.2),
    ] {
      var media = Simulation.Media.plain(Int(seconds * 1000))
      media.server.delay = 0
      result.append((media, try await TestSupport.Media.sine(seconds: seconds, format: format)))
    }
    var missing = Simulation.Media.plain(5_000)
    missing.fault = .unopenable
    missing.server.delay = 0
    result.append((missing, TestSupport.Media.missing))
    return result
  }
  typealias Media = Simulation.Media

  /// Makes the script of a seed.
  init(seed: UInt64) async throws {
    let media = try await Self.media()
    var random = RandomSource(seed: seed)
    let count = media.count
    let pick = { (random: inout RandomSource, most: Int) in
      (0..<random.number(1...most)).map { _ in random.number(0...(count - 1)) }
    }
    var steps = [Step(after: 0, .replace(media: pick(&random, 4), start: 0)), Step(after: 0, .play)]
    for _ in 0..<random.number(3...10) {
      let after = random.pick(weighted: [(3, random.number(200...3_000)), (3, random.number(3_000...15_000))])
      steps.append(Step(after: after, Self.action(count, &random)))
    }
    scenario = Scenario(
      seed: seed, media: media.map(\.0), behaviour: Behaviour(), settings: Scenario.Settings(), steps: steps)
    files = media.map(\.1)
  }

  /// The behaviours that GStreamer may show with files: how far it reads ahead, and how large the buffers are.
  ///
  /// They differ from format to format, and by the order in which threads run.
  static let behaviours: [Behaviour] = [true, false].flatMap { readsBeforeSettled in
    [1_050, 800, 1_450].flatMap { aboutToFinish in
      [90, 20, 1].map { outputBuffer in
        Behaviour {
          $0.aboutToFinish = aboutToFinish
          $0.outputBuffer = outputBuffer
          $0.readsBeforeSettled = readsBeforeSettled
          $0.messageDelay = 0
          $0.callDuration = 0
          $0.openDuration = 0
          $0.startDuration = 0
        }
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
