import ArgumentParser
import PlayerdConfiguration

/// The option for the configuration file.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The configuration file to read instead of the user's own.", valueName: "file"),
    completion: .file())
  var config: String?

  /// Reads the file and the environment; options of the command line have precedence over both.
  ///
  /// - Throws: `ExitStatus` 78 for an error in the configuration, which has been logged.
  func load() throws -> ConfigurationSources { try ConfigurationSources.loadUser(file: config) }
}
