import Playback
import PlayerdInterfaces
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdDoctor

@Suite("Findings of doctor in a report") struct ReportedFindingTests {
  @Test("The name and the ID of an output are in no finding unless names are requested, with and without a daemon")
  func outputs() async {
    let output = AudioOutput(id: "usb-1", name: "Anna’s headphones", isDefault: true, sinkDescription: "fakesink")
    let media = ScriptedMedia(outputs: { [output] })
    var (configuration, status) = (Configuration(), PlayerStatus())
    configuration.audioDevice = output.id
    (status.output, status.outputName) = (output.id, output.name)
    let running: [PlayerStatus?] = [nil, status]
    for status in running {
      let findings = await OutputCheck.findings(configuration, media, running: status)
      #expect(findings.contains { $0.reportLine(withNames: true).contains(output.name) })
      let lines = findings.map { $0.reportLine(withNames: false) }
      #expect(lines.contains("ok: output: …"))
      for line in lines { #expect(!line.contains(output.name) && !line.contains(output.id), "\(line)") }
    }
  }

  @Test("A report has the literal parts, the numbers and the terms of a finding, but no inserted text")
  func texts() {
    let (path, count, inner) = (
      "/home/anna/Müller x", 3, FindingText("Anna, or Anna B", names: ["Anna", "Anna B", nil, ""])
    )
    let finding = Finding.error("\(path): \(count) of \(term: "Opus"); \(inner)", "open \(path)")
    #expect(finding.line == "error: /home/anna/Müller x: 3 of Opus; Anna, or Anna B – open /home/anna/Müller x")
    #expect(finding.reportLine(withNames: false) == "error: …: 3 of Opus; …, or … – open …")
    #expect(finding.reportLine(withNames: true) == finding.line)
    let secret = Finding.ok("output: \("shout2send password=x"), http://u:p@h/?k=v")
    #expect(secret.reportLine(withNames: true) == "ok: output: …, http://h/?k=…")
  }

  @Test("The description of an output may contain a password, and is in no report")
  func description() async {
    var status = PlayerStatus()
    status.output = "shout2send password=secret"
    let findings = await OutputCheck.findings(Configuration(), ScriptedMedia(), running: status)
    #expect(findings.map { $0.reportLine(withNames: true) } == ["ok: output: …"])
  }
}
