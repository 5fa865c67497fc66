import ArgumentParser
import Logging

/// Where the configuration is read from.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The configuration file instead of the user's own.", valueName: "file"), completion: .file())
  var config: String?

  /// The file and the environment; what the command line sets comes on top.
  ///
  /// - Throws: `ExitCode` 78 when something is wrong, which has been told.
  func load() throws -> ConfigurationSources {
    do {
      return try Self.load(file: config)
    } catch {
      Logger(label: Names.executable).error("\(error.message)")
      throw ExitStatus.configuration
    }
  }

  /// Reads the file, the user's own unless another one is named, and the environment.
  static func load(file: String?) throws(ConfigurationError) -> ConfigurationSources {
    var sources = ConfigurationSources()
    if let path = file ?? userFile {
      switch TextFile.text(of: path, limit: 1 << 20) {
      case .success(let text): try sources.add(ConfigurationFile(text, path: path), path: path)
      case .failure(let error) where file != nil || !error.isAbsence:
        throw ConfigurationError("\(path): \(error.message)")
      case .failure: break
      }
    }
    try sources.add(environment: Environment.variables)
    return sources
  }

  private static var userFile: String? {
    Directories.configuration.map { "\($0)/\(Names.executable)/config.toml" }
  }
}
