/// The configuration, as a start of the daemon would read it.
enum ConfigurationCheck {
  /// What is to be said, and the configuration, or the standard one when it cannot be read.
  static func findings(file: String?) -> (Configuration, [Finding]) {
    do throws(ConfigurationError) {
      let sources = try ConfigurationOptions.load(file: file)
      let count = ConfigurationKey.all.count { sources.origin(of: $0) != .standard }
      let warnings = sources.warnings.map { Finding.warning($0, "correct or remove the variable") }
      return (
        sources.configuration, [.ok("the configuration sets \(count) of \(ConfigurationKey.all.count) keys")] + warnings
      )
    } catch {
      return (Configuration(), [.error("the configuration: \(error.message)", "correct it; the daemon does not start")])
    }
  }
}
