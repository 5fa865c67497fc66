/// Cue points in a WAV file.
public enum CueSheet {
  /// Returns the file with a `cue ` chunk and a list of labels added at its end.
  public static func adding(_ points: [(sample: UInt32, title: String)], to wav: [UInt8]) -> [UInt8] {
    var cues = little(UInt32(points.count))
    var labels = Array("adtl".utf8)
    for (index, point) in points.enumerated() {
      let number = little(UInt32(index + 1))
      cues += number + little(point.sample) + Array("data".utf8) + little(0) + little(0) + little(point.sample)
      labels += chunk("labl", number + Array(point.title.utf8) + [0])
    }
    var file = wav + chunk("cue ", cues) + chunk("LIST", labels)
    file.replaceSubrange(4..<8, with: little(UInt32(file.count - 8)))
    return file
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(UInt32(content.count)) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// A Matroska file; by default two seconds of silence at 8 000 Hz, 16 bits, with one track of one channel.
public struct Matroska: Sendable {
  /// An audio track.
  public struct Track: Sendable {
    /// The language, ISO 639.
    public var language: String
    /// The number of channels.
    public var channels: Int
    /// The title.
    public var title: String?
    /// Returns the sample with an index, which starts at 0.
    public var sample: @Sendable (Int) -> Int16
    /// Whether this is the default track.
    public var isMarked: Bool

    /// Creates a track, by default of silence.
    public init(
      language: String = "und", channels: Int = 1, title: String? = nil,
      sample: @escaping @Sendable (Int) -> Int16 = { _ in 0 }, isMarked: Bool = true
    ) {
      (self.language, self.channels, self.title) = (language, channels, title)
      (self.sample, self.isMarked) = (sample, isMarked)
    }
  }

  /// A chapter and its nested chapters.
  public struct Chapter: Sendable {
    /// The start, in seconds.
    public var start: Double
    /// The end, in seconds.
    public var end: Double
    /// The title.
    public var title: String
    /// The nested chapters.
    public var inside: [Chapter]

    /// Creates a chapter; times in seconds.
    public init(_ start: Double, _ end: Double, _ title: String, inside: [Chapter] = []) {
      (self.start, self.end, self.title, self.inside) = (start, end, title, inside)
    }
  }

  /// The codec of all tracks.
  public var codec: String
  /// The tracks.
  public var tracks: [Track]
  /// The lists of chapters.
  public var editions: [[Chapter]] = []
  /// The number of clusters, with one block for each track.
  ///
  /// The start of a cluster is a seek point.
  public var clusters = 20
  /// The duration of a cluster.
  public var clusterMilliseconds = 100
  /// Returns the sample of the first track with an index, which starts at 0.
  public var sample: @Sendable (Int) -> Int16 {
    get { tracks[0].sample }
    set { tracks[0].sample = newValue }
  }

  /// Creates a file with one track of silence.
  public init(codec: String = "A_PCM/INT/LIT", language: String = "und", editions: [[Chapter]] = []) {
    self.codec = codec
    tracks = [Track(language: language)]
    self.editions = editions
  }

  /// Creates a file with PCM tracks.
  public init(_ tracks: [Track], tenths: Int = 20) {
    codec = "A_PCM/INT/LIT"
    self.tracks = tracks
    clusters = tenths
  }

  /// The bytes of the file.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc9559>
  public var bytes: [UInt8] {
    let header = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
    let info = element(
      [0x15, 0x49, 0xA9, 0x66],
      number([0x2A, 0xD7, 0xB1], 1_000_000)
        + element([0x44, 0x89], big(Double(clusters * clusterMilliseconds).bitPattern)))
    let entries = tracks.enumerated().flatMap { entry(UInt64($0 + 1), $1) }
    var numbers = 1...
    let chapters = element(
      [0x10, 0x43, 0xA7, 0x70],
      editions.flatMap { edition in
        element([0x45, 0xB9], number([0x45, 0xBC], take(&numbers)) + edition.flatMap { atom($0, &numbers) })
      })
    let media = (0..<clusters).flatMap { index in
      let blocks = tracks.enumerated().flatMap { block(UInt8($0 + 1), $1, index) }
      return element([0x1F, 0x43, 0xB6, 0x75], number([0xE7], UInt64(index * clusterMilliseconds)) + blocks)
    }
    let segment = info + element([0x16, 0x54, 0xAE, 0x6B], entries) + (editions.isEmpty ? [] : chapters) + media
    return header + element([0x18, 0x53, 0x80, 0x67], segment)
  }

  private func entry(_ number: UInt64, _ track: Track) -> [UInt8] {
    let audio = element(
      [0xE1],
      element([0xB5], big(Double(8000).bitPattern)) + self.number([0x9F], UInt64(track.channels))
        + self.number([0x62, 0x64], 16))
    let title = track.title.map { element([0x53, 0x6E], Array($0.utf8)) } ?? []
    return element(
      [0xAE],
      self.number([0xD7], number) + self.number([0x73, 0xC5], number) + self.number([0x83], 2)
        + self.number([0x88], track.isMarked ? 1 : 0) + element([0x86], Array(codec.utf8)) + title
        + element([0x22, 0xB5, 0x9C], Array(track.language.utf8)) + audio)
  }

  private func block(_ number: UInt8, _ track: Track, _ cluster: Int) -> [UInt8] {
    let length = clusterMilliseconds * 8
    let samples = (0..<length).flatMap { place in
      let sample = little(track.sample(cluster * length + place))
      return (0..<track.channels).flatMap { _ in sample }
    }
    return element([0xA3], [0x80 + number, 0, 0, 0x80] + samples)
  }

  private func atom(_ chapter: Chapter, _ numbers: inout PartialRangeFrom<Int>) -> [UInt8] {
    let title = element([0x85], Array(chapter.title.utf8))
    let display = element([0x80], title + element([0x43, 0x7C], Array("eng".utf8)))
    return element(
      [0xB6],
      number([0x73, 0xC4], take(&numbers)) + number([0x91], UInt64(chapter.start * 1e9))
        + number([0x92], UInt64(chapter.end * 1e9)) + display + chapter.inside.flatMap { atom($0, &numbers) })
  }

  private func take(_ numbers: inout PartialRangeFrom<Int>) -> UInt64 {
    defer { numbers = (numbers.lowerBound + 1)... }
    return UInt64(numbers.lowerBound)
  }

  /// Returns an element with an eight-byte size.
  private func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    id + [0x01] + big(UInt64(content.count)).dropFirst() + content
  }

  private func number(_ id: [UInt8], _ value: UInt64) -> [UInt8] { element(id, big(value)) }

  private func little(_ value: Int16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private func big(_ value: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
  }
}
