import FoundationEssentials
import Glibc

/// A film generated with `gst-launch-1.0`: colour bars of 64 × 64 pixels at 25 Hz, and the audio of a file.
public struct Film: Sendable, CustomStringConvertible {
  /// The reason for skipping a test that generates films.
  public static let unavailable = "gst-launch-1.0 is not installed"

  /// Whether films can be generated; an encoder for a certain film may still be missing.
  public static let isAvailable = Tool.areAvailable("gst-launch-1.0")

  /// The error for encoders or muxers that are not installed.
  public struct Missing: Error, CustomStringConvertible {
    /// The message of `gst-launch-1.0`.
    public let description: String
  }

  /// The container and the formats.
  public let description: String
  /// The file name extension.
  public let suffix: String
  let muxer: String
  /// The video encoder; nil for a film without video.
  var video: String?
  /// The audio encoder; nil for a film without audio.
  var audio: String?
  var hasSubtitles = false

  /// MP4 with H.264 and AAC; its index (`moov`) follows the media data.
  public static let mp4 = Film("MP4, H.264 and AAC", "mp4", "mp4mux", "x264enc ! h264parse", "avenc_aac ! aacparse")
  /// Matroska with H.264 and FLAC, which is lossless.
  public static let matroska = Film("Matroska, H.264 and FLAC", "mkv", "matroskamux", "x264enc ! h264parse", "flacenc")
  /// Matroska with plain text subtitles.
  public static let subtitled = Film(
    "Matroska, H.264, FLAC and subtitles", "mkv", "matroskamux", "x264enc ! h264parse", "flacenc", hasSubtitles: true)
  /// An MPEG transport stream.
  public static let transportStream = Film(
    "MPEG-TS, H.264 and AAC", "ts", "mpegtsmux", "x264enc ! h264parse", "avenc_aac ! aacparse")
  /// An MPEG program stream of `mpegpsmux`, which puts a program stream map into the first pack.
  ///
  /// `mpegpsdemux` of GStreamer 1.22 finds no timestamp in such a pack, and starts the audio with the second pack.
  public static let mappedProgramStream = Film(
    "MPEG-PS, MPEG-2 and MP3", "mpg", "mpegpsmux", "mpeg2enc ! mpegvideoparse", "lamemp3enc ! mpegaudioparse")
  /// An MPEG transport stream with video alone: an HLS variant whose audio is a rendition.
  public static let videoVariant = Film("MPEG-TS, H.264 alone", "ts", "mpegtsmux", "x264enc ! h264parse", nil)
  /// An MPEG transport stream with audio alone: an HLS rendition.
  public static let audioRendition = Film("MPEG-TS, AAC alone", "ts", "mpegtsmux", nil, "avenc_aac ! aacparse")
  /// MP4 with video alone.
  public static let silent = Film("MP4, H.264 alone", "mp4", "mp4mux", "x264enc ! h264parse", nil)

  /// All films with audio that GStreamer plays from its start.
  public static let all = [
    mp4, Film("M4V, H.264 and AAC", "m4v", "mp4mux", "x264enc ! h264parse", "avenc_aac ! aacparse"),
    Film("MP4, H.265 and AAC", "mp4", "mp4mux", "x265enc ! h265parse", "avenc_aac ! aacparse"), matroska, subtitled,
    Film("WebM, VP8 and Vorbis", "webm", "webmmux", "vp8enc deadline=1", "vorbisenc"),
    Film("WebM, VP9 and Opus", "webm", "webmmux", "vp9enc deadline=1", "opusenc"),
    Film("Ogg, Theora and Vorbis", "ogv", "oggmux", "theoraenc", "vorbisenc"), transportStream,
    Film(
      "MP4, index at the front", "mp4", "mp4mux faststart=true", "x264enc ! h264parse", "avenc_aac ! aacparse"),
    Film("MP4 in fragments", "mp4", "mp4mux fragment-duration=100", "x264enc ! h264parse", "avenc_aac ! aacparse"),
    Film("3GP, H.264 and AAC", "3gp", "3gppmux", "x264enc ! h264parse", "avenc_aac ! aacparse"),
    Film("3GP, H.263 and AMR", "3gp", "3gppmux", "avenc_h263p", "amrnbenc"),
    Film("FLV, H.264 and AAC", "flv", "flvmux", "x264enc ! h264parse", "avenc_aac ! aacparse"),
    Film("FLV, Sorenson Spark and MP3", "flv", "flvmux", "avenc_flv", "lamemp3enc ! mpegaudioparse"),
    Film(
      "MPEG-PS, MPEG-1 and MP3", "mpg", "avmux_mpeg", "mpeg2enc format=0 ! mpegvideoparse",
      "lamemp3enc ! mpegaudioparse"),
    Film("AVI, without compression", "avi", "avimux", "identity", "identity"),
    Film("AVI, MPEG-4 and MP3", "avi", "avimux", "avenc_mpeg4", "lamemp3enc ! mpegaudioparse"),
    Film("AVI, H.264 and AC-3", "avi", "avimux", "x264enc ! h264parse", "avenc_ac3 ! ac3parse"),
  ]

  /// Files without video, in every container with tags that GStreamer writes.
  public static let audioContainers = [
    Film("M4A", "m4a", "mp4mux", nil, "avenc_aac ! aacparse"),
    Film("M4B, index at the front", "m4b", "mp4mux faststart=true", nil, "avenc_aac ! aacparse"),
    Film("MP4", "mp4", "mp4mux", nil, "lamemp3enc ! mpegaudioparse"),
    Film("QuickTime", "mov", "qtmux", nil, "avenc_aac ! aacparse"),
    Film("3GP", "3gp", "3gppmux", nil, "avenc_aac ! aacparse"),
    Film("Matroska with FLAC", "mka", "matroskamux", nil, "flacenc"),
    Film("Matroska with MP3", "mka", "matroskamux", nil, "lamemp3enc ! mpegaudioparse"),
    Film("WebM", "webm", "webmmux", nil, "vorbisenc"), Film("Ogg with Vorbis", "ogg", "oggmux", nil, "vorbisenc"),
    Film("Ogg with Opus", "opus", "oggmux", nil, "opusenc"), Film("Ogg with FLAC", "oga", "oggmux", nil, "flacenc"),
    Film("Ogg with Speex", "spx", "oggmux", nil, "speexenc"),
    Film("FLV", "flv", "flvmux", nil, "lamemp3enc ! mpegaudioparse"),
    Film("AVI", "avi", "avimux", nil, "lamemp3enc ! mpegaudioparse"), Film("ASF", "wma", "asfmux", nil, "avenc_wmav2"),
    Film("WAV", "wav", "wavenc", nil, "identity"),
    Film("WavPack with APE tags", "wv", "apev2mux", nil, "wavpackenc ! wavpackparse"),
  ]

  init(
    _ description: String, _ suffix: String, _ muxer: String, _ video: String?, _ audio: String?,
    hasSubtitles: Bool = false
  ) {
    (self.description, self.suffix, self.muxer) = (description, suffix, muxer)
    (self.video, self.audio, self.hasSubtitles) = (video, audio, hasSubtitles)
  }

  /// Writes the film with the audio of a WAV file, or of a FLAC file, whose tags and cover are kept.
  func make(from sound: String, seconds: Double, at path: String) async throws {
    var pipeline = "\(muxer) name=mux ! filesink location=\(path)"
    if let video {
      pipeline += " videotestsrc num-buffers=\(Int(seconds * 25)) ! video/x-raw,format=I420,width=64,height=64"
      pipeline += ",framerate=25/1 ! \(video) ! queue ! mux."
    }
    if let audio {
      let reader = sound.hasSuffix(".wav") ? "wavparse" : "flacparse ! flacdec"
      pipeline += " filesrc location=\(sound) ! \(reader) ! audioconvert ! audioresample ! \(audio) ! queue ! mux."
    }
    let subtitles = path + ".srt"
    defer { unsafe _ = unlink(subtitles) }
    if hasSubtitles {
      try Data("1\n00:00:00,100 --> 00:00:00,300\nBars\n\n".utf8).write(to: URL(filePath: subtitles))
      pipeline += " filesrc location=\(subtitles) ! subparse ! queue ! mux."
    }
    let words = pipeline.split(separator: " ").map(String.init)
    let finished = try await run(["gst-launch-1.0", "-q"] + words, within: 60)
    if finished.error.contains("no element") { throw Missing(description: finished.error) }
    guard finished.succeeded else { throw EncodingFailed(format: .wav, message: finished.error) }
  }
}
