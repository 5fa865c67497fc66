import Playback

@testable import PlayerdConfiguration

/// The record of the configuration file.
struct ConfigurationRecord {
  var file = SimulatedConfiguration()
  /// The last file without a fault.
  var lastValid = SimulatedConfiguration()
  /// The settings of the last start or reload.
  var applied = Configuration()
}

extension StorageChecks {
  /// Another program writes the file.
  func configured(_ file: SimulatedConfiguration, on disk: SimulatedDisk) {
    configuration.file = file
    file.install(on: disk)
  }

  /// Checks the settings of a start.
  func checkStart(_ settings: Settings) {
    configuration.applied = settings.current
    configuration.lastValid = configuration.file
    require(
      .reloadAppliesFile, configuration.file.isValid && settings.current == configuration.file.settings,
      "the settings of the start are not those of \(configuration.file)")
  }

  /// Checks the error of a start or a reload.
  func checkError(_ message: String) {
    let isNamed = message.contains(SimulatedConfiguration.path) && message.contains(configuration.file.report)
    require(
      .wrongConfigurationReported, !configuration.file.isValid && isNamed,
      "\(configuration.file.fault) is reported as: \(message)")
  }

  /// Checks a reload: `later` are the keys for the next start; nil if the reload failed or a signal requested it.
  func checkReload(_ life: DaemonLife, _ later: [String]?, _ lines: [String]) {
    let (old, new, file) = (configuration.applied, life.settings.current, configuration.file)
    for line in lines { life.world.note("    log \(line)") }
    guard file.isValid else {
      return require(.wrongConfigurationReported, new == old, "a file with \(file.fault) changes the settings")
    }
    var expected = file.settings
    var next: [String] = []
    if expected.resume != old.resume { next.append("resume") }
    if expected.loadTimeout != old.loadTimeout { next.append("load-timeout") }
    (expected.resume, expected.loadTimeout) = (old.resume, old.loadTimeout)
    require(.reloadAppliesFile, new == expected, "after a reload the settings are not those of \(file)")
    require(
      .reloadAppliesFile, life.player.networkTimeout == .milliseconds(Int64(expected.networkTimeout * 1_000)),
      "the player's time limit for servers is \(life.player.networkTimeout)")
    if let later {
      require(.restartSettingsReported, Set(later) == Set(next), "\(later) instead of \(next)")
    }
    let isLogged = next.isEmpty || lines.contains { line in next.allSatisfy(line.contains) }
    require(.restartSettingsReported, isLogged, "\(next) are not in the log: \(lines)")
    configuration.applied = new
    configuration.lastValid = file
    sleep.statusSince = life.world.now
  }
}
