import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Compares the sound of a station with its data, at pauses, seeks, returns to the present and a lost connection.
///
/// `STATION_MINUTES` is the length of the station, which is heard to its middle, where the connection is lost; `scripts/test.sh` with 40
/// of them compares twenty minutes.
@Suite(
  "The sound of a station",
  .enabled(if: Media.isAvailable, "\(Media.unavailable)"), .serialized)
struct StationRecordingTests {
  private static let seconds = (ProcessInfo.processInfo.environment["STATION_MINUTES"].flatMap { Int($0) } ?? 1) * 60

  /// A FLAC stream without a length, whose right channel counts the seconds, and whose left channel counts pairs of frames in each.
  private static func content(seconds: Int) async throws -> [UInt8] {
    let rate = Waveform.sampleRate
    let pairs = (0..<seconds * rate).map { Int32($0 % rate / 2 + 1) }
    let numbers = (0..<seconds * rate).map { Int32($0 / rate + 1) }
    let wave = try await Media.wav(channels: [pairs, numbers], PCM(rate: rate))
    return try await withTemporaryDirectory { directory in
      let path = directory.file("a.flac")
      // Written to a pipe, its header states no length.
      let made = try await run(
        ["/bin/sh", "-c", "ffmpeg -v error -i '\(wave)' -f flac - | cat >'\(path)'"], within: 120)
      try #require(made.succeeded, "\(made.error)")
      return Array(try Data(contentsOf: URL(filePath: path)))
    }
  }

  /// A run of frames that follow each other, by the numbers of their pairs of frames.
  private struct Run {
    var first: Int
    var last: Int
  }

  /// Returns the runs of a recording of 16 bits in two channels; silence does not end one.
  private static func runs(_ bytes: [UInt8]) -> [Run] {
    var runs: [Run] = []
    for place in stride(from: 0, to: bytes.count - 3, by: 4) {
      let pair = Int(bytes[place]) | Int(bytes[place + 1]) << 8
      let second = Int(bytes[place + 2]) | Int(bytes[place + 3]) << 8
      guard pair > 0, second > 0 else { continue }
      let number = (second - 1) * Waveform.sampleRate / 2 + pair - 1
      if let last = runs.last?.last, number == last || number == last + 1 {
        runs[runs.count - 1].last = number
      } else {
        runs.append(Run(first: number, last: number))
      }
    }
    return runs
  }

  @Test("No frame is missing or played twice at pauses; a seek goes to its target, and a lost connection begins again")
  func recording() async throws {
    let content = try await Self.content(seconds: Self.seconds)
    // The first connection is cut in the middle.
    let station = HTTPResponse.bytes(content, type: "audio/flac").withoutLength().refusingRanges()
      .header("icy-name: Radio").throttled(to: content.count / Self.seconds).cuttingOnce(at: content.count / 2)
    try await withHTTPServer { server in
      let uri = server.script("/radio", station)
      try await withTemporaryDirectory { directory in
        let (pipe, file) = (directory.file("output"), directory.file("recording"))
        // A file would begin again at each seek. The shell keeps the pipe open when the player closes its output.
        let script = "mkfifo '\(pipe)' && echo ready && exec 3<>'\(pipe)' && exec cat <&3 >'\(file)'"
        let sink =
          "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2 ! "
          + "filesink location=\(pipe) buffer-mode=unbuffered sync=true"
        let targets = try await withChildProcess(["/bin/sh", "-c", script]) { recorder in
          try await recorder.waitForLine(containing: "ready")
          return try await withDaemon([uri], sink: ["--audio-sink", sink]) { try await play($0) }
        }
        try compare(Self.runs(Array(try Data(contentsOf: URL(filePath: file)))), targets)
      }
    }
  }

  /// Plays until the connection was lost and found again, with pauses, seeks back and returns to the present; returns the targets.
  private func play(_ daemon: DaemonUnderTest) async throws -> [Int64] {
    var (targets, round): ([Int64], Int) = ([], 0)
    try await daemon.passes(6_000_000)
    while try await daemon.position() < Int64(Self.seconds) * 500_000 - 10_000_000 {
      round += 1
      try await daemon.call("Pause")
      try await withMonitor(of: daemon) { monitor in
        // Each change is a second that is received during the pause.
        for number in 0..<round % 3 + 1 {
          try await monitor.signal("PropertiesChanged", from: number) { $0.count > 1 }
        }
      }
      try await daemon.call("Play")
      try await daemon.played(2)
      let mark = daemon.signals.count
      if round.isMultiple(of: 2) {
        try await run([DaemonUnderTest.executable, "live"], environment: daemon.bus.environment)
      } else {
        try await daemon.call("Seek", [.int64(-4_000_000)])
      }
      try await daemon.played(3)
      try await daemon.barrier()
      targets += daemon.signals.elements[mark...].filter(\.isSeeked).compactMap(\.arguments.first?.asInt64)
    }
    // The second connection begins the station again.
    try await daemon.passes(Int64(Self.seconds) * 500_000 + 4_000_000)
    try await daemon.call("Stop")
    return targets
  }

  private func compare(_ runs: [Run], _ signals: [Int64]) throws {
    let log = "\(runs.map { "\($0.first)-\($0.last)" }) \(signals)"
    let seconds = { (number: Int) in Double(number) * 2 / Double(Waveform.sampleRate) }
    // The first connection was played to its end.
    let end = seconds(try #require(runs.dropLast().last).last)
    #expect(abs(end - Double(Self.seconds) / 2) < 3, "\(end) \(log)")
    #expect(runs.first?.first == 0 && runs.last?.first == 0, "\(log)")
    // On a busy machine, a stall may correct the position, with a signal, and without a jump in the sound.
    let targets = signals.map { Double($0) / 1_000_000 }
    #expect(runs.count > 3, "\(log)")
    for run in runs.dropFirst().dropLast() {
      #expect(targets.contains { abs(seconds(run.first) - $0) < 0.002 }, "\(seconds(run.first)) \(log)")
    }
  }
}
