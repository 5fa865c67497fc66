/// What the configuration is made of, and what came from where: command line over environment over file over default.
struct ConfigurationSources: Equatable, Sendable {
  /// Where a value comes from.
  enum Origin: Equatable, Sendable {
    case standard
    case file(path: String, line: Int)
    case variable(String)
    case option(String)

    var description: String {
      switch self {
      case .standard: "default"
      case .file(let path, let line): "\(path):\(line)"
      case .variable(let name): "$\(name)"
      case .option(let name): "--\(name)"
      }
    }
  }

  private(set) var configuration = Configuration()
  private(set) var origins: [String: Origin] = [:]

  func origin(of key: ConfigurationKey) -> Origin { origins[key.name] ?? .standard }

  /// Adds what a file says; to be called before the others.
  mutating func add(_ file: ConfigurationFile, path: String) throws(ConfigurationError) {
    for entry in file.entries {
      let place = "\(path):\(entry.line): \(entry.key)"
      guard let key = ConfigurationKey.named(entry.key) else {
        let hint =
          Spelling.nearest(to: entry.key, among: ConfigurationKey.all.map(\.name)).map { "; did you mean “\($0)”?" }
          ?? ""
        throw ConfigurationError("\(place): there is no such key\(hint)")
      }
      try set(key, entry.value, .file(path: path, line: entry.line), place)
    }
  }

  /// Adds the variables of the environment; those of other programs are not looked at.
  mutating func add(environment: [String: String]) throws(ConfigurationError) {
    for key in ConfigurationKey.all {
      guard let text = environment[key.variable] else { continue }
      guard let value = key.kind.value(of: text) else {
        throw ConfigurationError("$\(key.variable): “\(text)” is not \(key.kind.description)")
      }
      try set(key, value, .variable(key.variable), "$\(key.variable)")
    }
  }

  /// Adds options of the command line, each by the name of its key.
  mutating func add(options: [String: ConfigurationValue]) throws(ConfigurationError) {
    for key in ConfigurationKey.all {
      if let value = options[key.name] { try set(key, value, .option(key.name), "--\(key.name)") }
    }
  }

  private mutating func set(
    _ key: ConfigurationKey, _ value: ConfigurationValue, _ origin: Origin, _ place: String
  ) throws(ConfigurationError) {
    if let objection = key.set(value, in: &configuration) { throw ConfigurationError("\(place): \(objection)") }
    origins[key.name] = origin
  }

  /// The whole as a TOML file, each key with its meaning, its values and its origin.
  var text: String {
    ConfigurationKey.all.map { key in
      """
      # \(key.summary)
      # \(key.kind.description); from: \(origin(of: key).description)
      \(key.name) = \(key.value(in: configuration).toml)
      """
    }
    .joined(separator: "\n\n") + "\n"
  }
}
