import GstPlayer
import Logging
import Synchronization

/// The configuration in force, for whoever needs it at the moment; read again on request.
final class Settings: Sendable {
  private let state: Mutex<ConfigurationSources>
  /// Reads all sources anew, as at the start.
  private let load: @Sendable () throws(ConfigurationError) -> ConfigurationSources

  init(_ sources: ConfigurationSources, load: @escaping @Sendable () throws(ConfigurationError) -> ConfigurationSources)
  {
    state = Mutex(sources)
    self.load = load
  }

  var current: Configuration { state.withLock { $0.configuration } }

  /// The configuration with the origin of each value.
  var sources: ConfigurationSources { state.withLock { $0 } }

  /// Reads the configuration again; if it has a mistake, nothing changes.
  ///
  /// - Returns: The keys whose new values apply at the next start only.
  @discardableResult
  func reload(log: Logger) throws(ConfigurationError) -> [String] {
    let new = try load()
    let later = state.withLock { sources in
      var later: [String] = []
      for key in ConfigurationKey.all where key.value(in: sources.configuration) != key.value(in: new.configuration) {
        if key.isLive { sources.take(key, from: new) } else { later.append(key.name) }
      }
      return later
    }
    LogThreshold.shared.level = new.configuration.logLevel.level
    for warning in new.warnings { log.warning("\(warning)") }
    log.notice("the configuration has been read again")
    if !later.isEmpty { log.notice("at the next start: \(later.joined(separator: ", "))") }
    return later
  }
}

extension Configuration {
  /// What a player is made with.
  var player: PlayerConfiguration {
    PlayerConfiguration(
      audioSink: audioSink.isEmpty ? nil : audioSink,
      volume: VolumeScale.linear(fromCubic: min(volume, maximumVolume)),
      loadTimeout: .milliseconds(Int64(loadTimeout * 1000)),
      replayGain: ReplayGain.Mode(rawValue: replayGain.rawValue).map { ReplayGain($0) },
      networkTimeout: .milliseconds(Int64(networkTimeout * 1000)), preferredForwardBufferDuration: forwardBuffer,
      pausesWhenOutputIsRemoved: pauseOnUnplug,
      timePitchAlgorithm: pitch == .keep ? .timeDomain : .varispeed, fade: .milliseconds(Int64(fade * 1000)),
      preferredAudioLanguages: audioLanguages)
  }

  /// Gives a player what it can take while it plays.
  func apply(to player: Player) {
    player.setNetworkTimeout(.milliseconds(Int64(networkTimeout * 1000)))
    player.setPreferredForwardBufferDuration(forwardBuffer)
    player.setPreferredAudioLanguages(audioLanguages)
  }

  private var forwardBuffer: Duration? {
    networkBuffer > 0 ? .milliseconds(Int64(networkBuffer * 1000)) : nil
  }
}
