/// Reads the padding of an MP4 file from its `moov` box: from the edit list, and from iTunes' tag `iTunSMPB`.
///
/// Only a file with one AAC or MP3 track is read, and only an edit list that cuts off padding; `qtdemux` handles an
/// edit list that cuts the media. The tag counts frames. An edit list has the time scale of the movie, often
/// milliseconds, so an end within one unit of the track's end counts as the track's end.
///
/// qtdemux of GStreamer 1.22 ends at the movie's duration, which it compares with times that begin before the edit, so
/// the last frames are lost. Without the edit list and with a longer movie it passes everything on.
///
/// <https://developer.apple.com/documentation/quicktime-file-format/edit_list_atom>
struct MP4Padding {
  /// The boxes inside another one, by their names, as ranges of their contents.
  private typealias Boxes = [String: [Range<Int>]]

  private struct Track {
    var scale: Int
    /// The frames that are decoded.
    var frames: Int64
    /// The content of the edit list.
    var edits: Range<Int>?
    /// The name of the box with the edit list.
    var editsName: Int?
  }

  private struct Tag {
    var leading: Int64
    var frames: Int64
    /// The name of the box with the tag.
    var name: Int
  }

  private let bytes: ArraySlice<UInt8>

  /// Returns the padding; nil if there is none to trim.
  ///
  /// - Parameter movie: A complete `moov` box with its header.
  /// - Returns: The padding.
  static func read(_ movie: ArraySlice<UInt8>) -> PaddingHeader? {
    guard let size = movie.number(4), size >= 8, size <= movie.count, movie.name(at: 4) == "moov" else { return nil }
    return MP4Padding(bytes: movie.prefix(size)[...]).read()
  }

  private func read() -> PaddingHeader? {
    let movie = boxes(in: 8..<bytes.count)
    // The samples of a fragmented file are not in its header.
    guard movie["mvex"] == nil, let header = movie["mvhd"]?.first, let movieScale = scale(header),
      let track = track(movie)
    else { return nil }
    let tag = movie["udta"]?.lazy.compactMap { self.tag(in: $0) }.first
    guard let padding = padding(of: track, tag, movieScale) else { return nil }
    var edits = [track.editsName, tag?.name].compactMap { $0.map { hidden($0) } }
    if tag != nil { edits += encoderNames(movie) }
    if let edit = longer(header, movieScale, track) { edits.append(edit) }
    return PaddingHeader(padding: padding, edits: edits)
  }

  private func padding(of track: Track, _ tag: Tag?, _ movieScale: Int) -> EncoderPadding? {
    var leading: Int64 = 0
    var length: Int64 = 0
    if let list = track.edits {
      guard let edit = edit(list) else { return nil }
      (leading, length) = (edit.start, edit.length)
    }
    var end = track.frames
    // A tag that does not describe this track was copied from another file.
    if let tag, leading == 0 || tag.leading == leading, tag.leading <= track.frames,
      track.frames - tag.leading >= tag.frames
    {
      (leading, end) = (tag.leading, tag.leading + tag.frames)
    } else if track.edits != nil, length > 0 {
      let (product, overflows) = length.multipliedReportingOverflow(by: Int64(track.scale))
      guard !overflows, leading <= EncoderPadding.limit else { return nil }
      let unit = Int64(track.scale / movieScale) + 1
      let stop = leading + (product + Int64(movieScale) / 2) / Int64(movieScale)
      end = abs(stop - end) <= unit ? end : min(stop, end)
    } else if track.edits == nil {
      return nil
    }
    guard track.frames - end <= EncoderPadding.limit, leading > 0 || end < track.frames, end > leading else {
      return nil
    }
    return EncoderPadding(rate: track.scale, leading: leading, trailing: end..<Int64.max)
  }

  // MARK: Boxes

  /// Returns the boxes in a range; at most 1000, so that a malicious file cannot cost much time.
  private func boxes(in range: Range<Int>) -> Boxes {
    var boxes: Boxes = [:]
    var offset = range.lowerBound
    for _ in 0..<1000 where offset < range.upperBound {
      guard let size = bytes.number(4, at: offset), size >= 8, size <= range.upperBound - offset,
        let name = bytes.name(at: offset + 4)
      else { break }
      boxes[name, default: []].append(offset + 8..<offset + size)
      offset += size
    }
    return boxes
  }

  private func box(_ path: String..., in range: Range<Int>?) -> Range<Int>? {
    path.reduce(range) { range, name in range.flatMap { boxes(in: $0)[name]?.first } }
  }

  private func number(_ width: Int, in range: Range<Int>, at offset: Int) -> Int? {
    offset + width <= range.count ? bytes.number(width, at: range.lowerBound + offset) : nil
  }

  /// Returns the change that makes a box, given by its content, one that is skipped.
  private func hidden(_ content: Int) -> PaddingHeader.Edit {
    PaddingHeader.Edit(offset: content - 4, bytes: Array("free".utf8))
  }

  /// Returns the units a second in a header of a movie or of a track.
  private func scale(_ header: Range<Int>) -> Int? {
    number(1, in: header, at: 0).flatMap { number(4, in: header, at: $0 == 1 ? 20 : 12) }.flatMap { $0 > 0 ? $0 : nil }
  }

  // MARK: Track

  /// Returns the audio track; nil if there are several, or if its encoding does not use such padding.
  private func track(_ movie: Boxes) -> Track? {
    let tracks = (movie["trak"] ?? []).filter { track in
      box("mdia", "hdlr", in: track).flatMap { bytes.name(at: $0.lowerBound + 8) } == "soun"
    }
    guard tracks.count == 1, let track = tracks.first, let media = box("mdia", in: track),
      let scale = box("mdhd", in: media).flatMap({ self.scale($0) }), let tables = box("minf", "stbl", in: media),
      let formats = box("stsd", in: tables), number(4, in: formats, at: 4) == 1, formats.count >= 16,
      bytes.name(at: formats.lowerBound + 12) == "mp4a", let frames = box("stts", in: tables).flatMap({ duration($0) })
    else { return nil }
    let list = box("edts", in: track)
    return Track(scale: scale, frames: frames, edits: box("elst", in: list), editsName: list?.lowerBound)
  }

  /// Returns the sum of the durations of a track's samples.
  private func duration(_ table: Range<Int>) -> Int64? {
    guard let count = number(4, in: table, at: 4), count <= (table.count - 8) / 8 else { return nil }
    var sum: Int64 = 0
    for entry in 0..<count {
      guard let samples = number(4, in: table, at: 8 + 8 * entry),
        let length = number(4, in: table, at: 12 + 8 * entry),
        sum < 1 << 52
      else { return nil }
      let (run, overflows) = Int64(samples).multipliedReportingOverflow(by: Int64(length))
      guard !overflows, run < 1 << 52 else { return nil }
      sum += run
    }
    return sum > 0 && sum < 1 << 52 ? sum : nil
  }

  /// Returns the only edit of a list, its length in units of the movie; nil for several edits or another kind.
  private func edit(_ list: Range<Int>) -> (start: Int64, length: Int64)? {
    guard let version = number(1, in: list, at: 0), version <= 1, number(4, in: list, at: 4) == 1 else { return nil }
    let width = version == 1 ? 8 : 4
    guard let length = number(width, in: list, at: 8), let start = number(width, in: list, at: 8 + width),
      number(4, in: list, at: 8 + 2 * width) == 0x10000, start <= Int(EncoderPadding.limit), length < 1 << 40
    else { return nil }
    return (Int64(start), Int64(length))
  }

  /// Returns the change that makes the movie as long as all its frames; nil if it is.
  private func longer(_ header: Range<Int>, _ movieScale: Int, _ track: Track) -> PaddingHeader.Edit? {
    guard let version = number(1, in: header, at: 0) else { return nil }
    let (width, offset) = version == 1 ? (8, 24) : (4, 16)
    let (product, overflows) = track.frames.multipliedReportingOverflow(by: Int64(movieScale))
    guard !overflows, let length = number(width, in: header, at: offset) else { return nil }
    let needed = Int(product / Int64(track.scale)) + 1
    guard length < needed, needed < 0xFFFF_FFFF else { return nil }
    let bytes = (0..<width).reversed().map { UInt8(truncatingIfNeeded: UInt64(needed) >> UInt64(8 * $0)) }
    return PaddingHeader.Edit(offset: header.lowerBound + offset, bytes: bytes)
  }

  // MARK: Tag

  /// Returns the list of iTunes' tags in a box of user data.
  private func tags(in userData: Range<Int>) -> Range<Int>? {
    box("meta", in: userData).flatMap { $0.count > 4 ? box("ilst", in: $0.lowerBound + 4..<$0.upperBound) : nil }
  }

  /// Returns the values of the tag `iTunSMPB`: the leading frames, the trailing ones and the media's, in hexadecimal.
  private func tag(in userData: Range<Int>) -> Tag? {
    guard let tags = tags(in: userData) else { return nil }
    for item in boxes(in: tags)["----"] ?? [] {
      let parts = boxes(in: item)
      guard let name = parts["name"]?.first, bytes[slice(name)].dropFirst(4).elementsEqual("iTunSMPB".utf8),
        let data = parts["data"]?.first
      else { continue }
      let values = bytes[slice(data)].dropFirst(8).prefix(256).split(separator: UInt8(ascii: " ")).map {
        Int64(String(decoding: $0, as: UTF8.self), radix: 16)
      }
      guard values.count >= 4, let leading = values[1], let frames = values[3], 0...EncoderPadding.limit ~= leading,
        frames > 0
      else { continue }
      return Tag(leading: leading, frames: frames, name: item.lowerBound)
    }
    return nil
  }

  /// Returns the changes that hide the name of Nero's encoder, by which newer versions of qtdemux guess the padding.
  private func encoderNames(_ movie: Boxes) -> [PaddingHeader.Edit] {
    (movie["udta"] ?? []).compactMap { tags(in: $0) }.flatMap { boxes(in: $0)["©too"] ?? [] }.filter { item in
      String(decoding: bytes[slice(item)].prefix(256), as: UTF8.self).lowercased().contains("nero")
    }.map { hidden($0.lowerBound) }
  }

  private func slice(_ range: Range<Int>) -> Range<Int> {
    bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound
  }
}
