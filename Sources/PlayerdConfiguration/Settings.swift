package import EngineProcess
package import Logging
package import Playback
import PlayerMPRIS
package import PlayerdSystem
import Synchronization

/// The current configuration, shared by the parts of the daemon; it can be reloaded.
package final class Settings: Sendable {
  private let state: Mutex<ConfigurationSources>
  /// Reads all sources, as at the start.
  private let load: @Sendable () throws(ConfigurationError) -> ConfigurationSources
  private let threshold: LogThreshold
  /// Held during a reload, so that reloads do not overlap, and the last reload has the newest content of the file.
  private let reloads = Mutex(())
  private let observers = Mutex<[@Sendable () -> Void]>([])

  package init(
    _ sources: ConfigurationSources, threshold: LogThreshold = .shared,
    load: @escaping @Sendable () throws(ConfigurationError) -> ConfigurationSources
  ) {
    state = Mutex(sources)
    self.threshold = threshold
    self.load = load
  }

  package var current: Configuration { state.withLock { $0.configuration } }

  /// The configuration with the origin of each value.
  package var sources: ConfigurationSources { state.withLock { $0 } }

  /// Calls `changed`, on any thread, after each reload that has succeeded.
  package func observe(_ changed: @escaping @Sendable () -> Void) { observers.withLock { $0.append(changed) } }

  /// Reloads the configuration and applies it to a player; if it contains an error, nothing changes.
  ///
  /// - Returns: The keys whose new values take effect at the next start only.
  @discardableResult
  package func reload(into player: Player? = nil, log: Logger) throws(ConfigurationError) -> [String] {
    try reloads.withLock { _ throws(ConfigurationError) in try apply(load(), to: player, log) }
  }

  private func apply(_ new: ConfigurationSources, to player: Player?, _ log: Logger) -> [String] {
    let later = state.withLock { sources in
      var later: [String] = []
      for key in ConfigurationKey.all where key.value(in: sources.configuration) != key.value(in: new.configuration) {
        if key.isLive { sources.take(key, from: new) } else { later.append(key.name) }
      }
      return later
    }
    for changed in observers.withLock({ $0 }) { changed() }
    threshold.level = new.configuration.logLevel.level
    for warning in new.warnings { log.warning("\(warning)") }
    log.notice("configuration reloaded")
    if !later.isEmpty { log.notice("effective at the next start: \(later.joined(separator: ", "))") }
    if let player { player.transaction { current.apply(to: player) } }
    return later
  }

  /// Reloads the configuration for a signal; an error is logged, because a signal cannot return it.
  package func reloadForSignal(into player: Player, log: Logger) {
    do throws(ConfigurationError) {
      try reload(into: player, log: log)
    } catch {
      log.warning("the configuration is unchanged: \(error.message)")
    }
  }
}

extension Configuration {
  /// The settings of everything that opens media.
  package var media: MediaSettings {
    var settings = MediaSettings()
    settings.network = NetworkSettings(
      serverSchemes: uriPolicy.serverSchemes, userAgent: userAgent.isEmpty ? nil : userAgent)
    settings.certificates = certificates.compactMap { AcceptedCertificate($0) }
    settings.textEncoding = textEncoding.isEmpty ? nil : textEncoding
    return settings
  }

  /// The configuration of a new player.
  package var player: Player.Configuration {
    var player = Player.Configuration(
      audioSink: audioSink.isEmpty ? nil : audioSink,
      volume: VolumeScale.linear(fromCubic: min(volume, maximumVolume)),
      loadTimeout: .milliseconds(Int64(loadTimeout * 1000)),
      replayGain: Player.Configuration.ReplayGain.Mode(rawValue: replayGain.rawValue).map { .init(mode: $0) },
      networkTimeout: .milliseconds(Int64(networkTimeout * 1000)), preferredForwardBufferDuration: forwardBuffer,
      pausesWhenOutputIsRemoved: pauseOnUnplug,
      timePitchAlgorithm: pitch == .keep ? .timeDomain : .varispeed, fade: .milliseconds(Int64(fade * 1000)),
      preferredAudioLanguages: audioLanguages)
    player.timeShift = .milliseconds(Int64(timeShift * 1000))
    player.matchesSampleRate = matchRate
    player.application = Player.Configuration.Application(
      name: Names.executable, id: Names.executable, iconName: Names.executable)
    player.crossfade = Player.Crossfade(
      length: .milliseconds(Int64(crossfade * 1000)), curve: crossfadeCurve,
      skipLength: .milliseconds(Int64(crossfadeOnSkip * 1000)))
    player.maximumVolume = VolumeScale.linear(fromCubic: maximumVolume)
    player.engine = .process(at: EngineProgramFile.path)
    player.engine.idleTime = .milliseconds(Int64(engineIdleTime * 1000))
    player.engine.sandbox = sandbox
    player.engine.memoryLimit = Int(engineMemory * 1024) << 10
    // Files without loudness tags are measured.
    let measurement = Player.Configuration.ReplayGain.Measurement(
      cacheFolder: Directories.cache.map { "\($0)/\(Names.executable)/loudness" })
    player.replayGain?.measurement = measurement
    player.silenceTrimming = trimSilence ? measurement : nil
    return player
  }

  /// The configuration of the daemon's player, which keeps its latest inputs for `report`.
  package var recordedPlayer: Player.Configuration {
    var player = player
    player.recordsInputs = true
    player.isLowPowerModeEnabled = power == .low
    return player
  }

  /// Applies the settings that can change during playback.
  fileprivate func apply(to player: Player) {
    player.maximumVolume = VolumeScale.linear(fromCubic: maximumVolume)
    player.fade = .milliseconds(Int64(fade * 1000))
    player.networkTimeout = .milliseconds(Int64(networkTimeout * 1000))
    player.preferredForwardBufferDuration = forwardBuffer
    player.preferredAudioLanguages = audioLanguages
  }

  private var forwardBuffer: Duration? {
    networkBuffer > 0 ? .milliseconds(Int64(networkBuffer * 1000)) : nil
  }
}
