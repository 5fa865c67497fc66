import Benchmark

@testable import DBus
@testable import MPRISService

/// The messages of D-Bus: a track's metadata, and the texts of a long list.
func measureCodec() {
  let contents: [(String, DBusValue)] = [
    ("metadata", MPRISSnapshot.playing.metadata.value),
    ("1,000 texts", .strings((0..<1_000).map { "file:///music/\($0).flac" })),
  ]
  for (name, value) in contents {
    Benchmark("D-Bus: write \(name)") { benchmark in
      for _ in benchmark.scaledIterations { blackHole(try signal(of: value).hasSignature("v")) }
    }
    Benchmark("D-Bus: read \(name)") { benchmark in
      let signal = try signal(of: value)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { blackHole(try signal.values()) }
    }
  }
}

private func signal(of value: DBusValue) throws -> Message {
  try Message.signal(
    at: "/org/playerd", of: "org.playerd.Benchmark", "Changed", [value], as: DBusSignature(of: [value]))
}
