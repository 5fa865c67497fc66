import TestSupport
import Testing

/// Tests of the daemon on kernels that lack a part of the sandbox.
@Suite(
  "Kernels without Landlock or seccomp",
  .enabled(if: RestrictedKernel.isAvailable && Media.isAvailable, "python3 is not installed, or \(Media.unavailable)"))
struct RestrictedKernelTests {
  @Test(
    "The daemon plays without the missing parts, and the log, status and doctor say which",
    arguments: [
      (
        RestrictedKernel(hasLandlock: false, hasSeccomp: false), "the kernel has neither Landlock nor seccomp",
        "warning: media are opened without a sandbox – enable Landlock and seccomp in the kernel"
      ),
      (
        RestrictedKernel(hasLandlock: false, hasSeccomp: true), "without Landlock, it can open all files",
        "warning: media are opened in an incomplete sandbox: seccomp – enable Landlock in the kernel"
      ),
      (
        RestrictedKernel(hasLandlock: true, hasSeccomp: false), "without seccomp, it can start programs",
        "warning: media are opened in an incomplete sandbox: Landlock "
      ),
    ])
  func missing(kernel: RestrictedKernel, reason: String, finding: String) async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Song"))
    try await withDaemon([file], launcher: kernel.launcher) { daemon in
      try await daemon.titled("Song")
      try await daemon.process.waitForLine(containing: "the engine process is not restricted completely: \(reason)")
      #expect(try await daemon.status() == "Playing")
      let sandbox = try await daemon.engineSandbox()
      #expect(sandbox?.contains("seccomp") == kernel.hasSeccomp, "\(sandbox ?? "nil")")
      // Landlock may be missing in the real kernel, too.
      if !kernel.hasLandlock { #expect(sandbox?.contains("Landlock") == false, "\(sandbox ?? "nil")") }
      let doctor = try await run(
        kernel.launcher + [DaemonUnderTest.executable, "doctor"],
        environment: daemon.bus.environment.merging(["MPRIS_PLAYERD_AUDIO_SINK": "fakesink"]) { $1 }, within: 60)
      #expect(doctor.output.contains(finding), "\(doctor.output)\(doctor.error)")
    }
  }
}
