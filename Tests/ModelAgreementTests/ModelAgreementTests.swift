import FoundationEssentials
import Glibc
import Simulation
import TestSupport
import Testing

@Suite("The model and GStreamer agree", .enabled(if: TestSupport.Media.isAvailable, "\(TestSupport.Media.unavailable)"))
struct ModelAgreementTests {
  /// The seeds of the scripts: some with which faults were found, or those that `make simulate REAL=FIRST-LAST` names.
  private static let seeds: [UInt64] = {
    let usual: [UInt64] = Array(1...7) + [19, 63, 68]
    guard let text = unsafe getenv("REAL") else { return usual }
    let bounds = unsafe String(cString: text).split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return usual }
    return Array(first...last)
  }()

  @Test("A script has the same trace with the model of the engine and with GStreamer", arguments: seeds)
  func agrees(seed: UInt64) async {
    await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
      try await withHTTPServer { server in
        let script = try await AgreementScript(seed: seed, server: server)
        try await check(script, "TRACES=FILE make simulate REAL=\(seed)-\(seed) writes both traces")
      }
    }
  }

  @Test(
    "Slow servers, and those that stall or close the connection",
    arguments: unsafe getenv("REAL") == nil ? AgreementCase.fewServers : AgreementCase.servers)
  func servers(example: AgreementCase) async { await run(example) }

  @Test("An output that fails and comes back", arguments: AgreementCase.outputs)
  func outputs(example: AgreementCase) async { await run(example) }

  private func run(_ example: AgreementCase) async {
    let name = example.testDescription
    await #expect(processExitsWith: .success) { [name = name as String] in
      let example = try #require((AgreementCase.servers + AgreementCase.outputs).first { $0.testDescription == name })
      try await withHTTPServer { server in
        try await check(AgreementScript(example, server: server), "TRACES=FILE receives both traces")
      }
    }
  }
}

/// Compares the traces of a script; in a process of its own, whose threads are those of one run.
private func check(_ script: AgreementScript, _ hint: String) async throws {
  // The permitted difference of times, in milliseconds: more than a buffer of the output. If a server is slow, a fill level is
  // reported in steps of up to a second of media.
  let tolerance = script.delivery == nil ? 120 : 800
  let real = await RealRun.run(script)
  let (model, difference) = ModelRun.run(script.scenario) {
    $0.difference(from: real.trace, tolerance: tolerance, allowsDelay: script.delivery != nil)
  }
  if let path = unsafe getenv("TRACES") {
    var lines = script.scenario.steps.map { "\($0)" }
    for (name, trace) in [("model", model.trace), ("GStreamer", real.trace)] {
      lines += trace.entries.map { "\(name) \($0)" } + trace.offers.map { "\(name), not compared: \($0)" }
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: unsafe String(cString: path)))
  }
  #expect(real.fault == nil, "\(hint)")
  #expect(model.breach == nil)
  #expect(real.trace.violation == nil)
  if let difference { Issue.record("\(hint)\n\(difference.text)") }
}
