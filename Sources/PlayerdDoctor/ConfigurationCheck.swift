import PlayerdConfiguration

/// Checks the configuration for the next start of the daemon.
enum ConfigurationCheck {
  /// Returns the configuration, or the default one if it has an error, and the findings.
  static func findings(file: String?) -> (Configuration, [Finding]) {
    do throws(ConfigurationError) {
      let sources = try ConfigurationSources.load(file: file)
      let count = ConfigurationKey.all.count { sources.origin(of: $0) != .standard }
      let warnings = sources.warnings.map { Finding.warning("\($0)", "correct or remove the variable") }
      return (
        sources.configuration, [.ok("the configuration sets \(count) of \(ConfigurationKey.all.count) keys")] + warnings
      )
    } catch {
      let finding = Finding.error(
        "configuration: \(error.message)", "correct the error; the daemon does not start with it")
      return (Configuration(), [finding])
    }
  }
}
