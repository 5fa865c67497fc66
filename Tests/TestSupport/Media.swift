import FoundationEssentials
import Glibc
import Synchronization

/// Generated media files, each created once per process, in a folder that is removed when the process ends.
public enum Media {
  /// The encoding of a file.
  public enum Format: String, Sendable, CaseIterable {
    /// Free Lossless Audio Codec, by `flac`.
    case flac
    /// MPEG layer 3 with a LAME header, by `lame`.
    case mp3
    /// Ogg Vorbis, by `oggenc`.
    case ogg
    /// RIFF WAVE, 16 bit; carries no tags.
    case wav

    /// The program that encodes the format, nil if none is needed.
    public var encoder: String? {
      switch self {
      case .flac: "flac"
      case .mp3: "lame"
      case .ogg: "oggenc"
      case .wav: nil
      }
    }

    /// Whether the encoder is installed.
    public var isAvailable: Bool { encoder.map { Tool.path($0) != nil } ?? true }
  }

  /// Whether every format can be encoded; for `.enabled(if:_:)`, with ``unavailable`` as the reason.
  public static var isAvailable: Bool { Format.allCases.allSatisfy(\.isAvailable) }
  /// The reason for skipping a suite that needs media files.
  public static let unavailable = "flac, lame or oggenc is not installed"

  /// The path of a file that does not exist.
  public static let missing = "\(TemporaryDirectory.missing)/missing.flac"

  /// Generates a sine of half the full amplitude, 44 100 Hz stereo; the path ends in the format's name.
  public static func sine(
    seconds: Double, frequency: Int = 440, format: Format = .flac, tags: Tags = Tags()
  ) async throws -> String {
    let count = Int((seconds * Double(Waveform.sampleRate)).rounded())
    let key = "sine \(seconds) \(frequency) \(format) \(tags)"
    return try await store.file(key, suffix: format.rawValue) { path in
      let frames = Waveform.sine(frequency: frequency, from: 0, count: count)
      try await encode(frames, to: path, format: format, tags: tags)
    }
  }

  /// Generates one sine that is cut into files; track numbers and titles count from 1.
  ///
  /// The cuts are exact to the sample and not at zero crossings. Each part has `samplesPerPart` samples, by default an
  /// odd number a little above one second.
  public static func continuousSine(
    parts: Int = 2, samplesPerPart: Int = 44_987, frequency: Int = 440, format: Format = .flac, album: String? = nil
  ) async throws -> [String] {
    var paths: [String] = []
    for part in 0..<parts {
      let key = "continuous \(part) \(samplesPerPart) \(frequency) \(format) \(album ?? "")"
      let path = try await store.file(key, suffix: format.rawValue) { path in
        let frames = Waveform.sine(frequency: frequency, from: part * samplesPerPart, count: samplesPerPart)
        try await encode(
          frames, to: path, format: format,
          tags: Tags(title: "Part \(part + 1)", album: album, trackNumber: part + 1))
      }
      paths.append(path)
    }
    return paths
  }

  /// Generates a WAV file with these samples on all channels.
  public static func wav(_ samples: [Int32], _ format: PCM) async throws -> String {
    try await store.file("wav \(format) \(samples.hashValue)", suffix: "wav") { path in
      try write(format.wav(samples), to: path)
    }
  }

  /// Generates a WAV file with the samples of each channel.
  public static func wav(channels: [[Int32]], _ format: PCM) async throws -> String {
    try await store.file("wav \(format) \(channels.hashValue)", suffix: "wav") { path in
      try write(format.wav(channels), to: path)
    }
  }

  /// Generates a film with the audio of a WAV file, or of a FLAC file, whose tags are kept.
  ///
  /// - Throws: ``Film/Missing`` if an encoder is not installed.
  public static func film(_ film: Film, sound: String, seconds: Double = 0.5) async throws -> String {
    try await store.file("film \(film) \(sound) \(seconds)", suffix: film.suffix) { path in
      try await film.make(from: sound, seconds: seconds, at: path)
    }
  }

  /// Generates a small PNG; another `seed` results in another picture.
  public static func cover(seed: UInt8 = 0) async throws -> String {
    try await store.file("cover \(seed)", suffix: "png") { try write(CoverPicture.png(seed: seed), to: $0) }
  }

  /// Creates a copy of a file that ends after this share of its bytes.
  public static func truncated(_ path: String, keeping share: Double) async throws -> String {
    let suffix = String(path[path.index(after: path.lastIndex(of: ".") ?? path.startIndex)...])
    return try await store.file("truncated \(path) \(share)", suffix: suffix) { copy in
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      try write(Array(bytes.prefix(Int(Double(bytes.count) * share))), to: copy)
    }
  }

  /// Creates a plain text file with the extension `flac`.
  public static func textFile() async throws -> String {
    try await store.file("text", suffix: "flac") { path in
      let text = String(repeating: "This is text, and no music at all.\n", count: 40)
      try write(Array(text.utf8), to: path)
    }
  }

  /// Creates an empty file with the extension `flac`.
  public static func emptyFile() async throws -> String {
    try await store.file("empty", suffix: "flac") { try write([], to: $0) }
  }

  private static let store = MediaStore()

  private static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  private static func encode(_ frames: [UInt8], to path: String, format: Format, tags: Tags) async throws {
    guard format != .wav else { return try write(Waveform.wav(frames), to: path) }
    let source = path + ".wav"
    try write(Waveform.wav(frames), to: source)
    defer { unsafe unlink(source) }
    let finished = try await run(try tags.command(for: format, from: source, to: path), within: 60)
    guard finished.succeeded else { throw EncodingFailed(format: format, message: finished.error) }
  }
}

/// The error of an encoder that failed.
public struct EncodingFailed: Error {
  /// The requested format.
  public let format: Media.Format
  /// The message of the encoder.
  public let message: String
}

/// The files created so far, and those in progress.
private final class MediaStore: Sendable {
  private let files = Mutex<[String: Task<String, any Error>]>([:])

  /// Returns the file for `key`; calls `make` if it does not exist yet.
  func file(
    _ key: String, suffix: String, _ make: @escaping @Sendable (String) async throws -> Void
  ) async throws -> String {
    let task = try files.withLock { files in
      if let task = files[key] { return task }
      let path = try Self.folder.get().file("\(files.count + 1).\(suffix)")
      let task = Task {
        try await make(path)
        return path
      }
      files[key] = task
      return task
    }
    return try await task.value
  }

  private static let folder = Result { try TemporaryDirectory() }
}
