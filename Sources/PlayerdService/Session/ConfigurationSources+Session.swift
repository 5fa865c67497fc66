import PlayerMPRIS
import PlayerdConfiguration
package import PlayerdStorage

extension ConfigurationSources {
  /// Adds the values of the last session; its speed only if its queue is restored or `keep-rate` is set, its volume only
  /// with `keep-volume`.
  package mutating func add(_ session: SavedSession, restoringQueue: Bool) {
    var values: [String: ConfigurationValue] = [
      "loop": .text(session.loop.rawValue), "shuffle": .shuffle(session.shuffle),
    ]
    if configuration.keepVolume {
      values["volume"] = VolumePercent.value(
        of: min(VolumeScale.cubic(fromLinear: session.volume), configuration.maximumVolume))
    }
    if restoringQueue || configuration.keepRate { values["rate"] = .number(session.rate) }
    override(values) { origin in
      switch origin {
      case .standard, .file, .session: true
      case .variable, .option: false
      }
    }
  }
}
