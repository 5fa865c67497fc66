import AVFoundation
import Glibc
import TestSupport
import Testing

/// Two players that start at one host time at a sound server; figures for a person, because they depend on the load of the
/// machine.
///
/// The server and the processes are new, so each start is the first one.
@Suite(
  "Starts at a host time at a sound server",
  .enabled(if: Environment.measuresStarts && Media.isAvailable, "set MEASURE_STARTS=1"))
struct StartInstantMeasurement {
  /// Plays a file at a host time, in nanoseconds, to its end.
  @Sendable private static func play(_ path: String, at time: Int64, isPrepared: Bool) async throws {
    let item = AVPlayerItem(url: URL(fileURLWithPath: path))
    let ended = EventLog<Bool>()
    let token = NotificationCenter.default.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil)
    {
      _ in ended.append(true)
    }
    let player = AVPlayer(playerItem: item)
    if isPrepared { try await item.settled() }
    player.setRate(1, time: .zero, atHostTime: CMTime(value: time, timescale: 1_000_000_000))
    try await ended.first("the end", within: 30) { _ in true }
    NotificationCenter.default.removeObserver(token)
    player.pause()
  }

  /// Returns a file of noise on one channel.
  private func noise(isLeft: Bool) async throws -> String {
    let noise = PCM().noise(count: Waveform.sampleRate)
    let silence = [Int32](repeating: 0, count: noise.count)
    return try await Media.wav(channels: isLeft ? [noise, silence] : [silence, noise], PCM())
  }

  @Test(
    "Two players start within a millisecond", arguments: [(1, true), (1, false), (2, true), (2, false)], [500, 2_000])
  func difference(processes: (count: Int, arePrepared: Bool), delay: Int) async throws {
    let (left, right) = (try await noise(isLeft: true), try await noise(isLeft: false))
    try await withPulseServer { server in
      try await withSoundRecorder(of: PulseServer.sink, environment: server.environment, milliseconds: 20) { recorder in
        let groups = processes.count == 1 ? [[left, right]] : [[left], [right]]
        // A process of the tests and its output are started in less than two seconds.
        let now = CMClock.hostTimeClock.time.convertScale(1_000_000_000, method: .default).value
        let time = now + Int64(2_000 + delay) * 1_000_000
        await withTaskGroup { group in
          for files in groups {
            group.addTask {
              await #expect(processExitsWith: .success) {
                [
                  files = files as [String], environment = server.environment as [String: String], time = time as Int64,
                  isPrepared = processes.arePrepared as Bool
                ]
                in
                for (name, value) in environment { unsafe setenv(name, value, 1) }
                try await withThrowingTaskGroup { group in
                  for file in files { group.addTask { try await Self.play(file, at: time, isPrepared: isPrepared) } }
                  try await group.waitForAll()
                }
              }
            }
          }
        }
        let (first, second) = try await recorder.channels(until: Waveform.sampleRate / 2)
        let begins = [first, second].map { $0.firstIndex { $0 != 0 } ?? 0 }
        let difference = Double(begins[0] - begins[1]) / Double(Waveform.sampleRate) * 1000
        let state = processes.arePrepared ? "prepared" : "not prepared"
        print("start: \(processes.count) processes, \(state), \(delay) ms ahead: \(difference) ms")
        #expect(abs(difference) < 1)
      }
    }
  }
}

private enum Environment {
  static var measuresStarts: Bool { unsafe getenv("MEASURE_STARTS") != nil }
}
