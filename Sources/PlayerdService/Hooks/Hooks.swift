import DBus
import MPRISService
import Playback
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdSystem

/// Runs the commands of the keys `on-track`, `on-stop` and `on-error`.
struct Hooks: Sendable {
  let runs: CommandRuns
  let settings: Settings

  /// Runs the command for a report, if one is configured, after the earlier ones; never blocks.
  func run(_ report: PlaybackReport) {
    let configuration = settings.current
    let (name, arguments) =
      switch report.kind {
      case .track: ("on-track", configuration.onTrack)
      case .stop: ("on-stop", configuration.onStop)
      case .error: ("on-error", configuration.onError)
      }
    if !arguments.isEmpty { runs.run(name, arguments, report.variables, outlasts: report.kind == .stop) }
  }
}

extension PlaybackReport {
  /// The variables in the environment of a command; an unknown value is empty.
  var variables: [String: String] {
    var variables: [String: String?] = [
      "PLAYERD_TRACK": track?.trackID.path.rawValue, "PLAYERD_URI": track?.url, "PLAYERD_TITLE": track?.title,
      "PLAYERD_ARTIST": track?.artists.joined(separator: ", "), "PLAYERD_ALBUM": track?.album,
      "PLAYERD_COVER": track?.artURL, "PLAYERD_POSITION": Self.seconds(position),
      "PLAYERD_DURATION": track?.length.map(Self.seconds), "PLAYERD_STARTED": started.map { "\($0)" },
      "PLAYERD_ERROR": nil, "PLAYERD_ERROR_CODE": nil,
    ]
    switch kind {
    case .track: variables["PLAYERD_EVENT"] = "track"
    case .stop: variables["PLAYERD_EVENT"] = "stop"
    case .error(let error):
      variables["PLAYERD_EVENT"] = "error"
      variables["PLAYERD_ERROR"] = error.message
      variables["PLAYERD_ERROR_CODE"] = error.code.rawValue
    }
    return variables.mapValues { $0 ?? "" }
  }

  private static func seconds(_ time: Duration) -> String { (time / .seconds(1)).plainText }
}
