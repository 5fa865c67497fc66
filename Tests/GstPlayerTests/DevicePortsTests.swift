import Playback
import Testing

@testable import GstPlayer

/// Tests with the ports of sound cards, as PulseAudio's configuration of ALSA describes them.
@Suite("The ports of an audio device") struct DevicePortsTests {
  private typealias Port = DevicePorts.Port

  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  private func headphones(_ availability: Port.Availability) -> Port {
    Port(name: "headphones", title: "Headphones", kind: .headphones, availability: availability)
  }
  private func speaker(_ availability: Port.Availability) -> Port {
    Port(name: "speaker", title: "Speakers", kind: .speaker, availability: availability)
  }
  private func line(_ availability: Port.Availability) -> Port {
    Port(name: "line", title: "Line Out", availability: availability)
  }

  /// Returns the ports that were unplugged, by step; a step is a state of the ports, and the selected port.
  private func unplugged(_ steps: [(ports: [Port], selected: String?, time: Double)]) -> [String?] {
    var ports = DevicePorts()
    return steps.map { ports.update($0.ports, selected: $0.selected, now: at($0.time))?.title }
  }

  @Test(
    "Unplugging headphones is reported once, whether the server selects the speakers before, with or after it, or never"
  )
  func headphonesUnplugged() {
    let (plugged, gone) = ([headphones(.plugged), speaker(.unplugged)], [headphones(.unplugged), speaker(.unknown)])
    #expect(unplugged([(plugged, "headphones", 0), (gone, "speaker", 9)]) == [nil, "Headphones"])
    #expect(
      unplugged([(plugged, "headphones", 0), (gone, "headphones", 9), (gone, "speaker", 9)]) == [
        nil, "Headphones", nil,
      ])
    #expect(
      unplugged([(plugged, "headphones", 0), (plugged, "speaker", 9), (gone, "speaker", 9.5)]) == [
        nil, nil, "Headphones",
      ])
    #expect(unplugged([(plugged, "headphones", 0), (gone, "headphones", 9)]) == [nil, "Headphones"])
  }

  @Test("Plugging in headphones is not reported, although the speakers or the line output become unavailable")
  func headphonesPlugged() {
    let ports = [headphones(.plugged), speaker(.unplugged)]
    for selected in ["speaker", "headphones"] {
      #expect(
        unplugged([([headphones(.unplugged), speaker(.unknown)], "speaker", 0), (ports, selected, 9)]) == [nil, nil])
    }
    let lines = ([headphones(.unplugged), line(.plugged)], [headphones(.plugged), line(.unplugged)])
    #expect(unplugged([(lines.0, "line", 0), (lines.1, "headphones", 9)]) == [nil, nil])
    #expect(unplugged([([speaker(.unknown)], "speaker", 0), ([speaker(.unplugged)], "speaker", 9)]) == [nil, nil])
  }

  @Test("Of a card without headphones, the port that plays is reported; a port that does not play is not")
  func others() {
    let (before, after) = ([line(.plugged), speaker(.unknown)], [line(.unplugged), speaker(.unknown)])
    #expect(unplugged([(before, "line", 0), (after, "speaker", 9)]) == [nil, "Line Out"])
    #expect(unplugged([(before, "speaker", 0), (after, "speaker", 9)]) == [nil, nil])
    // Selected by a user, and unplugged later.
    #expect(unplugged([(before, "line", 0), (before, "speaker", 5), (after, "speaker", 9)]) == [nil, nil, nil])
  }

  @Test("A port that was unavailable at the start, and a device without ports, are not reported")
  func none() {
    #expect(
      unplugged([([headphones(.unplugged)], "headphones", 0), ([headphones(.unplugged)], "headphones", 9)]) == [
        nil, nil,
      ])
    #expect(unplugged([([], nil, 0), ([], nil, 9)]) == [nil, nil])
  }
}
