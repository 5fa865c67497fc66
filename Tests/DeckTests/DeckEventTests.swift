import FoundationEssentials
import Glibc
import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite("Events of a deck", .serialized, .enabled(if: Tool.areAvailable("ffmpeg", "flac"), "an encoder is missing"))
struct DeckEventTests {
  @Test("The facts, the tags and the chapters of a file")
  func tags() async throws {
    try await withTemporaryDirectory { directory in
      let meta = try directory.write(
        """
        ;FFMETADATA1
        title=Nocturne
        artist=Someone
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=1000
        title=One
        [CHAPTER]
        TIMEBASE=1/1000
        START=1000
        END=2000
        title=Two
        """, to: "meta.txt")
      // ffmpeg writes no chapters into these.
      let comments = zip(1..., ["One", "Two"]).map { number, title in
        "-metadata CHAPTER00\(number)=00:00:0\(number - 1).000 -metadata CHAPTER00\(number)NAME=\(title)"
      }.joined(separator: " ")
      for suffix in ["flac", "m4a", "mka", "mp3", "ogg"] {
        let path = directory.file("tags.\(suffix)")
        let options = suffix == "ogg" ? "-c:a libvorbis \(comments)" : suffix == "flac" ? comments : ""
        let source = "-f lavfi -i anoisesrc=d=2 -i '\(meta)' -map 0:a -map_metadata 1 -map_chapters 1"
        try await shell("ffmpeg -v error -y \(source) \(options) '\(path)'")
        try await DeckHarness.with(path) { harness in
          try await harness.end()
          let facts = try await harness.settled()
          #expect(facts.isSeekable && !facts.isLive)
          let seconds = facts.duration.map { $0 / .seconds(1) } ?? 0
          // The duration of an MP3 without a reliable header is measured.
          #expect(suffix == "mp3" || (1.9...2.1).contains(seconds), "\(suffix)")
          try await harness.event("the title of \(suffix)") { event in
            if case .tags(let tags, _) = event, tags.title == "Nocturne", tags.artists == ["Someone"] {
              true
            } else {
              nil
            }
          }
          let titles = try await harness.event("the chapters of \(suffix)") { event in
            if case .chapters(let chapters) = event { chapters.map(\.title) } else { nil }
          }
          #expect(titles == ["One", "Two"], "\(suffix)")
          #expect(harness.failures.isEmpty)
        }
      }
    }
  }

  @Test("The duration of a file without a reliable one is measured")
  func duration() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.mp3")
      try await shell(
        "ffmpeg -v error -y -f lavfi -i anoisesrc=d=20 -q:a 3 -write_xing 0 '\(path)' && cat '\(path)' '\(path)' > '\(path).mp3'"
      )
      try await DeckHarness.with("\(path).mp3") { harness in
        let duration = try await harness.event("a duration") { event in
          if case .durationChanged(let duration?) = event, duration > .seconds(39) { duration } else { nil }
        }
        #expect(duration < .seconds(41))
      }
    }
  }

  /// A film with three tracks of different noise.
  private static func tracks(_ directory: TemporaryDirectory) async throws -> String {
    let path = directory.file("tracks.mka")
    let sources = (1...3).map { "-f lavfi -i sine=frequency=\($0 * 300):duration=6:sample_rate=48000" }
    let tags = zip(0..., ["ger", "eng", "fre"]).map { "-metadata:s:a:\($0) language=\($1)" }
    try await shell(
      """
      ffmpeg -v error -y \(sources.joined(separator: " ")) -map 0 -map 1 -map 2 \(tags.joined(separator: " ")) \
      -c:a flac '\(path)'
      """)
    return path
  }

  /// The frequency of the first second of a passage: half the number of changes of the sign.
  private static func frequency(_ harness: DeckHarness, _ passage: Passage) -> Int {
    let blocks = harness.blocks(of: passage)
    guard let format = blocks.first?.format else { return 0 }
    let bytes = blocks.flatMap(\.bytes)
    let size = format.bytesPerFrame
    let isNegative = (0..<min(48_000, bytes.count / size)).map { bytes[$0 * size + format.encoding.bytes - 1] > 127 }
    return zip(isNegative, isNegative.dropFirst()).count { $0 != $1 } / 2
  }

  @Test("Audio tracks are reported, and one is selected at the start, by its language, and later")
  func tracks() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.tracks(directory)
      try await DeckHarness.with(path, track: 2) { harness in
        try await harness.end()
        #expect((895...905).contains(Self.frequency(harness, Passage(DeckHarness.stream))))
        let tracks = try await harness.event("the tracks") { event in
          if case .audioTracks(let tracks, 2) = event, tracks.allSatisfy({ $0.language != nil }) {
            tracks
          } else {
            nil
          }
        }
        #expect(tracks.count == 3)
        harness.deck.selectAudioTrack(1)
        let passage = harness.seek(to: .zero, exactly: true)
        try await harness.end(of: passage)
        #expect((595...605).contains(Self.frequency(harness, passage)))
      }
      var configuration = Player.Configuration()
      configuration.preferredAudioLanguages = ["fr"]
      let harness = DeckHarness("file://\(path)", configuration: configuration)
      try await harness.opened { harness in
        try await harness.end()
        #expect((895...905).contains(Self.frequency(harness, Passage(DeckHarness.stream))))
      }
    }
  }

  @Test("A chain of Ogg streams with another rate continues in the first format")
  func chain() async throws {
    try await withTemporaryDirectory { directory in
      let (one, two, all) = (directory.file("1.ogg"), directory.file("2.ogg"), directory.file("all.ogg"))
      try await shell(
        """
        ffmpeg -v error -y -f lavfi -i anoisesrc=d=3:r=44100 -ac 2 -metadata title=One -c:a libvorbis '\(one)'
        ffmpeg -v error -y -f lavfi -i anoisesrc=d=2:r=48000 -ac 1 -metadata title=Two -c:a libvorbis '\(two)'
        cat '\(one)' '\(two)' > '\(all)'
        """)
      try await DeckHarness.with(all) { harness in
        try await harness.end()
        let blocks = harness.blocks()
        #expect(Set(blocks.map(\.format)).count == 1)
        #expect(harness.isContinuous())
        #expect((blocks.last?.end ?? 0) > 5 * 44_100 - 200)
        #expect((blocks.last?.end ?? 0) < 5 * 44_100 + 2_000)
        try await harness.event("the second title") { event in
          if case .titleStarts("Two", let time) = event, time > .seconds(2.9), time < .seconds(3.1) {
            true
          } else {
            nil
          }
        }
      }
    }
  }

  @Test("A transport stream whose times begin at ten hours does not begin there")
  func transportStream() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.ts")
      try await shell(
        "ffmpeg -v error -y -f lavfi -i anoisesrc=d=5:r=48000 -ac 2 -c:a mp2 -output_ts_offset 36000 '\(path)'")
      try await DeckHarness.with(path) { harness in
        try await harness.end()
        let blocks = harness.blocks()
        let (first, last) = (try #require(blocks.first), try #require(blocks.last))
        // The media begins with its clock, and the audio somewhat later.
        #expect((0..<48_000).contains(first.first))
        #expect(harness.isContinuous())
        #expect(abs(last.end - first.first - 5 * 48_000) < 4_000)
      }
    }
  }

  @Test("An adaptive stream is delivered without a gap", .enabled(if: isInstalled("hlsdemux"), "hlsdemux is missing"))
  func adaptive() async throws {
    try await withTemporaryDirectory { directory in
      try await shell(
        """
        cd '\(directory.path)' && ffmpeg -v error -y -f lavfi -i sine=frequency=500:d=12:r=48000 -ac 2 -c:a mp2 -f hls \
        -hls_time 2 -hls_list_size 0 list.m3u8
        """)
      try await withHTTPServer { server in
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
          let type = name.hasSuffix("m3u8") ? "application/vnd.apple.mpegurl" : "video/mp2t"
          server.script("/\(name)", try .file(directory.file(name), type: type))
        }
        let harness = DeckHarness(server.origin + "/list.m3u8")
        try await harness.opened { harness in
          try await harness.end(within: 60)
          let blocks = harness.blocks()
          #expect(harness.isContinuous())
          #expect(blocks.reduce(0) { $0 + $1.frames } > Int64(11.8 * 48_000))
          let facts = try await harness.settled()
          #expect(facts.duration.map { abs($0 / .seconds(1) - 12) < 0.5 } == true)
        }
      }
    }
  }

  @Test(
    "A live source delivers in its own time, and is not seekable", .enabled(if: isInstalled("testsrcbin"), "no testbin")
  )
  func live() async throws {
    let harness = DeckHarness("testbin://audio,is-live=true", from: .seconds(5))
    try await harness.opened { harness in
      try await harness.frames(22_050, of: Passage(DeckHarness.stream))
      let facts = try await harness.settled()
      #expect(facts.isLive && !facts.isSeekable && facts.duration == nil)
      try await harness.log.first("the refusal of the start") { if case .refused = $0 { true } else { false } }
      #expect(harness.failures.isEmpty)
    }
  }

  @Test("The titles of a station begin with their samples")
  func station() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.mp3")
      try await shell(
        "ffmpeg -v error -y -f lavfi -i anoisesrc=d=20 -b:a 128k -write_xing 0 -id3v2_version 0 '\(path)'")
      let audio = try contents(path)
      // Metadata after every 16,000 bytes, a second.
      var bytes: [UInt8] = []
      for (number, start) in stride(from: 0, to: audio.count, by: 16_000).enumerated() {
        bytes += audio[start..<min(audio.count, start + 16_000)]
        guard start + 16_000 <= audio.count else { break }
        var text = number.isMultiple(of: 5) ? Array("StreamTitle='Song \(number)';".utf8) : []
        text += Array(repeating: 0, count: (16 - text.count % 16) % 16)
        bytes += [UInt8(text.count / 16)] + text
      }
      try await withHTTPServer { server in
        let response = HTTPResponse.bytes(bytes, type: "audio/mpeg").ignoringRanges().header("icy-metaint: 16000")
          .header("icy-name: Radio")
        let harness = DeckHarness(server.script("/radio", response))
        try await harness.opened { harness in
          try await harness.end()
          let titles = harness.log.elements.compactMap { delivery -> (String, Duration)? in
            if case .event(.titleStarts(let title, let time)) = delivery { (title, time) } else { nil }
          }
          #expect(titles.map(\.0) == ["Song 0", "Song 5", "Song 10", "Song 15"])
          #expect(
            titles.allSatisfy { title, time in
              let second = Double(title.dropFirst(5)) ?? 0
              return abs(time / .seconds(1) - second) < 1.5
            }, "\(titles)")
          try await harness.event("the station") { event in
            if case .tags(let tags, _) = event, tags.organization == "Radio" { true } else { nil }
          }
        }
      }
    }
  }

  @Test("The tags of a station's next title are delivered when its first sample was used")
  func heldTitle() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.mp3")
      try await shell("ffmpeg -v error -y -f lavfi -i anoisesrc=d=9 -b:a 128k -write_xing 0 -id3v2_version 0 '\(path)'")
      // After 1 s and 2 s.
      let titles = [0: Array("One".utf8), 1: Array("Two".utf8)]
      let audio = try contents(path)
      try await withHTTPServer { server in
        let uri = server.script("/radio", .station(Array("Radio".utf8), titles: titles, every: 16_000, audio))
        let harness = DeckHarness(uri, usesSamples: false)
        let isTagged = { (title: String) in
          harness.log.elements.contains { delivery in
            if case .event(.tags(let tags, _)) = delivery { tags.title == title } else { false }
          }
        }
        try await harness.opened { harness in
          let time = try await harness.event("the second title") { event in
            if case .titleStarts("Two", let time) = event { time } else { nil }
          }
          let entry = try await harness.log.first("its first samples", within: 20) { delivery in
            if case .block(let block) = delivery { block.format.time(at: block.first) == time } else { false }
          }
          guard case .block(let block) = entry.element else { return }
          #expect(isTagged("One") && !isTagged("Two"))
          harness.deck.advance(block.passage, to: block.first)
          #expect(!isTagged("Two"))
          harness.deck.advance(block.passage, to: block.first + 1)
          #expect(isTagged("Two"))
        }
      }
    }
  }

  // MARK: Failures

  @Test("A file that cannot be opened is one failure, without the warnings of the demuxer before it")
  func earlyWarning() async throws {
    try await withTemporaryDirectory { directory in
      // The type of the file, an empty atom, and one that has a length and no name.
      var bytes: [UInt8] = [0, 0, 0, 28] + Array("ftypM4A ".utf8) + [0, 0, 2, 0] + Array("M4A isomiso2".utf8)
      bytes += [0, 0, 0, 8] + Array("free".utf8) + [0, 0, 0x66, 0x9C]
      let path = directory.file("cut.m4a")
      try Data(bytes).write(to: URL(filePath: path))
      let harness = DeckHarness("file://\(path)")
      harness.deck.open()
      let error = try await harness.failure()
      #expect(error.code == .corrupt)
      harness.deck.close()
      await harness.deck.closed()
      #expect(!harness.log.elements.contains { if case .warning = $0 { true } else { false } })
    }
  }

  @Test("A damaged, truncated or empty file, text, and a missing file give one failure at most, and no crash")
  func damaged() async throws {
    try await withTemporaryDirectory { directory in
      var generator = SeededGenerator(seed: 4)
      var files: [(path: String, fails: Bool)] = [
        (try await Media.emptyFile(), true), (try await Media.textFile(), true), (Media.missing, true),
        (directory.path, true),
      ]
      for (suffix, options) in [
        ("flac", ""), ("mp3", ""), ("ogg", "-c:a libvorbis"), ("m4a", ""), ("wav", ""), ("mka", "-c:a flac"),
        ("caf", ""),
      ] {
        let path = directory.file("good.\(suffix)")
        try await shell("ffmpeg -v error -y -f lavfi -i anoisesrc=d=4 -ac 2 \(options) '\(path)'")
        let bytes = try contents(path)
        for share in [0.01, 0.3, 0.9] {
          let cut = directory.file("cut-\(share).\(suffix)")
          try Data(bytes.prefix(Int(Double(bytes.count) * share))).write(to: URL(filePath: cut))
          files.append((cut, false))
        }
        var damaged = bytes
        for _ in 0..<200 {
          damaged[Int.random(in: 200..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        let path2 = directory.file("damaged.\(suffix)")
        try Data(damaged).write(to: URL(filePath: path2))
        files.append((path2, suffix == "caf"))
      }
      for (path, fails) in files {
        let harness = DeckHarness("file://\(path)")
        try await harness.opened { harness in
          try await harness.log.first("the end of \(path)", within: 20) { delivery in
            switch delivery {
            case .ended, .event(.failed): true
            default: false
            }
          }
        }
        await harness.deck.closed()
        // The end is not reported if the samples before it are incomplete.
        let ends = harness.log.elements.count { if case .ended = $0 { true } else { false } }
        #expect(ends + harness.failures.count == 1, "\(path): \(harness.failures)")
        #expect(harness.failures.count <= 1, "\(path): \(harness.failures)")
        #expect(harness.failures.isEmpty == false || !fails, "\(path)")
      }
    }
  }

  @Test("A server that does not respond does not delay the close")
  func hangingServer() async throws {
    try await withHTTPServer { server in
      let uri = server.script("/a.flac", .silence)
      let harness = DeckHarness(uri)
      harness.deck.open()
      try await server.events.first("the request") { if case .requested = $0 { true } else { false } }
      harness.deck.close()
      try await deadline(2, "the deck closes") { await harness.deck.closed() }
      #expect(harness.failures.isEmpty)
    }
  }

  @Test("A call that does not return is given up, and the deck reports nothing else")
  func hang() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("leased.wav")
      // The kernel signals every open to the lease holder; the default action of the signal ends the process.
      signal(SIGIO, SIG_IGN)
      let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      let setLease: Int32 = 1024
      try #require(descriptor >= 0 && fcntl(descriptor, setLease, F_WRLCK) == 0, "no file leases")
      var configuration = Player.Configuration(loadTimeout: .milliseconds(200))
      configuration.pipelineTimeout = .milliseconds(200)
      let hanging = DeckHarness("file://\(path)", configuration: configuration)
      hanging.deck.open()
      // The seek waits behind the opening of the file.
      hanging.seek(to: .seconds(1), exactly: true)
      #expect(try await hanging.failure().code == .loadTimeout)
      try await deadline(5, "the deck counts as closed") { await hanging.deck.closed() }
      let closing = DeckHarness("file://\(path)", configuration: configuration)
      closing.deck.open()
      closing.deck.close()
      try await deadline(5, "the closed deck is given up") { await closing.deck.closed() }
      // The blocked call returns now, and the playbin is released.
      close(descriptor)
      hanging.deck.close()
      let warning = "the media does not respond; its pipeline is abandoned"
      let late = "the previously loaded media does not respond; its pipeline is abandoned"
      let warnings = (hanging.log.elements + closing.log.elements).compactMap { delivery in
        if case .abandoned(let text) = delivery { text } else { nil }
      }
      // The second deck may have been closed before its call.
      #expect(warnings == [warning] || warnings == [warning, late])
      #expect(hanging.log.count == 2)
      #expect(closing.log.count == warnings.count - 1)
    }
  }

  @Test("The failures of a server")
  func server() async throws {
    try await withHTTPServer { server in
      let missing = DeckHarness(server.origin + "/missing.mp3")
      let error = try await missing.opened { try await $0.failure() }
      #expect(error.code == .httpError)
      let page = DeckHarness(
        server.script("/page", .bytes(Array("<!DOCTYPE html><html><body></body></html>".utf8), type: "text/html")))
      let other = try await page.opened { try await $0.failure() }
      #expect(other.code == .notMedia)
    }
    let refused = DeckHarness("http://127.0.0.1:9/a.mp3")
    let error = try await refused.opened { try await $0.failure() }
    #expect(error.code == .networkRefused)
    #expect(refused.failures.count == 1)
  }

  @Test("A network stream reports its progress, redirection and buffer, and seeks")
  func network() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.flac")
      try await shell("ffmpeg -v error -y -f lavfi -i anoisesrc=d=30 -ac 2 -sample_fmt s16 '\(path)'")
      let whole = try await DeckHarness.with(path) { harness in
        try await harness.end()
        return harness.bytes()
      }
      try await withHTTPServer { server in
        server.script("/a.flac", try .file(path))
        let harness = DeckHarness(server.script("/old.flac", .redirect(to: "/a.flac")), usesSamples: false)
        try await harness.opened { harness in
          let facts = try await harness.settled()
          #expect(facts.isSeekable)
          try await harness.event("the redirection") { event in
            if case .redirected(let uri) = event, uri.hasSuffix("/a.flac") { true } else { nil }
          }
          try await harness.event("a progress") { if case .progressed = $0 { true } else { nil } }
          try await harness.event("a buffer") { if case .buffering = $0 { true } else { nil } }
          let passage = harness.seek(to: .seconds(25), exactly: true)
          harness.use(true)
          try await harness.end(of: passage)
          let first = try #require(harness.blocks(of: passage).first)
          #expect(first.first == Int64(25 * first.format.rate))
          let start = Int(first.first) * first.format.bytesPerFrame
          #expect(difference(harness.bytes(of: passage), Array(whole[start...])) == nil)
          #expect(harness.failures.isEmpty)
        }
      }
    }
  }

  @Test("A short Ogg file from a fast server can be sought at once", arguments: ["libvorbis", "libopus"])
  func shortOgg(codec: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.ogg")
      try await shell("ffmpeg -v error -y -f lavfi -i anoisesrc=r=48000:d=40:a=0.3 -ac 2 -c:a \(codec) '\(path)'")
      try await withHTTPServer { server in
        for number in 0..<6 {
          let harness = DeckHarness(server.script("/\(number).ogg", try .file(path)), usesSamples: false)
          try await harness.opened { harness in
            #expect(try await harness.settled().isSeekable)
            let passage = harness.seek(to: .seconds(25), exactly: true)
            try await harness.frames(44_100, of: passage)
            let first = try #require(harness.blocks(of: passage).first?.first)
            // `oggdemux` bisects the file by requests, and on a busy machine sometimes ends at a later page.
            #expect(first >= 25 * 48_000)
          }
        }
      }
    }
  }

  @Test("The tags of a chain are reported when its next part is used")
  func chainedTags() async throws {
    try await withTemporaryDirectory { directory in
      let (one, two, all) = (directory.file("1.ogg"), directory.file("2.ogg"), directory.file("all.ogg"))
      try await shell(
        """
        ffmpeg -v error -y -f lavfi -i anoisesrc=d=1:r=44100 -metadata title=One -c:a libvorbis '\(one)'
        ffmpeg -v error -y -f lavfi -i anoisesrc=d=1:r=44100 -metadata title=Two -c:a libvorbis '\(two)'
        cat '\(one)' '\(two)' > '\(all)'
        """)
      let harness = DeckHarness("file://\(all)", usesSamples: false)
      try await harness.opened { harness in
        let passage = Passage(DeckHarness.stream)
        try await harness.end()
        let titles = {
          harness.log.elements.compactMap { delivery in
            switch delivery {
            case .event(.tags(let tags, _)): tags.title
            case .event(.songEnded): "ended"
            default: nil
            }
          }
        }
        #expect(Set(titles()) == ["One"])
        harness.deck.advance(passage, to: 44_000)
        #expect(Set(titles()) == ["One"])
        harness.deck.advance(passage, to: 45_000)
        let later = titles().drop { $0 == "One" }
        #expect(later.first == "ended")
        #expect(Set(later.dropFirst()) == ["Two"])
      }
    }
  }

  @Test("When all decoded samples have reached the output, the stream has run out, once")
  func ranOut() async throws {
    let path = try await Media.sine(seconds: 3, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/a.mp3", try .file(path).stalling(at: 40_000))
      let harness = DeckHarness(uri, usesSamples: false)
      try await harness.opened { harness in
        let passage = Passage(DeckHarness.stream)
        try await server.events.first("the stall") { if case .stalled = $0 { true } else { false } }
        try await harness.frames(44_100, of: passage)
        harness.deck.advance(passage, to: 22_050)
        #expect(harness.deck.progress.delivered == .milliseconds(500))
        server.release("/a.mp3")
        try await harness.end()
        let last = try #require(harness.blocks().last)
        for frame in [last.end - 1, last.end] { harness.deck.advance(passage, to: frame) }
        let count = harness.log.elements.count { if case .event(.ranOut) = $0 { true } else { false } }
        #expect(count == 1)
      }
    }
  }

  @Test("A connection that ends early delivers the data that has arrived, and one failure of the source")
  func cut() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.mp3")
      try await shell("ffmpeg -v error -y -f lavfi -i anoisesrc=d=30 -b:a 128k '\(path)'")
      try await withHTTPServer { server in
        let uri = server.script("/a.mp3", try .file(path).refusingRanges().cutting(at: 240_000))
        let harness = DeckHarness(uri)
        try await harness.opened { harness in
          let error = try await harness.failure()
          #expect(error.isFromSource)
          try await harness.log.first("the end") { if case .ended = $0 { true } else { false } }
          #expect((harness.blocks().last?.end ?? 0) > 14 * 44_100)
        }
      }
    }
  }

  @Test("Opening and closing 200 decks leaves no threads or descriptors")
  func leaks() async throws {
    let path = try await Media.sine(seconds: 5)
    // Other tests open files, too.
    await #expect(processExitsWith: .success) { [path = path as String] in
      func count(_ folder: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
      func cycle(_ number: Int) async throws {
        try await DeckHarness.with(path, usesSamples: number.isMultiple(of: 2)) { harness in
          if number.isMultiple(of: 3) { _ = try await harness.settled() }
          if number.isMultiple(of: 5) { harness.seek(to: .seconds(2), exactly: true) }
          harness.deck.close()
          await harness.deck.closed()
        }
      }
      for number in 0..<20 { try await cycle(number) }
      let (threads, descriptors) = (try count("/proc/self/task"), try count("/proc/self/fd"))
      for number in 0..<200 { try await cycle(number) }
      // The idle threads of the pools come and go.
      let (lastThreads, lastDescriptors) = (try count("/proc/self/task"), try count("/proc/self/fd"))
      #expect(lastThreads <= threads + 10, "\(lastThreads) threads after \(threads)")
      #expect(lastDescriptors <= descriptors + 2, "\(lastDescriptors) descriptors after \(descriptors)")
    }
  }
}

/// Whether an element is installed.
func isInstalled(_ element: String) -> Bool {
  guard (try? GStreamer.initialize()) != nil else { return false }
  return GLib.elementType(element) != nil
}
