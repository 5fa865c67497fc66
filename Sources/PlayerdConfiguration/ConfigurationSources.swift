import PlayerdSystem

/// The configuration and the origin of each value.
///
/// The order of precedence is: command line, environment, last session, file, default.
package struct ConfigurationSources: Equatable, Sendable {
  /// The origin of a value.
  package enum Origin: Equatable, Sendable {
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

  package private(set) var configuration = Configuration()
  private(set) var origins: [String: Origin] = [:]
  private var unknownVariables: [String] = []
  /// Errors that do not prevent a start, one line each.
  package var warnings: [String] {
    let isUseless = configuration.resolver.isEmpty && !configuration.resolverFor.isEmpty
    return unknownVariables + (isUseless ? ["resolver-for: nothing is resolved without the key resolver"] : [])
  }

  package func origin(of key: ConfigurationKey) -> Origin { origins[key.name] ?? .standard }

  /// Adds the values of a file; call it before the other sources are added.
  mutating func add(_ file: ConfigurationFile, path: String) throws(ConfigurationError) {
    for entry in file.entries {
      let location = "\(path):\(entry.line): \(entry.key)"
      guard let key = ConfigurationKey.named(entry.key) else {
        let hint = Spelling.hint(for: entry.key, among: ConfigurationKey.all.map(\.name))
        throw ConfigurationError("\(location): unknown key\(hint)")
      }
      try set(key, entry.value, .file(path: path, line: entry.line), location)
    }
  }

  /// Adds the variables of the environment; variables of other programs are ignored.
  mutating func add(environment: [String: String]) throws(ConfigurationError) {
    let environment = environment.filter { $0.key.hasPrefix(ConfigurationKey.variablePrefix) }
    guard !environment.isEmpty else { return }
    let names = ConfigurationKey.all.map(\.variable)
    for name in environment.keys.sorted() where !names.contains(name) {
      unknownVariables.append("$\(name): unknown key\(Spelling.hint(for: name, among: names))")
    }
    for key in ConfigurationKey.all {
      guard let text = environment[key.variable] else { continue }
      guard let value = key.kind.value(of: text) else {
        throw ConfigurationError("$\(key.variable): invalid value “\(text)”; expected \(key.kind.description)")
      }
      try set(key, value, .variable(key.variable), "$\(key.variable)")
    }
  }

  /// Adds options of the command line by the names of their keys.
  package mutating func add(options: [String: ConfigurationValue]) throws(ConfigurationError) {
    for key in ConfigurationKey.all {
      if let value = options[key.name] { try set(key, value, .option(key.name), "--\(key.name)") }
    }
  }

  /// Replaces values by the differing values of the session, by the names of their keys; invalid values are ignored.
  package mutating func override(
    _ values: [String: ConfigurationValue], where isReplaced: (Origin) -> Bool = { _ in true }
  ) {
    for key in ConfigurationKey.all where isReplaced(origin(of: key)) {
      guard let value = values[key.name], value != key.value(in: configuration) else { continue }
      if key.set(value, in: &configuration) == nil { origins[key.name] = .session }
    }
  }

  /// Copies a value and its origin.
  mutating func take(_ key: ConfigurationKey, from other: ConfigurationSources) {
    _ = key.set(key.value(in: other.configuration), in: &configuration)
    origins[key.name] = other.origin(of: key)
  }

  private mutating func set(
    _ key: ConfigurationKey, _ value: ConfigurationValue, _ origin: Origin, _ location: String
  ) throws(ConfigurationError) {
    if let objection = key.set(value, in: &configuration) { throw ConfigurationError("\(location): \(objection)") }
    origins[key.name] = origin
  }

  /// The configuration as a TOML file, each key with its description, possible values and origin; the keys that differ from
  /// their defaults are first.
  package var text: String {
    let isDefault = { (key: ConfigurationKey) in key.value(in: configuration) == key.value(in: Configuration()) }
    return (ConfigurationKey.all.filter { !isDefault($0) } + ConfigurationKey.all.filter(isDefault)).map { key in
      """
      # \(key.summary)
      # \(key.kind.description); from: \(origin(of: key).description.withoutControls)
      \(key.name) = \(key.value(in: configuration).toml)
      """
    }
    .joined(separator: "\n\n") + "\n"
  }
}
