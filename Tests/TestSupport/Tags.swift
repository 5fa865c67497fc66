import FoundationEssentials

/// The tags of a generated file; nil omits a tag.
public struct Tags: Sendable {
  /// The title of the track.
  public var title: String?
  /// The artists, in order; formats without lists join them with "/".
  public var artists: [String]
  /// The album.
  public var album: String?
  /// The artist of the album.
  public var albumArtist: String?
  /// The genre, as known to ID3.
  public var genre: String?
  /// The track number in the album, from 1.
  public var trackNumber: Int?
  /// The year, such as `2024`.
  public var date: String?
  /// The path of a PNG that is embedded as the front cover.
  public var cover: String?

  /// Creates tags with the given values.
  public init(
    title: String? = nil, artists: [String] = [], album: String? = nil, albumArtist: String? = nil,
    genre: String? = nil, trackNumber: Int? = nil, date: String? = nil, cover: String? = nil
  ) {
    self.title = title
    self.artists = artists
    self.album = album
    self.albumArtist = albumArtist
    self.genre = genre
    self.trackNumber = trackNumber
    self.date = date
    self.cover = cover
  }

  /// Returns the command line of the encoder; `format` must not be WAV.
  func command(for format: Media.Format, from source: String, to path: String) throws -> [String] {
    switch format {
    case .wav: []
    case .flac:
      ["flac", "--silent", "--force", "-o", path] + comments.map { "--tag=\($0)" }
        + (cover.map { ["--picture=3||||\($0)"] } ?? []) + [source]
    case .ogg:
      ["oggenc", "--quiet", "-o", path] + (comments + (try coverComment)).flatMap { ["-c", $0] } + [source]
    case .mp3:
      ["lame", "--quiet", "--noreplaygain", "--id3v2-only", "--id3v2-utf16"] + frames + [source, path]
    }
  }

  /// The Vorbis comments for FLAC and Ogg.
  private var comments: [String] {
    let single = [
      ("TITLE", title), ("ALBUM", album), ("ALBUMARTIST", albumArtist), ("GENRE", genre),
      ("TRACKNUMBER", trackNumber.map(String.init)), ("DATE", date),
    ]
    return single.compactMap { name, value in value.map { "\(name)=\($0)" } } + artists.map { "ARTIST=\($0)" }
  }

  private var coverComment: [String] {
    get throws {
      guard let cover else { return [] }
      let block = CoverPicture.flacBlock(Array(try Data(contentsOf: URL(filePath: cover))))
      return ["METADATA_BLOCK_PICTURE=" + Data(block).base64EncodedString()]
    }
  }

  /// The ID3v2 frames, as options of `lame`.
  private var frames: [String] {
    let options: [(String, String?)] = [
      ("--tt", title), ("--ta", artists.isEmpty ? nil : artists.joined(separator: "/")), ("--tl", album),
      ("--tg", genre), ("--tn", trackNumber.map(String.init)), ("--ty", date), ("--ti", cover),
      ("--tv", albumArtist.map { "TPE2=\($0)" }),
    ]
    return options.flatMap { option, value in value.map { [option, $0] } ?? [] }
  }
}
