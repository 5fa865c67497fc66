import TestSupport
import Testing

@testable import GstPlayer

@Suite("Encoder padding") struct EncoderPaddingTests {
  private let padding = EncoderPadding(rate: 1_000, leading: 100, trailing: 1_100..<1_200)

  @Test("Values that no encoder writes are refused")
  func refused() {
    #expect(EncoderPadding(rate: 0, leading: 0) == nil)
    #expect(EncoderPadding(rate: 44_100, leading: -1) == nil)
    #expect(EncoderPadding(rate: 44_100, leading: 1 << 20) == nil)
    #expect(EncoderPadding(rate: 44_100, leading: 576, trailing: 576..<577) == nil)
    #expect(EncoderPadding(rate: 44_100, leading: 0, trailing: Int64.max - 1..<Int64.max) == nil)
  }

  @Test("Frames of the media are mapped in both directions; the padding has the nearest media frame")
  func frames() throws {
    let padding = try #require(padding)
    #expect(padding.frames == 1_000)
    for (media, decoded) in [(0, 100), (999, 1_099), (1_000, 1_200), (1_500, 1_700)] as [(Int64, Int64)] {
      #expect(padding.decoded(media) == decoded)
      #expect(padding.media(decoded) == media)
      #expect(padding.mediaTime(.milliseconds(decoded)) == .milliseconds(media))
      #expect(padding.decodedTime(.milliseconds(media)) == .milliseconds(decoded))
    }
    #expect(padding.media(0) == 0)
    #expect(padding.media(1_150) == 1_000)
    #expect(padding.mediaTime(.milliseconds(1_150)) == .seconds(1))
    #expect(padding.media(in: 0..<100).isEmpty)
    #expect(padding.media(in: 0..<2_000) == [100..<1_100, 1_200..<2_000])
    #expect(padding.media(in: .min ..< .max) == [100..<1_100, 1_200..<Int64.max])
  }

  @Test("The padding of a decoder with another sample rate is in that rate's frames")
  func rate() throws {
    let double = try #require(padding?.converted(to: 2_000))
    #expect((double.leading, double.frames) == (200, 2_000))
    let endless = try #require(EncoderPadding(rate: 22_050, leading: 2_112, trailing: 50_000..<Int64.max))
    #expect(endless.converted(to: 44_100)?.trailing == 100_000..<Int64.max)
    #expect(endless.decoded(60_000) == 62_112)
    #expect(endless.mediaTime(.seconds(100)) == endless.mediaTime(.seconds(50)))
  }
}

@Suite("Padding of MP3 files") struct MP3PaddingTests {
  /// Returns frames of MPEG-1, 128 kbit/s, 44.1 kHz, stereo; the first one has a tag.
  private func file(
    _ encoder: String = "Lavc", mark: String = "Info", frames: UInt32 = 88, value: UInt32 = 576 << 12 | 797,
    flags: UInt32 = 15, reservoir: UInt8 = 0
  ) -> [UInt8] {
    func big(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
    var frame = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    frame[4] = reservoir
    let audio = frame
    if !mark.isEmpty {
      var tag = Array(mark.utf8) + big(flags)
      if flags & 1 != 0 { tag += big(frames) }
      if flags & 2 != 0 { tag += big(36_000) }
      if flags & 4 != 0 { tag += [UInt8](repeating: 0, count: 100) }
      if flags & 8 != 0 { tag += big(50) }
      tag += Array(encoder.utf8) + [UInt8](repeating: 0x31, count: 17) + big(value, 3)
      frame.replaceSubrange(36..<36 + tag.count, with: tag)
    }
    return frame + audio + audio
  }

  private func read(_ bytes: [UInt8], isWhole: Bool = true) -> EncoderPadding? {
    MP3Padding.read(bytes[...], isWhole: isWhole)?.padding
  }

  @Test(
    "The tag of FFmpeg has the delay and the padding, to which the decoder adds 529 frames",
    arguments: ["Lavc", "Lavf"])
  func lavc(name: String) throws {
    let header = try #require(MP3Padding.read(file(name)[...], isWhole: false))
    #expect(header.padding == EncoderPadding(rate: 44_100, leading: 1_105, trailing: 101_108..<101_376))
    #expect(header.padding.frames == 100_003)
    #expect(header.edits == [PaddingHeader.Edit(offset: 156, bytes: [0, 0, 0, 0])])
    // Data before the first frame, and fewer fields before the encoder.
    #expect(MP3Padding.read(([0, 0xFF, 0xFB] + file(name))[...], isWhole: true)?.padding == header.padding)
    #expect(read(file(name, flags: 1)) == header.padding)
    #expect(read(file(name, flags: 0)) == EncoderPadding(rate: 44_100, leading: 1_105))
  }

  @Test("A padding shorter than the decoder's delay leaves the end as it is")
  func short() {
    #expect(read(file(value: 576 << 12 | 100))?.trailing == 101_376..<101_376)
    #expect(read(file(value: 0)) == EncoderPadding(rate: 44_100, leading: 529, trailing: 101_376..<101_376))
  }

  @Test("The tag of LAME is left to GStreamer; the tag of an unknown encoder is ignored")
  func others() {
    #expect(read(file("LAME")) == nil)
    #expect(read(file("GOGO")) == nil)
    #expect(read(file(mark: "Xing")) != nil)
  }

  @Test("Without a tag, a file begins with the usual delay; a part of a longer one and a broadcast do not")
  func untagged() {
    #expect(read(file(mark: "")) == EncoderPadding(rate: 44_100, leading: 1_105))
    #expect(read(file(mark: "", reservoir: 1)) == nil)
    #expect(read(file(mark: ""), isWhole: false) == nil)
    #expect(read(file(mark: "VBRI")) == nil)
  }

  @Test("A delay longer than the file is ignored")
  func longer() {
    #expect(read(file(frames: 1, value: 4_095 << 12)) == nil)
    #expect(read(file(frames: .max, value: .max)) != nil)
  }

  @Test("Truncated data has the padding of the whole file or of a file without a tag, or no padding")
  func truncated() {
    let untagged = EncoderPadding(rate: 44_100, leading: 1_105)
    for file in [file(), file(mark: ""), file(flags: 0xFFFF_FFFF)] {
      let whole = read(file)
      var isComplete = false
      for count in 0...file.count {
        let padding = read(Array(file.prefix(count)))
        #expect(padding == nil || padding == whole || padding == untagged, "\(count) bytes")
        // The tag ends before byte 200; more data never changes its values.
        if count >= 200 { #expect(padding == whole, "\(count) bytes") }
        isComplete = isComplete || padding == whole
        #expect(padding == whole || !isComplete || whole == nil || count < 200, "\(count) bytes")
      }
    }
  }

  @Test("Damaged data has a padding that an encoder can write, and no tag is left for GStreamer", .seeded)
  func hostile() throws {
    var generator = SeededGenerator()
    for file in [file(), file(mark: ""), file(flags: 0xFFFF_FFFF)] {
      for _ in 0..<2_000 {
        var broken = file
        for _ in 0..<4 { broken[Int.random(in: 0..<200, using: &generator)] = .random(in: 0...255, using: &generator) }
        guard let header = MP3Padding.read(broken[...], isWhole: true) else { continue }
        let padding = header.padding
        #expect([8, 11.025, 12, 16, 22.05, 24, 32, 44.1, 48].contains(Double(padding.rate) / 1_000))
        guard let edit = header.edits.first else {
          #expect(padding.leading == 576 + 529 && padding.trailing == nil)
          continue
        }
        #expect((529...529 + 4_095).contains(padding.leading))
        if let trailing = padding.trailing {
          #expect(trailing.count <= 4_095 - 529 && trailing.upperBound % 576 == 0)
        }
        let place = edit.offset..<edit.offset + edit.bytes.count
        #expect(header.edits.count == 1)
        #expect(["Lavc", "Lavf"].contains(String(decoding: try #require(broken.slice(place)), as: UTF8.self)))
        broken.replaceSubrange(place, with: edit.bytes)
        #expect(read(broken) == nil)
      }
    }
    #expect(read([UInt8](repeating: 0xFF, count: 8_000)) == nil)
  }
}

@Suite("Padding of MP4 files") struct MP4PaddingTests {
  /// A `moov` box of one AAC track, with 44.1 kHz and 99 packets of 1,024 frames, the last one shorter.
  private struct Movie {
    var edits: [(length: UInt64, start: UInt64)] = [(2_267, 1_024)]
    var version: UInt8 = 0
    var movieScale: UInt32 = 1_000
    var length: UInt32 = 2_268
    var runs: [(UInt32, UInt32)] = [(98, 1_024), (1, 675)]
    var format = "mp4a"
    var tracks = 1
    var isFragmented = false
    var tag: String?
    var encoder: String?

    private func big(_ value: UInt64, _ width: Int = 4) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      big(UInt64(content.count + 8)) + name.unicodeScalars.map { UInt8($0.value) } + content
    }

    private func times(_ scale: UInt32, _ length: UInt64) -> [UInt8] {
      let width = version == 1 ? 8 : 4
      return [version, 0, 0, 0] + big(0, width) + big(0, width) + big(UInt64(scale)) + big(length, width)
        + [UInt8](repeating: 0, count: 80)
    }

    private var track: [UInt8] {
      let width = version == 1 ? 8 : 4
      let list = edits.flatMap { big($0.length, width) + big($0.start, width) + big(0x10000) }
      let table = runs.flatMap { big(UInt64($0.0)) + big(UInt64($0.1)) }
      let tables =
        box("stsd", big(0) + big(1) + box(format, [UInt8](repeating: 0, count: 28)))
        + box("stts", big(0) + big(UInt64(runs.count)) + table)
      let edts = edits.isEmpty ? [] : box("edts", box("elst", [version, 0, 0, 0] + big(UInt64(edits.count)) + list))
      let media =
        box("mdhd", times(44_100, 101_027)) + box("hdlr", big(0) + big(0) + Array("soun".utf8) + big(0))
        + box("minf", box("stbl", tables))
      return box("trak", edts + box("mdia", media))
    }

    var bytes: [UInt8] {
      var content = box("mvhd", times(movieScale, UInt64(length)))
      for _ in 0..<tracks { content += track }
      if isFragmented { content += box("mvex", []) }
      var items: [UInt8] = []
      if let tag {
        let data = box("data", big(1) + big(0) + Array(tag.utf8))
        items += box("----", box("mean", big(0)) + box("name", big(0) + Array("iTunSMPB".utf8)) + data)
      }
      if let encoder { items += box("©too", box("data", big(1) + big(0) + Array(encoder.utf8))) }
      if !items.isEmpty { content += box("udta", box("meta", big(0) + box("ilst", items))) }
      return box("moov", content)
    }
  }

  private func read(_ movie: Movie) -> EncoderPadding? { MP4Padding.read(movie.bytes[...])?.padding }

  private let tag = " 00000000 00000400 0000015D 00000000000186A3 00000000"
  private let expected = EncoderPadding(rate: 44_100, leading: 1_024, trailing: 101_027..<Int64.max)

  @Test("An edit list has the start, and within its rounding the end of the track", arguments: [0, 1] as [UInt8])
  func editList(version: UInt8) throws {
    #expect(read(Movie(version: version)) == expected)
    #expect(read(Movie(edits: [(0, 1_024)], version: version)) == expected)
    let exact = Movie(edits: [(99_000, 2_112)], version: version, movieScale: 44_100, length: 99_000)
    #expect(read(exact) == EncoderPadding(rate: 44_100, leading: 2_112, trailing: 101_027..<Int64.max))
    let cut = Movie(edits: [(98_000, 1_024)], version: version, movieScale: 44_100)
    #expect(read(cut) == EncoderPadding(rate: 44_100, leading: 1_024, trailing: 99_024..<Int64.max))
  }

  @Test("The tag of iTunes has the exact numbers, alone or with an edit list")
  func itunes() {
    #expect(read(Movie(edits: [], tag: tag)) == expected)
    #expect(read(Movie(edits: [(2_267, 0)], tag: tag)) == expected)
    #expect(read(Movie(edits: [(2_200, 1_024)], tag: tag)) == expected)
    // A tag of another file.
    #expect(read(Movie(edits: [], tag: " 00000000 00000400 00000000 0000000001000000")) == nil)
    #expect(read(Movie(edits: [], tag: " 00000000 00000400 00000000 0000000000000010")) == nil)
    #expect(read(Movie(edits: [], tag: " 00000000 -0000400 00000000 -00000000000186A3")) == nil)
    #expect(read(Movie(edits: [], tag: " 00000000 FFFFFFFF 00000000 FFFFFFFFFFFFFFFF")) == nil)
    #expect(read(Movie(edits: [], tag: "")) == nil)
  }

  @Test("What GStreamer would use is hidden, and the movie is as long as its frames")
  func edits() throws {
    let movie = Movie(tag: tag, encoder: "Nero AAC codec").bytes
    let header = try #require(MP4Padding.read(movie[...]))
    var changed = movie
    for edit in header.edits {
      changed.replaceSubrange(edit.offset..<edit.offset + edit.bytes.count, with: edit.bytes)
    }
    #expect(changed.count == movie.count)
    let names = ["edts", "----", "©too"]
    for name in names {
      #expect(movie.indices.contains { movie[$0...].name(at: 0) == name })
      #expect(!changed.indices.contains { changed[$0...].name(at: 0) == name })
    }
    // 101,027 frames are 2,290.9 ms.
    #expect(changed[...].number(4, at: 8 + 8 + 16) == 2_291)
    #expect(MP4Padding.read(changed[...]) == nil)
    #expect(MP4Padding.read(Movie(tag: tag, encoder: "qaac").bytes[...])?.edits.count == 3)
  }

  @Test("An edit list that cuts the media, has gaps or has several parts stays with GStreamer")
  func otherEdits() {
    #expect(read(Movie(edits: [])) == nil)
    #expect(read(Movie(edits: [(2_291, 0)])) == nil)
    #expect(read(Movie(edits: [(1_000, 1_024)])) == nil)
    #expect(read(Movie(edits: [(1_000, 44_100)])) == nil)
    #expect(read(Movie(edits: [(100, 0xFFFF_FFFF), (2_267, 1_024)])) == nil)
    #expect(read(Movie(edits: [(2_267, 0xFFFF_FFFF)])) == nil)
    #expect(read(Movie(edits: [(.max, .max)], version: 1)) == nil)
  }

  @Test("Files with several tracks, fragments or other encodings are not read")
  func others() {
    #expect(read(Movie(tracks: 2)) == nil)
    #expect(read(Movie(tracks: 0)) == nil)
    #expect(read(Movie(format: "Opus")) == nil)
    #expect(read(Movie(isFragmented: true)) == nil)
    #expect(read(Movie(movieScale: 0)) == nil)
    #expect(read(Movie(runs: [(.max, .max), (.max, .max)])) == nil)
    #expect(read(Movie(runs: [])) == nil)
  }

  @Test("A truncated header is not read; a damaged one leaves no number of a padding for GStreamer", .seeded)
  func hostile() throws {
    var generator = SeededGenerator()
    for file in [Movie(tag: tag).bytes, Movie(version: 1, tag: tag).bytes] {
      for count in 0..<file.count { #expect(MP4Padding.read(file.prefix(count)) == nil, "\(count) bytes") }
      for _ in 0..<3_000 {
        var broken = file
        for _ in 0..<4 {
          let place = Int.random(in: 8..<broken.count, using: &generator)
          broken[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        }
        guard let header = MP4Padding.read(broken[...]) else { continue }
        let padding = header.padding
        #expect(padding.rate > 0 && (0...EncoderPadding.limit).contains(padding.leading))
        #expect(try #require(padding.frames) > 0 && padding.trailing?.upperBound == .max)
        for edit in header.edits {
          let place = edit.offset..<edit.offset + edit.bytes.count
          _ = try #require(broken.slice(place), "\(place) is beyond \(broken.count) bytes")
          if edit.bytes == Array("free".utf8) {
            #expect(["edts", "----", "©too"].contains(broken[...].name(at: edit.offset)))
          }
          broken.replaceSubrange(place, with: edit.bytes)
        }
        #expect(MP4Padding.read(broken[...]) == nil)
      }
    }
  }
}

extension [UInt8] {
  /// Returns the bytes in a range; nil if the range is not inside the array.
  fileprivate func slice(_ range: Range<Int>) -> ArraySlice<UInt8>? {
    indices.contains(range.lowerBound) && range.upperBound <= count ? self[range] : nil
  }
}
