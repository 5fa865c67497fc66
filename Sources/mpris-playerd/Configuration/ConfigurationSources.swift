/// The configuration and the origin of each value: the command line takes precedence over the environment, that over the
/// last session, that over the file, and that over the default.
struct ConfigurationSources: Equatable, Sendable {
  /// Where a value comes from.
  enum Origin: Equatable, Sendable {
    case standard
    case file(path: String, line: Int)
    case session
    case variable(String)
    case option(String)

    var description: String {
      switch self {
      case .standard: "default"
      case .file(let path, let line): "\(path):\(line)"
      case .session: "session"
      case .variable(let name): "$\(name)"
      case .option(let name): "--\(name)"
      }
    }
  }

  private(set) var configuration = Configuration()
  private(set) var origins: [String: Origin] = [:]
  /// Mistakes that do not prevent a start, each as one line.
  private(set) var warnings: [String] = []

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

  /// Adds the variables of the environment; those of other programs are ignored.
  mutating func add(environment: [String: String]) throws(ConfigurationError) {
    let names = ConfigurationKey.all.map(\.variable)
    for name in environment.keys.sorted() where name.hasPrefix(ConfigurationKey.variablePrefix) && !names.contains(name)
    {
      let hint = Spelling.nearest(to: name, among: names).map { "; did you mean “\($0)”?" } ?? ""
      warnings.append("$\(name): there is no such key\(hint)")
    }
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

  /// Adds the values of the last session; the speed belongs to the queue, and is left out with it unless it is kept.
  mutating func add(_ session: Session, restoringQueue: Bool) {
    var values: [String: ConfigurationValue] = [
      "volume": .number(min(VolumeScale.cubic(fromLinear: session.volume), configuration.maximumVolume)),
      "loop": .text(session.loop.rawValue), "shuffle": .boolean(session.order != nil),
    ]
    if restoringQueue || configuration.keepRate { values["rate"] = .number(session.rate) }
    for key in ConfigurationKey.all {
      guard let value = values[key.name], value != key.value(in: configuration) else { continue }
      switch origin(of: key) {
      case .variable, .option: break
      case .standard, .file, .session: override(key, value)
      }
    }
  }

  /// Replaces a value by one of the session; one that the key cannot have is ignored.
  mutating func override(_ key: ConfigurationKey, _ value: ConfigurationValue) {
    if key.set(value, in: &configuration) == nil { origins[key.name] = .session }
  }

  /// Takes over a value and its origin.
  mutating func take(_ key: ConfigurationKey, from other: ConfigurationSources) {
    _ = key.set(key.value(in: other.configuration), in: &configuration)
    origins[key.name] = other.origin(of: key)
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
