import PlayerdInterfaces
import Testing

@testable import Playerd
@testable import PlayerdSystem

@Suite("Names of outputs on the command line") struct OutputNameTests {
  private static let outputs: [ExtrasSnapshot.AudioOutput] = [
    .init(id: "one", name: "Speakers", isDefault: true), .init(id: "two", name: "USB Audio", isDefault: false),
    .init(id: "three", name: "USB Audio", isDefault: false), .init(id: "four", name: "one", isDefault: false),
    .init(id: "five", name: "default", isDefault: false), .init(id: "six", name: "My Hi-Fi", isDefault: false),
  ]

  private static func status(_ id: String) -> PlayerStatus {
    var status = PlayerStatus()
    (status.output, status.outputName) = (id, outputs.first { $0.id == id }?.name)
    return status
  }

  @Test(
    "The name of the selected output selects it again; one that means another output, or several, is replaced by the ID",
    arguments: [
      ("", "the default device"), ("one", "Speakers"), ("two", "two"), ("three", "three"), ("four", "four"),
      ("five", "five"), ("six", "My Hi-Fi"), ("gone", "gone"),
    ])
  func selected(id: String, name: String) {
    #expect(Self.status(id).selectedOutput(among: Self.outputs) == name)
  }

  @Test("The configured output is its own name, also if it is a sink or a device that is missing")
  func configured() {
    var status = Self.status("")
    status.configuredOutput = "pulsesink device=x"
    #expect(status.selectedOutput(among: []) == "pulsesink device=x")
    for text in ["pulsesink device=x", "default", "the default device"] { #expect(status.isConfiguredOutput(text)) }
    #expect(!status.isConfiguredOutput("one"))
  }

  @Test("The device in use is the selected one, or the default device; none is while another one plays")
  func used() {
    func used(_ change: (inout PlayerStatus) -> Void = { _ in }, id: String = "") -> [String] {
      var status = Self.status(id)
      change(&status)
      return Self.outputs.filter { status.uses(deviceWithID: $0.id, isDefault: $0.isDefault) }.map(\.id)
    }
    #expect(used() == ["one"] && used(id: "two") == ["two"])
    #expect(used { $0.configuredOutput = "fakesink" } == [] && used { $0.outputStatus = .substituted } == [])
  }
}
