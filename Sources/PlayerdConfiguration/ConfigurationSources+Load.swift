import Logging
package import PlayerdSystem

extension ConfigurationSources {
  /// Reads the environment and a file, by default the user's own, and logs an error.
  ///
  /// - Throws: `ExitStatus` 78 for an error in the configuration.
  package static func loadUser(file: String? = nil) throws(ExitStatus) -> ConfigurationSources {
    do {
      return try load(file: file)
    } catch {
      Logger(label: Names.executable).error("\(error.message)")
      throw ExitStatus.configuration
    }
  }

  /// Reads the environment and a file, by default the user's own; that file need not exist.
  package static func load(
    file: String?, orUserFile userFile: String? = userFile, from files: any FileSystem = LocalFileSystem(),
    environment: [String: String] = Environment.variables
  ) throws(ConfigurationError) -> ConfigurationSources {
    var sources = ConfigurationSources()
    if let path = file ?? userFile {
      switch files.text(of: path, limit: 1 << 20) {
      case .success(let text): try sources.add(ConfigurationFile(text, path: path), path: path)
      case .failure(let error) where file != nil || !error.isAbsence:
        throw ConfigurationError("\(path): \(error.message)")
      case .failure: break
      }
    }
    try sources.add(environment: environment)
    return sources
  }

  private static var userFile: String? {
    Directories.configuration.map { "\($0)/\(Names.executable)/config.toml" }
  }
}
