import PlayerdInterfaces
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdDoctor

@Suite("Causes of silence") struct SilenceCheckTests {
  /// A player that plays on the default device of a server with two devices.
  private func check(_ change: (inout SilenceCheck) -> Void = { _ in }) -> [Finding] {
    var status = PlayerStatus()
    (status.status, status.timeControlStatus, status.queueCount) = ("Playing", "playing", 1)
    status.engineProcessID = 42
    let full = ["mono": SoundServer.Volume(value: 65_536, valuePercent: "100%")]
    let devices = [("speaker", "Speaker"), ("hdmi", "Monitor")].enumerated().map { index, names in
      SoundServer.Device(
        index: index, name: names.0, description: names.1, driver: "module", state: "RUNNING",
        sampleSpecification: "s16le 2ch 44100Hz", mute: false, volume: full, flags: [])
    }
    let stream = SoundServer.Stream(
      sink: 0, mute: false, corked: false, volume: full, properties: ["application.process.id": "42"])
    let server = SoundServer(streams: [stream], devices: devices, standard: "speaker")
    var check = SilenceCheck(status: status, configuration: Configuration(), server: server)
    change(&check)
    return check.findings
  }

  private func causes(_ change: (inout SilenceCheck) -> Void) -> [String] {
    let findings = check(change)
    #expect(findings.filter(\.silences).allSatisfy { $0.level == .warning && !$0.remedy.isEmpty })
    return findings.filter(\.silences).map(\.what.description)
  }

  private static let zero = ["mono": SoundServer.Volume(value: 0, valuePercent: "0%")]

  @Test("The check of an audible player finds no cause of silence, and names its device")
  func audible() {
    #expect(check().map(\.line) == ["ok: the sound server plays the stream on Speaker"])
  }

  @Test("Mute and a low volume of the player are causes")
  func player() {
    #expect(causes { $0.status?.isMuted = true } == ["the player is muted"])
    #expect(causes { $0.status?.volume = 0 } == ["the volume of the player is 0 %"])
    #expect(causes { $0.status?.volume = 0.049 } == ["the volume of the player is 5 %"])
    #expect(causes { $0.status?.volume = 0.05 } == [])
    #expect(
      causes {
        ($0.status, $0.configuration.volume) = (nil, 0)
      } == ["the configured volume is 0 %"])
  }

  @Test("Mute and volume of the stream are causes, unless the player has set them")
  func stream() {
    #expect(causes { $0.server?.streams[0].mute = true } == ["the sound server mutes the stream"])
    #expect(
      causes {
        $0.server?.streams[0].mute = true
        $0.status?.isMuted = true
      } == ["the player is muted"])
    let volume = "the volume of the stream at the sound server is 0 %"
    #expect(causes { $0.server?.streams[0].volume = Self.zero } == [volume])
    #expect(
      causes {
        $0.server?.streams[0].volume = Self.zero
        $0.status?.volume = 0
      } == ["the volume of the player is 0 %"])
  }

  @Test("Mute, volume and suspension of the device are causes; a paused stream lets its device be suspended")
  func device() {
    #expect(causes { $0.server?.devices[0].mute = true } == ["Speaker is muted"])
    #expect(causes { $0.server?.devices[0].volume = Self.zero } == ["the volume of Speaker is 0 %"])
    #expect(causes { $0.server?.devices[0].state = "SUSPENDED" } == ["Speaker is suspended"])
    #expect(
      causes {
        $0.server?.devices[0].state = "SUSPENDED"
        $0.server?.streams[0].corked = true
      } == [])
    #expect(causes { $0.server?.devices[1].mute = true } == [])
    let dummy = "the sound server has no device but a dummy, which plays nothing"
    #expect(
      causes {
        $0.server?.devices[0].name = "auto_null"
        $0.server?.standard = "auto_null"
      } == [dummy])
  }

  @Test("A stream on another device than the default one is a cause, unless an output is selected")
  func otherDevice() {
    let moved = "the stream is on Monitor, but the default device is Speaker"
    #expect(causes { $0.server?.streams[0].sink = 1 } == [moved])
    #expect(
      causes {
        $0.server?.streams[0].sink = 1
        $0.status?.output = "hdmi"
      } == [])
  }

  @Test("A missing stream of a playing player is a cause; without a stream the device of the next one is checked")
  func noStream() {
    let missing = "the sound server has no stream of the player"
    #expect(causes { $0.server?.streams = [] } == [missing])
    #expect(
      causes {
        $0.server?.streams = []
        $0.status?.timeControlStatus = "paused"
        $0.server?.devices[0].mute = true
      } == ["Speaker is muted"])
    #expect(
      causes {
        ($0.status, $0.configuration.audioDevice) = (nil, "hdmi")
        $0.server?.devices[1].volume = Self.zero
      } == ["the volume of Monitor is 0 %"])
  }

  @Test("The server is not checked for another sink, and fakesink is a cause itself")
  func otherSinks() {
    let other = check {
      $0.status?.configuredOutput = "alsasink"
      $0.server?.streams = []
    }
    #expect(other == [])
    let fake = "the output is fakesink, which plays nothing"
    #expect(causes { $0.status?.configuredOutput = "fakesink sync=true" } == [fake])
    #expect(check { $0.server = nil } == [])
  }

  @Test("The verdict names the causes of silence, the number of faults and a pause, and no device in a report")
  func verdict() {
    var status = PlayerStatus()
    (status.status, status.queueCount) = ("Paused", 1)
    let faults = [Finding.ok("a"), .error("b", "c"), .warning("d", "e"), .warning("f", "g")]
    #expect(Finding.verdict([.ok("a")], nil).line == "verdict: no fault found")
    #expect(Finding.verdict(faults, nil).line == "verdict: 1 error, 2 warnings")
    #expect(Finding.verdict([.ok("a")], status).line == "verdict: no fault found; the player is paused")
    let muted = check {
      $0.status?.isMuted = true
      $0.server?.devices[0].mute = true
    }
    let verdict = Finding.verdict(muted, nil)
    #expect(
      verdict.line == "verdict: no sound is audible, because the player is muted, and Speaker is muted; 2 warnings")
    for finding in muted + [verdict] { #expect(!finding.reportLine(withNames: false).contains("Speaker")) }
  }
}
