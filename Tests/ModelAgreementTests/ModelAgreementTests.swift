import Glibc
import Simulation
import TestSupport
import Testing

@Suite("The model and GStreamer agree", .enabled(if: TestSupport.Media.isAvailable, "\(TestSupport.Media.unavailable)"))
struct ModelAgreementTests {
  /// The seeds of the scripts: a fixed set, or those that `make simulate REAL=FIRST-LAST` names.
  private static let seeds: ClosedRange<UInt64> = {
    guard let text = unsafe getenv("REAL") else { return 1...16 }
    let bounds = unsafe String(cString: text).split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return 1...16 }
    return first...last
  }()

  /// The permitted difference of times, in milliseconds: more than a buffer of the output.
  private static let tolerance = 120

  /// The permitted difference of times if a server is slow: a fill level is reported in steps of up to a second of media.
  private static let slowTolerance = 800

  @Test("A script has the same trace with the model of the pipeline and with GStreamer", arguments: seeds)
  func agrees(seed: UInt64) async throws {
    try await withHTTPServer { server in
      let script = try await AgreementScript(seed: seed, server: server)
      try await check(script, isPrinted: Self.seeds.count == 1, "make simulate REAL=\(seed) prints both traces")
    }
  }

  @Test(
    "Slow servers, and those that stall or close the connection",
    arguments: unsafe getenv("REAL") == nil ? AgreementCase.fewServers : AgreementCase.servers)
  func servers(example: AgreementCase) async throws { try await check(example) }

  @Test("An output that fails and comes back", arguments: AgreementCase.outputs)
  func outputs(example: AgreementCase) async throws { try await check(example) }

  private func check(_ example: AgreementCase) async throws {
    try await withHTTPServer { server in
      let isPrinted =
        unsafe getenv("CASE").map { unsafe example.testDescription.contains(String(cString: $0)) } ?? false
      try await check(
        AgreementScript(example, server: server), isPrinted: isPrinted, "CASE=… prints both traces")
    }
  }

  private func check(_ script: AgreementScript, isPrinted: Bool, _ hint: String) async throws {
    let isSlow = script.delivery != nil
    let tolerance = isSlow ? Self.slowTolerance : Self.tolerance
    let real = await RealRun.run(script)
    let (model, difference) = ModelRun.run(script.scenario) {
      $0.difference(from: real.trace, tolerance: tolerance, allowsDelay: isSlow)
    }
    if isPrinted {
      for step in script.scenario.steps { print("\(step)") }
      for entry in model.trace.entries { print("model     \(entry)") }
      for entry in real.trace.entries { print("GStreamer \(entry)") }
      for line in model.trace.offers { print("model, not compared:     \(line)") }
      for line in real.trace.offers { print("GStreamer, not compared: \(line)") }
    }
    #expect(real.fault == nil, "\(hint)")
    #expect(model.breach == nil)
    #expect(real.trace.violation == nil)
    if let difference { Issue.record("\(hint)\n\(difference.text)") }
  }
}
