/// Parses an input of LLVM's libFuzzer; the first byte selects the parser of the rest.
///
/// This file is compiled together with the parsers, see `scripts/fuzz.sh`; a trap or invalid access ends the process.
///
/// <https://llvm.org/docs/LibFuzzer.html>
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  func part(_ offset: Int, _ count: Int) -> [UInt8] {
    offset < 0 || offset >= bytes.count || count <= 0 ? [] : Array(bytes[offset...].prefix(count))
  }
  switch choice {
  case UInt8(ascii: "3"): check(PlaylistFormat.m3u.read(bytes))
  case UInt8(ascii: "P"): check(PlaylistFormat.pls.read(bytes))
  case UInt8(ascii: "X"): check(PlaylistFormat.xspf.read(bytes))
  case UInt8(ascii: "C"): check(PlaylistFormat.cue.read(bytes))
  case UInt8(ascii: "F"): check(FLACCueSheet.read(part))
  case UInt8(ascii: "4"): check(MP4Chapters.read(part))
  case UInt8(ascii: "I"):
    var frames = ID3Frames()
    frames.take(bytes, version: count % 2 == 0 ? 3 : 4)
    check(frames.chapters)
  case UInt8(ascii: "T"):
    var packets = bytes
    let search = ProgramMap.announceKLV(in: &packets)
    precondition(packets.count == bytes.count && (0...bytes.count).contains(search.tail))
  default: break
  }
  return 0
}

/// Checks that the limits hold, and that computing with the times does not trap.
private func check(_ playlist: Playlist?) {
  guard let playlist else { return }
  precondition(playlist.entries.count <= Playlist.entryLimit)
  for entry in playlist.entries { precondition(entry.start ?? .zero >= .zero && entry.end ?? .zero >= .zero) }
}

private func check(_ chapters: [Chapter]) {
  for chapter in Chapter.ordered(chapters, end: .seconds(60)) { precondition(chapter.start >= .zero) }
}
