import Playback
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdDoctor

@Suite("Findings of doctor about the samples of a file")
struct SampleCheckTests {
  private static let format = SampleComparison.Format(name: "S16LE", bits: 16, rate: 44_100, channels: 2)

  /// The values that the findings follow from; by default nothing is changed.
  private struct Values {
    var comparison = SampleComparison()
    var server = ServerStream(device: "Speaker", encoding: "s16le", channels: 2, rate: 44_100)
    var configuration = Configuration()
  }

  private func check(_ change: (inout Values) -> Void) -> [Finding] {
    var values = Values()
    values.comparison.decoded = SampleComparison.Samples(format: Self.format, count: 100, digest: "d")
    values.comparison.output = values.comparison.decoded
    values.comparison.fileDigest = "d"
    values.comparison.sink = "pulsesink"
    change(&values)
    return SampleCheck(
      file: "a.flac", configuration: values.configuration, comparison: values.comparison, server: values.server
    ).findings
  }

  private func errors(_ change: (inout Values) -> Void) -> [String] {
    let findings = check(change)
    return findings.allSatisfy { $0.level == .error && !$0.remedy.isEmpty }
      ? findings.map(\.what.description) : ["\(findings)"]
  }

  @Test("Equal samples at a device of their format are one ok")
  func unchanged() {
    #expect(
      check { _ in } == [
        .ok("a.flac is unchanged at the output: 44100 Hz, 16 bit, 2 channels, 100 samples, MD5 of the file d")
      ])
    let lossy = check {
      $0.comparison.fileDigest = nil
      ($0.comparison.codec, $0.comparison.isLossy) = ("MP3", true)
    }
    #expect(
      lossy == [
        .ok(
          "a.flac is unchanged at the output: MP3, lossy, 44100 Hz, 16 bit, 2 channels, 100 samples, MD5 of the decoder d"
        )
      ])
    #expect(
      check {
        $0.server.encoding = "float32le"; $0.configuration.volume = 1
      }.map(\.level) == [.ok])
    // The comparison measures nothing.
    #expect(check { $0.configuration.replayGain = .track }.map(\.level) == [.ok, .warning])
  }

  @Test("Each obstacle is an error with its name")
  func obstacles() {
    #expect(errors { $0.configuration.volume = 0.5 } == ["the volume is 50 %"])
    #expect(errors { $0.configuration.rate = 1.25 } == ["the speed is 1.25"])
    #expect(errors { $0.comparison.fileDigest = "e" } == ["the decoded samples differ from the MD5 of a.flac"])
    #expect(
      errors {
        $0.comparison.output?.digest = nil; $0.configuration.replayGain = .track
      } == [
        "ReplayGain applies the gain of the tags or of the measured loudness"
      ])
    #expect(errors { $0.comparison.output?.digest = nil } == ["the samples change between the decoder and the output"])
    #expect(
      errors {
        $0.comparison.output?.digest = "e"; $0.comparison.output?.format.rate = 48_000
      } == [
        "the output accepts 48000 Hz, 16 bit, 2 channels instead of 44100 Hz, 16 bit, 2 channels"
      ])
    #expect(errors { $0.server.streamVolume = "80%" } == ["the sound server plays the stream at 80%"])
    #expect(errors { $0.server.deviceVolume = "80%" } == ["the volume of Speaker is 80%"])
    #expect(errors { $0.server.isMuted = true } == ["the sound server mutes the stream"])
    #expect(errors { $0.server.rate = 48_000 } == ["the sound server converts 44100 Hz to 48000 Hz for Speaker"])
    #expect(errors { $0.server.channels = 6 } == ["the sound server converts 2 to 6 channels for Speaker"])
    #expect(
      errors {
        $0.comparison.decoded?.format.channels = 1; $0.server.channels = 6
      }.count == 1)
    #expect(errors { $0.server.encoding = "u8" } == ["the sound server converts 16 bit to u8 for Speaker"])
    #expect(errors { $0.comparison.sink = nil } == ["no output could be opened"])
    #expect(errors { $0.comparison.output = nil } == ["a.flac: no samples reached the output"])
  }

  @Test("Another rate of the device names the setting that changes it, of PulseAudio or of the player")
  func rates() {
    for (isPipeWire, matchesRate, remedy) in [
      (false, false, "set avoid-resampling or default-sample-rate of PulseAudio"),
      (
        false, true,
        "set avoid-resampling or default-sample-rate of PulseAudio; match-rate works with PipeWire only"
      ),
      (true, false, "set match-rate to true"), (true, true, "choose a device with this rate"),
    ] {
      let findings = check { values in
        values.server.rate = 48_000
        values.server.isPipeWire = isPipeWire
        values.configuration.matchRate = matchesRate
      }
      #expect(findings.map(\.remedy.description) == [remedy])
    }
  }

  @Test("PipeWire passes 24 bits of a device with 32, and PulseAudio all")
  func bits() {
    for (isPipeWire, bits, isExact) in [(true, 24, true), (true, 32, false), (false, 32, true)] {
      let findings = check {
        $0.comparison.decoded?.format.bits = bits
        $0.server.encoding = "s32le"
        $0.server.isPipeWire = isPipeWire
      }
      #expect(findings.map(\.level) == [isExact ? .ok : .error], "\(findings)")
    }
    let float = errors { $0.comparison.decoded?.format.isFloat = true }
    #expect(float == ["the sound server converts 16 bit floating point to s16le for Speaker"])
  }

  @Test("Two channels play a single one unchanged")
  func single() {
    let findings = check { values in
      values.comparison.decoded?.format.channels = 1
      values.comparison.output?.format.channels = 1
    }
    #expect(findings.map(\.level) == [.ok], "\(findings)")
  }

  @Test("If the format behind the output is unknown, a warning follows, unless the file fails")
  func unknown() {
    #expect(
      errors {
        $0.comparison.sink = "alsasink"
        $0.comparison.fileDigest = "e"
      } == ["the decoded samples differ from the MD5 of a.flac"])
    #expect(check { $0.comparison.sink = "alsasink" }.map(\.level) == [.ok, .warning])
    #expect(check { $0.server.encoding = "mulaw" }.map(\.level) == [.ok, .warning])
  }

  @Test("The stream of the process and its device are read from the lists of pactl")
  func lists() {
    func volume(_ value: Int) -> String {
      "{\"front-left\":{\"value\":\(value),\"value_percent\":\"\(value * 100 / 65_536)%\",\"db\":\"0.00 dB\"}}"
    }
    func streams(_ process: Int, _ value: Int) -> [UInt8] {
      let properties = "{\"application.process.id\":\"\(process)\"}"
      let stream = "\"index\":3,\"sink\":7,\"mute\":false,\"volume\":\(volume(value)),\"properties\":\(properties)"
      return Array("[{\(stream),\"balance\":0.00}]".utf8)
    }
    func devices(_ flags: String) -> [UInt8] {
      let names = "\"description\":\"Speaker\",\"driver\":\"PipeWire\",\"sample_specification\":\"s24le 2ch 96000Hz\""
      return Array("[{\"index\":7,\"mute\":true,\"volume\":\(volume(32_768)),\"flags\":[\(flags)],\(names)}]".utf8)
    }
    func stream(_ streams: [UInt8], _ devices: [UInt8], of process: Int32) -> ServerStream? {
      SoundServer(streams: streams, devices: devices).flatMap { ServerStream($0, processID: process) }
    }
    var expected = ServerStream(device: "Speaker", encoding: "s24le", channels: 2, rate: 96_000)
    (expected.isPipeWire, expected.isMuted, expected.deviceVolume) = (true, true, "50%")
    #expect(stream(streams(5, 65_536), devices(""), of: 5) == expected)
    expected.deviceVolume = nil
    expected.streamVolume = "25%"
    let hardware = devices("\"HARDWARE\",\"HW_VOLUME_CTRL\"")
    #expect(stream(streams(5, 16_384), hardware, of: 5) == expected)
    #expect(stream(streams(5, 65_536), devices(""), of: 6) == nil)
    #expect(stream([], [], of: 6) == nil)
  }
}
