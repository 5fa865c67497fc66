extension HTTPResponse {
  /// Returns a station that does not end, with a name and titles in any encoding.
  ///
  /// A title is sent after the interval of the music with its number; the first interval has the number 0.
  public static func station(
    _ name: [UInt8], titles: [Int: [UInt8]], every interval: Int = 4000, genre: [UInt8]? = nil, _ music: [UInt8]
  ) -> HTTPResponse {
    var content: [UInt8] = []
    for (index, start) in stride(from: 0, to: music.count, by: interval).enumerated() {
      content += music[start..<min(start + interval, music.count)] + (titles[index].map(block) ?? [0])
    }
    // Its end would release the item before a title is due.
    let station = bytes(content + [0], type: "audio/mpeg").stalling(at: content.count).withoutLength().refusingRanges()
      .header("icy-metaint: \(interval)").header("icy-name", bytes: name)
    return genre.map { station.header("icy-genre", bytes: $0) } ?? station
  }

  private static func block(_ title: [UInt8]) -> [UInt8] {
    let text = Array("StreamTitle='".utf8) + title + Array("';".utf8)
    let size = (text.count + 15) / 16
    return [UInt8(size)] + text + [UInt8](repeating: 0, count: size * 16 - text.count)
  }
}
