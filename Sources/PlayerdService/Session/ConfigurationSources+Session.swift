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
    if restoringQueue || configuration.keepRate { values["rate"] = .number(session.rate) }
    add(last: values)
    add(lastVolume: session.level)
  }

  /// Adds the volume of the last session, or of the player that runs, on the scale of MPRIS; only with `keep-volume`.
  package mutating func add(lastVolume level: Double) {
    guard configuration.keepVolume else { return }
    add(last: ["volume": VolumePercent.value(of: min(level, configuration.maximumVolume))])
  }

  private mutating func add(last values: [String: ConfigurationValue]) {
    override(values) { origin in
      switch origin {
      case .standard, .file, .session: true
      case .variable, .option: false
      }
    }
  }
}

extension SavedSession {
  /// The volume on the scale of MPRIS.
  package var level: Double { VolumeScale.cubic(fromLinear: volume) }
}
