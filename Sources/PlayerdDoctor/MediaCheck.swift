import Playback
import PlayerdMedia

/// Checks GStreamer and its plug-ins for the common formats.
enum MediaCheck {
  /// The Debian package of each format, and whether its absence is an error.
  private static let sources: [String: (package: String, isVital: Bool)] = [
    "MP3": ("gstreamer1.0-plugins-good", true), "FLAC": ("gstreamer1.0-plugins-good", true),
    "Ogg Vorbis": ("gstreamer1.0-plugins-base", true), "WAV": ("gstreamer1.0-plugins-good", true),
    "Opus": ("gstreamer1.0-plugins-base", false), "AAC and M4A": ("gstreamer1.0-libav", false),
    "HTTP": ("gstreamer1.0-plugins-good", true), "HLS": ("gstreamer1.0-plugins-bad", false),
  ]

  static func findings(_ media: any MediaFramework) async -> [Finding] {
    guard let support = await media.support() else {
      return [.error("cannot initialize GStreamer", "install libgstreamer1.0-0, 1.22 or newer")]
    }
    let parts = support.version.split(separator: ".").compactMap { Int($0) }
    let isNew = parts.count > 1 && (parts[0], parts[1]) >= (1, 22)
    var findings: [Finding] = [
      isNew
        ? .ok("GStreamer \(term: support.version)")
        : .error("GStreamer \(term: support.version)", "install GStreamer 1.22 or newer")
    ]
    if !support.hasPlayback {
      findings.append(.error("nothing can be played: playbin is not installed", "install gstreamer1.0-plugins-base"))
    }
    if let restrictions = media.restrictions { findings.append(sandbox(restrictions)) }
    return findings + support.formats.map { finding($0.name, missing: $0.missing) }
  }

  /// Returns the finding for the sandbox of the processes that open media.
  private static func sandbox(_ restrictions: String) -> Finding {
    let missing = ["Landlock", "seccomp"].filter { !restrictions.contains($0) }
    let remedy: FindingText = "enable \(term: missing.joined(separator: " and ")) in the kernel"
    return switch restrictions {
    case "off": .ok("media are opened without a sandbox, because the key sandbox is off")
    case "none": .warning("media are opened without a sandbox", remedy)
    case _ where !missing.isEmpty:
      .warning("media are opened in an incomplete sandbox: \(term: restrictions)", remedy)
    default: .ok("media are opened in a sandbox: \(term: restrictions)")
    }
  }

  private static func finding(_ format: String, missing: [String]) -> Finding {
    guard !missing.isEmpty else { return .ok("\(term: format) can be played") }
    let source = sources[format]
    let what: FindingText = "\(term: format) cannot be played: no plug-in for \(term: missing.joined(separator: "; "))"
    let remedy: FindingText = "install \(term: source?.package ?? "the GStreamer plug-in for it")"
    return source?.isVital == true ? .error(what, remedy) : .warning(what, remedy)
  }
}
