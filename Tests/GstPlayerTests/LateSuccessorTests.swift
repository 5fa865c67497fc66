import TestSupport
import Testing

@testable import GstPlayer

/// A gapless successor that hangs while it is loaded.
@Suite("Late successors") struct LateSuccessorTests {
  @Test("A successor that does not reach the output within the load time-out is withdrawn", arguments: [10, nil])
  func withdrawn(duration: Double?) throws {
    var bench = Bench()
    bench.start(duration: duration)
    bench.pass(.seconds(9))
    let next = try bench.takeOffer()
    let end: Duration = duration == nil ? .zero : .seconds(1)
    #expect(bench.pass(end + .milliseconds(9900)).orders.allSatisfy { $0 == .samplePosition })
    #expect(bench.pass(.milliseconds(100)).contains(.withdraw(next.stream)))
    #expect(bench.end().events.prefix(1) == [.itemDidPlayToEnd(bench.items[0])])
    #expect(bench.current == bench.items[1])
    #expect(bench.effects.loads.count == 2)
    #expect(bench.pass(.seconds(10)).events.contains { if case .itemFailed = $0 { true } else { false } })
    #expect(bench.current == bench.items[2])
  }

  @Test("A pause does not count towards the time-out of a successor")
  func paused() throws {
    var bench = Bench(configuration: PlayerConfiguration(loadTimeout: .seconds(2)))
    bench.start()
    bench.pass(.seconds(9))
    let next = try bench.takeOffer()
    _ = bench.pause()
    bench.pass(.seconds(4))
    bench.step { $0.play(now: $1) }
    #expect(bench.pass(.seconds(1)).isEmpty)
    bench.run()
    #expect(!bench.pass(.milliseconds(2900)).contains(.withdraw(next.stream)))
    #expect(bench.pass(.milliseconds(100)).contains(.withdraw(next.stream)))
  }

  @Test("A successor that reports its buffering level is given more time")
  func buffering() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(9))
    let next = try bench.takeOffer()
    bench.pass(.seconds(10))
    bench.step { $0.buffering(next.stream, percent: 3, StreamProgress(), now: $1) }
    #expect(!bench.pass(.milliseconds(9900)).contains(.withdraw(next.stream)))
    #expect(bench.pass(.milliseconds(100)).contains(.withdraw(next.stream)))
  }

  @Test(
    "If a successor keeps the current item from its preroll or its start, the item is loaded without it",
    arguments: [false, true])
  func blocked(hasPrerolled: Bool) throws {
    var bench = Bench()
    bench.step { $0.play(now: $1) }
    _ = try bench.takeOffer()
    if hasPrerolled { bench.settle() }
    #expect(bench.pass(.milliseconds(9900)).loads.isEmpty)
    #expect(bench.pass(.milliseconds(100)).loads.count == 1)
    #expect(bench.current == bench.items[0])
    bench.settle()
    bench.run()
    #expect(bench.offer() == nil)
  }

  @Test(
    "A file that hangs while it is loaded behind another item fails once, and both its neighbours play",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
    .enabled(if: isElementInstalled("avdemux_iff"), "gstreamer1.0-libav is not installed"), arguments: [0.05, 0.4])
  func hangs(seconds: Double) async throws {
    let good = fileURI(try await Media.sine(seconds: seconds))
    try await withTemporaryDirectory { directory in
      let file = fileURI(try directory.write(HangingFile.bytes, to: "hanging.dff"))
      try await withPlayer([good, file, good], loadTimeout: .seconds(5)) { stage in
        try await stage.playOut()
        let ended = stage.story.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
        #expect(ended == [stage.items[0], stage.items[2]])
        #expect(stage.failures.map(\.item) == [stage.items[1]])
      }
    }
  }
}

/// A DSD file at whose end the demuxer of GStreamer 1.22 reads for ever.
///
/// <https://dsd-guide.com/sites/default/files/white-papers/DSDIFF_1.5_Spec.pdf>
private enum HangingFile {
  static let bytes: [UInt8] = {
    let rate = chunk("FS  ", [0, 0x56, 0x22, 0])
    let channels = chunk("CHNL", [0, 2] + Array("SLFTSRGT".utf8))
    let compression = chunk("CMPR", Array("DSD ".utf8) + [14] + Array("not compressed\0".utf8))
    let properties = chunk("PROP", Array("SND ".utf8) + rate + channels + compression)
    let sound = chunk("DSD ", [UInt8](repeating: 0x69, count: 14_112))
    return chunk("FRM8", Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + properties + sound)
  }()

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + (0..<8).map { UInt8(truncatingIfNeeded: content.count >> (56 - 8 * $0)) } + content
  }
}
