import GstPlayer

/// GStreamer, and its plug-ins for the common formats.
enum MediaCheck {
  /// Where what is missing comes from on Debian, and whether the player is hardly one without it.
  private static let sources: [String: (package: String, isVital: Bool)] = [
    "MP3": ("gstreamer1.0-plugins-good", true), "FLAC": ("gstreamer1.0-plugins-good", true),
    "Ogg Vorbis": ("gstreamer1.0-plugins-base", true), "WAV": ("gstreamer1.0-plugins-good", true),
    "Opus": ("gstreamer1.0-plugins-base", false), "AAC and M4A": ("gstreamer1.0-libav", false),
    "HTTP": ("gstreamer1.0-plugins-good", true), "HLS": ("gstreamer1.0-plugins-bad", false),
  ]

  static func findings() -> [Finding] {
    guard let version = MediaSupport.version else {
      return [.error("GStreamer does not start", "install libgstreamer1.0-0, 1.22 or newer")]
    }
    let parts = version.split(separator: ".").compactMap { Int($0) }
    let isNew = parts.count > 1 && (parts[0], parts[1]) >= (1, 22)
    var findings: [Finding] = [
      isNew ? .ok("GStreamer \(version)") : .error("GStreamer \(version)", "1.22 or newer is needed")
    ]
    if !MediaSupport.hasPlayback {
      findings.append(.error("nothing can be played: there is no playbin", "install gstreamer1.0-plugins-base"))
    }
    return findings + MediaSupport.formats.map(finding)
  }

  private static func finding(_ format: MediaSupport.Format) -> Finding {
    let missing = MediaSupport.missing(for: format)
    guard !missing.isEmpty else { return .ok("\(format.name) can be played") }
    let source = sources[format.name]
    let what = "\(format.name) cannot be played: nothing takes \(missing.joined(separator: "; "))"
    let remedy = "install \(source?.package ?? "the GStreamer plug-in for it")"
    return source?.isVital == true ? .error(what, remedy) : .warning(what, remedy)
  }
}
