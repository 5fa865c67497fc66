import FoundationEssentials
import Playback
import TestSupport
import Testing

@Suite("More than two channels", .enabled(if: Tool.areAvailable("ffmpeg"), "ffmpeg is missing"))
struct SurroundTests {
  @Test("Each channel of surround sound reaches the output unchanged", arguments: ["2.1", "quad", "5.0", "5.1"])
  func channels(layout: String) async throws {
    try await withTemporaryDirectory { directory in
      // Of 7.1, GStreamer and ffmpeg have the channels in different orders.
      let count = ["2.1": 3, "quad": 4, "5.0": 5, "5.1": 6][layout] ?? 0
      let tones = (1...count).map { "0.1*sin(\($0 * 200)*2*PI*t)" }.joined(separator: "|")
      let (file, samples, output) = (
        directory.file("tones.flac"), directory.file("samples"), directory.file("output")
      )
      let source = "aevalsrc=exprs=\(tones):c=\(layout):d=0.5"
      for arguments in [
        ["-f", "lavfi", "-i", source, "-sample_fmt", "s16", file], ["-i", file, "-f", "s16le", samples],
      ] {
        #expect(try await run(["ffmpeg", "-v", "error"] + arguments).succeeded)
      }
      try await withPlayer([fileURI(file)], sink: "filesink location=\(output)") { try await $0.playToEnd() }
      let (played, expected) = (
        try Data(contentsOf: URL(filePath: output)), try Data(contentsOf: URL(filePath: samples))
      )
      #expect(played.count == expected.count && played == expected)
    }
  }
}
