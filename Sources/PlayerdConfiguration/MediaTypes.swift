/// The URI schemes and media types that the daemon publishes on MPRIS and in its desktop file.
package enum MediaTypes {
  package static let uriSchemes = ["file", "http", "https"]

  package static let mimeTypes = [
    "application/ogg", "application/vnd.apple.mpegurl", "application/xspf+xml", "audio/aac", "audio/ac3",
    "audio/aiff", "audio/flac", "audio/mp4", "audio/mpeg", "audio/mpegurl", "audio/ogg", "audio/opus", "audio/vorbis",
    "audio/wav", "audio/webm", "audio/x-aiff", "audio/x-ape", "audio/x-flac", "audio/x-flac+ogg", "audio/x-m4a",
    "audio/x-matroska", "audio/x-mod", "audio/x-mp3", "audio/x-mpeg", "audio/x-mpegurl", "audio/x-ms-wma",
    "audio/x-musepack", "audio/x-opus+ogg", "audio/x-scpls", "audio/x-speex", "audio/x-speex+ogg", "audio/x-tta",
    "audio/x-vorbis", "audio/x-vorbis+ogg", "audio/x-wav", "audio/x-wavpack", "video/mp4", "video/mpeg", "video/ogg",
    "video/quicktime", "video/webm", "video/x-matroska", "video/x-msvideo",
  ]
}
